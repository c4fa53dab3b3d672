/* Keys and agents that log in, and those that do not. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "tests/unit/ssh_bench.h"

static void a_key_that_the_server_does_not_know_is_named(void **state)
{
	static char other[] = "other_key";
	struct bench b;
	char want[256];

	(void)state;
	begin(&b);
	run_script("cd %s && rm -f %s && ssh-keygen -q -t ed25519 -N '' -f %s",
		   lab, other, other);
	b.host.key = other;
	snprintf(want, sizeof(want), "with %s/%s; it accepts publickey: ",
		 lab, other);
	expect_refusal(&b, want);
}

static void an_rsa_key_that_is_refused_says_why(void **state)
{
	static char rsa[] = "rsa_key";
	struct bench b;

	(void)state;
	begin(&b);
	run_script("cd %s && rm -f %s && ssh-keygen -q -t rsa -N '' -f %s",
		   lab, rsa, rsa);
	b.host.key = rsa;
	expect_refusal(&b, "use an ed25519 key");
}

static void keys_that_cannot_be_used_are_named(void **state)
{
	static char missing[] = "no_such_key", locked[] = "locked_key",
		    open_key[] = "open_key", old_locked[] = "locked_pem",
		    no_key[] = "no_key";
	struct bench b;

	(void)state;
	begin(&b);
	b.host.key = missing;
	expect_refusal(&b, "no_such_key is not there");
	begin(&b);
	run_script("cd %s && rm -f locked_key locked_pem && "
		   "ssh-keygen -q -t ed25519 -N secret -f locked_key && "
		   "ssh-keygen -q -t ecdsa -m PEM -N secret -f locked_pem && "
		   "cp client_key open_key && chmod 644 open_key && "
		   "echo x >no_key && chmod 600 no_key",
		   lab);
	b.host.key = locked;
	expect_refusal(&b, "locked_key needs a passphrase: load it into an "
			   "agent");
	begin(&b);
	b.host.key = old_locked;
	expect_refusal(&b, "locked_pem needs a passphrase");
	begin(&b);
	b.host.key = open_key;
	expect_refusal(&b, "open_key can be read by others");
	begin(&b);
	b.host.key = no_key;
	expect_refusal(&b, "no_key is no private key");
}

static void a_pem_key_logs_in(void **state)
{
	static char pem[] = "pem_key";
	struct bench b;

	(void)state;
	begin(&b);
	run_script("cd %s && rm -f pem_key && ssh-keygen -q -t ecdsa -m PEM "
		   "-N '' -f pem_key && cat pem_key.pub >>client_key.pub",
		   lab);
	b.host.key = pem;
	expect_login(&b);
	finish(&b);
}

/* Starts a private agent; its socket goes into the environment. */
static pid_t start_agent(void)
{
	char *sock = lab_file("agent.sock"), *pid_file = lab_file("agent.pid");
	pid_t pid = 0;
	FILE *f;

	assert_int_equal(run_script("ssh-agent -a %s -s | sed -n 's/.*PID=\\("
				    "[0-9]*\\);.*/\\1/p' >%s",
				    sock, pid_file),
			 0);
	f = fopen(pid_file, "r");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%d", &pid), 1);
	fclose(f);
	setenv("SSH_AUTH_SOCK", sock, 1);
	free(sock);
	free(pid_file);
	return pid;
}

static void stop_agent(pid_t pid)
{
	char *sock = lab_file("agent.sock");

	kill(pid, SIGCONT);
	kill(pid, SIGTERM);
	unlink(sock);
	unsetenv("SSH_AUTH_SOCK");
	free(sock);
}

static void a_locked_key_logs_in_through_the_agent(void **state)
{
	static char agent_key[] = "agent_key";
	struct bench b;
	pid_t agent;

	(void)state;
	begin(&b);
	agent = start_agent();
	assert_int_equal(
		run_script("cd %s && rm -f agent_key* && ssh-keygen -q -t "
			   "ed25519 -N '' -f agent_key && cat agent_key.pub "
			   ">>client_key.pub && ssh-add -q agent_key && "
			   "ssh-keygen -q -p -P '' -N secret -f agent_key "
			   ">/dev/null",
			   lab),
		0);
	b.host.key = agent_key;
	connect_now(&b);
	stop_agent(agent);
	assert_string_equal(b.connect_error.text, "");
	finish(&b);
}

static void an_agent_that_is_gone_is_named(void **state)
{
	static char locked[] = "locked_key";
	struct bench b;

	(void)state;
	begin(&b);
	setenv("SSH_AUTH_SOCK", "/nonexistent/agent", 1);
	run_script("cd %s && rm -f locked_key && ssh-keygen -q -t ed25519 "
		   "-N secret -f locked_key",
		   lab);
	b.host.key = locked;
	expect_refusal(&b, "the agent at /nonexistent/agent (no such file");
	unsetenv("SSH_AUTH_SOCK");
}

static void too_many_keys_in_the_agent_are_told(void **state)
{
	char *home = mem_strdup(getenv("HOME"));
	struct bench b;
	pid_t agent;

	(void)state;
	begin(&b);
	agent = start_agent();
	/* sshd hangs up at the sixth */
	assert_int_equal(
		run_script("cd %s && for i in 1 2 3 4 5 6 7; do rm -f many.$i;"
			   " ssh-keygen -q -t ed25519 -N '' -f many.$i && "
			   "ssh-add -q many.$i || exit 1; done",
			   lab),
		0);
	setenv("HOME", lab, 1);
	b.host.key = NULL;
	connect_now(&b);
	setenv("HOME", home, 1);
	free(home);
	stop_agent(agent);
	assert_int_equal(b.connect_error.kind, ERROR_ENVIRONMENT);
	assert_non_null(strstr(b.connect_error.text,
			       "closed the connection during the login of "));
	assert_non_null(strstr(b.connect_error.text,
			       "(Too many authentication failures)"));
	assert_non_null(strstr(b.connect_error.text,
			       "after it refused the agent's key "));
	assert_non_null(strstr(b.connect_error.text, "with `key:`"));
	finish(&b);
}

static void without_any_key_it_is_said_how_to_give_one(void **state)
{
	char *home = mem_strdup(getenv("HOME"));
	struct bench b;

	(void)state;
	begin(&b);
	setenv("HOME", lab, 1);
	b.host.key = NULL;
	expect_refusal(&b, "no key to log in to alpha as ");
	setenv("HOME", home, 1);
	free(home);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_that_the_server_does_not_know_is_named),
		cmocka_unit_test(an_rsa_key_that_is_refused_says_why),
		cmocka_unit_test(keys_that_cannot_be_used_are_named),
		cmocka_unit_test(a_pem_key_logs_in),
		cmocka_unit_test(a_locked_key_logs_in_through_the_agent),
		cmocka_unit_test(an_agent_that_is_gone_is_named),
		cmocka_unit_test(too_many_keys_in_the_agent_are_told),
		cmocka_unit_test(without_any_key_it_is_said_how_to_give_one),
	};

	return RUN_OVER_SSH(tests, start_alpha);
}
