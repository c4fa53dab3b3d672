#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/ssh_config.h"
#include "orchestrate/spec/experiment.h"

static char name_alpha[] = "alpha";

static int set_up(void **state)
{
	struct ssh_target *t = mem_zalloc(1, sizeof(*t));

	setenv("HOME", "/home/tester", 1);
	unsetenv("SSH_AUTH_SOCK");
	ssh_target_init(t);
	*state = t;
	return 0;
}

static int tear_down(void **state)
{
	ssh_target_release(*state);
	free(*state);
	return 0;
}

static void expect_list(const struct strlist *list, const char *want)
{
	char joined[1024] = "";

	for (size_t i = 0; i < list->n; i++) {
		strcat(joined, i ? "|" : "");
		strcat(joined, list->items[i]);
	}
	assert_string_equal(joined, want);
}

static void defaults_are_those_of_openssh(void **state)
{
	struct ssh_target *t = *state;

	ssh_target_defaults(t);
	assert_int_equal(t->port, 22);
	assert_true(t->connect_timeout == 15);
	assert_non_null(t->user);
	expect_list(&t->identities, "/home/tester/.ssh/id_ed25519|"
				    "/home/tester/.ssh/id_ecdsa|"
				    "/home/tester/.ssh/id_rsa");
	expect_list(&t->known_hosts, "/home/tester/.ssh/known_hosts");
	assert_null(t->agent);
	assert_false(t->identities_only);
}

static void the_agent_of_the_environment_is_used(void **state)
{
	struct ssh_target *t = *state;

	setenv("SSH_AUTH_SOCK", "/run/agent", 1);
	ssh_target_defaults(t);
	assert_string_equal(t->agent, "/run/agent");
	unsetenv("SSH_AUTH_SOCK");
}

static void what_ssh_prints_is_read(void **state)
{
	struct ssh_target *t = *state;
	struct error err = ERROR_INIT;

	ssh_target_defaults(t);
	assert_int_equal(
		ssh_target_parse(
			t,
			"host a\nuser me\nhostname 10.0.0.7\nport 2201\n"
			"stricthostkeychecking ask\nidentitiesonly yes\n"
			"identityfile ~/.ssh/id_x\n"
			"identityfile %d/of %r at %h:%p 100%%\n"
			"globalknownhostsfile /etc/ssh/a /etc/ssh/b\n"
			"userknownhostsfile /tmp/with space/kh ~/kh2 "
			"/root/kh3\n"
			"hostkeyalias lab-one\nconnecttimeout 7\n"
			"proxyjump none\nidentityagent ~/agent\n",
			&err),
		0);
	assert_string_equal(t->hostname, "10.0.0.7");
	assert_string_equal(t->user, "me");
	assert_int_equal(t->port, 2201);
	assert_true(t->identities_only);
	expect_list(&t->identities,
		    "/home/tester/.ssh/id_x|"
		    "/home/tester/of me at 10.0.0.7:2201 100%");
	/* the user's first */
	expect_list(&t->known_hosts,
		    "/tmp/with space/kh|/home/tester/kh2|/root/kh3|"
		    "/etc/ssh/a|/etc/ssh/b");
	assert_string_equal(t->host_key_alias, "lab-one");
	assert_true(t->connect_timeout == 7);
	assert_string_equal(t->agent, "/home/tester/agent");
	assert_false(t->lax_host_keys);
}

#define MINIMUM "hostname h\nport 22\nuser u\n"

static void agents_may_be_named_in_each_way(void **state)
{
	struct ssh_target *t = *state;
	struct error err;

	setenv("SSH_AUTH_SOCK", "/run/agent", 1);
	setenv("OTHER_SOCK", "/run/other", 1);
	ssh_target_defaults(t);
	ssh_target_parse(t, MINIMUM, &err);
	assert_string_equal(t->agent, "/run/agent");
	ssh_target_parse(t, MINIMUM "identityagent $OTHER_SOCK\n", &err);
	assert_string_equal(t->agent, "/run/other");
	ssh_target_parse(t, MINIMUM "identityagent ${OTHER_SOCK}.x\n", &err);
	assert_string_equal(t->agent, "/run/other.x");
	ssh_target_parse(t, MINIMUM "identityagent SSH_AUTH_SOCK\n", &err);
	assert_string_equal(t->agent, "/run/agent");
	ssh_target_parse(t, MINIMUM "identityagent none\n", &err);
	assert_null(t->agent);
	unsetenv("SSH_AUTH_SOCK");
	unsetenv("OTHER_SOCK");
}

static void loose_host_key_checking_is_noted(void **state)
{
	struct ssh_target *t = *state;
	struct error err;

	ssh_target_parse(t, MINIMUM "stricthostkeychecking false\n", &err);
	assert_true(t->lax_host_keys);
	ssh_target_parse(t, MINIMUM "stricthostkeychecking true\n", &err);
	assert_false(t->lax_host_keys);
	ssh_target_parse(t, MINIMUM "stricthostkeychecking accept-new\n",
			 &err);
	assert_true(t->lax_host_keys);
}

static void a_proxy_is_refused_with_what_to_do(void **state)
{
	struct ssh_target *t = *state;
	struct error err = ERROR_INIT;

	assert_int_equal(ssh_target_parse(t, MINIMUM "proxyjump gate\n", &err),
			 -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_non_null(strstr(err.text, "ProxyJump gate"));
	assert_non_null(strstr(err.text, "not supported yet"));
	assert_non_null(strstr(err.text, "ssh -L"));
	assert_int_equal(
		ssh_target_parse(t, MINIMUM "proxycommand nc %h\n", &err), -1);
	assert_non_null(strstr(err.text, "ProxyCommand nc"));
	assert_int_equal(
		ssh_target_parse(t, MINIMUM "proxycommand none\n", &err), 0);
}

static void what_is_no_answer_of_ssh_is_refused(void **state)
{
	struct ssh_target *t = *state;
	struct error err = ERROR_INIT;

	assert_int_equal(ssh_target_parse(t, "", &err), -1);
	assert_int_equal(err.kind, ERROR_ENVIRONMENT);
	assert_int_equal(ssh_target_parse(t, "hostname\n\n  \nx\n", &err), -1);
	assert_int_equal(
		ssh_target_parse(t, "hostname h\nport 70000\n", &err), -1);
	assert_int_equal(ssh_target_parse(t, "hostname h\nport -1\n", &err),
			 -1);
}

static void the_experiment_has_the_last_word(void **state)
{
	static char address[] = "10.9.8.7", user[] = "bob",
		    key[] = "keys/id", known[] = "~/kh";
	const struct host host = { .name = name_alpha,
				   .address = address,
				   .port = 99,
				   .user = user,
				   .key = key,
				   .known_hosts = known };
	struct ssh_target *t = *state;

	ssh_target_defaults(t);
	ssh_target_override(t, &host, "/exp");
	assert_string_equal(t->name, "alpha");
	assert_string_equal(t->hostname, "10.9.8.7");
	assert_string_equal(t->user, "bob");
	assert_int_equal(t->port, 99);
	expect_list(&t->identities, "/exp/keys/id");
	expect_list(&t->known_hosts, "/home/tester/kh");
	assert_true(t->key_given);
	assert_true(t->identities_only);
}

/* The real ssh, asked through the loop. */
struct answer {
	int n;
	struct ssh_target target;
	struct error err;
};

static void on_target(void *ctx, struct ssh_target *target,
		      const struct error *err)
{
	struct answer *a = ctx;

	a->n++;
	a->target = *target;
	a->err = *err;
}

static void query(struct answer *a, const struct host *host, const char *dir)
{
	struct loop *l = loop_new();

	a->n = 0;
	ssh_query_start(l, host, dir, on_target, a);
	assert_int_equal(a->n, 0);
	loop_run(l);
	assert_int_equal(a->n, 1);
	loop_free(l);
}

static char *make_config(char dir[32], const char *text)
{
	struct error err;
	char *path;

	strcpy(dir, "/tmp/assay-config.XXXXXX");
	assert_non_null(mkdtemp(dir));
	path = path_join(dir, "config");
	assert_int_equal(path_write(path, text, strlen(text), &err), 0);
	return path;
}

static void remove_config(const char *dir, char *path)
{
	unlink(path);
	rmdir(dir);
	free(path);
}

static bool has_ssh(void)
{
	return system("command -v ssh >/dev/null 2>&1") == 0;
}

static void a_name_is_resolved_through_ssh(void **state)
{
	static char name[] = "lab", config[] = "config", user[] = "bob";
	struct host host = { .name = name_alpha,
			     .ssh = name,
			     .config = config };
	char dir[32];
	struct answer a;
	char *path;

	(void)state;
	if (!has_ssh())
		skip();
	path = make_config(dir, "Host lab\n HostName 10.1.2.3\n Port 2222\n"
				" User carol\n IdentityFile \"/k/with s\"\n"
				" UserKnownHostsFile /k/one /k/two\n"
				" ConnectTimeout 3\n");
	query(&a, &host, dir);
	assert_string_equal(a.err.text, "");
	assert_string_equal(a.target.hostname, "10.1.2.3");
	assert_int_equal(a.target.port, 2222);
	assert_string_equal(a.target.user, "carol");
	expect_list(&a.target.identities, "/k/with s");
	assert_string_equal(a.target.known_hosts.items[0], "/k/one");
	assert_string_equal(a.target.known_hosts.items[1], "/k/two");
	assert_true(a.target.connect_timeout == 3);
	ssh_target_release(&a.target);
	host.port = 77;
	host.user = user;
	query(&a, &host, dir);
	assert_int_equal(a.target.port, 77);
	assert_string_equal(a.target.user, "bob");
	ssh_target_release(&a.target);
	remove_config(dir, path);
}

static void a_bad_config_is_told_in_the_words_of_ssh(void **state)
{
	static char name[] = "lab", config[] = "config", none[] = "missing",
		    option[] = "-oProxyCommand=touch /tmp/assay-owned";
	struct host host = { .name = name_alpha,
			     .ssh = name,
			     .config = config };
	char dir[32];
	struct answer a;
	char *path;

	(void)state;
	if (!has_ssh())
		skip();
	path = make_config(dir, "Host lab\n Nonsense yes\n");
	query(&a, &host, dir);
	assert_int_equal(a.err.kind, ERROR_USAGE);
	assert_non_null(strstr(a.err.text,
			       "host alpha: `ssh -G lab` failed: "));
	assert_non_null(strstr(a.err.text, "bad configuration options"));
	host.config = none;
	query(&a, &host, dir);
	assert_non_null(strstr(a.err.text, "missing: No such file"));
	/* a name is never taken for an option */
	host.config = NULL;
	host.ssh = option;
	query(&a, &host, dir);
	assert_int_equal(a.err.kind, ERROR_USAGE);
	remove_config(dir, path);
}

static void without_the_ssh_program_the_way_out_is_told(void **state)
{
	static char name[] = "lab";
	const struct host host = { .name = name_alpha, .ssh = name };
	char *path = mem_strdup(getenv("PATH"));
	struct answer a;

	(void)state;
	setenv("PATH", "/nonexistent", 1);
	query(&a, &host, ".");
	setenv("PATH", path, 1);
	free(path);
	assert_int_equal(a.err.kind, ERROR_ENVIRONMENT);
	assert_non_null(strstr(a.err.text, "host alpha: cannot start ssh: "));
	assert_non_null(strstr(a.err.text, "install the OpenSSH client"));
}

static void an_address_needs_no_ssh_program(void **state)
{
	static char address[] = "127.0.0.1";
	const struct host host = { .name = name_alpha, .address = address };
	char *path = mem_strdup(getenv("PATH"));
	struct answer a;

	(void)state;
	setenv("PATH", "/nonexistent", 1);
	query(&a, &host, ".");
	setenv("PATH", path, 1);
	free(path);
	assert_int_equal(a.err.kind, ERROR_NONE);
	assert_string_equal(a.target.hostname, "127.0.0.1");
	assert_int_equal(a.target.port, 22);
	ssh_target_release(&a.target);
}

static void a_query_can_be_cancelled(void **state)
{
	static char name[] = "lab", address[] = "127.0.0.1";
	const struct host by_name = { .name = name_alpha, .ssh = name },
			  by_address = { .name = name_alpha,
					 .address = address };
	struct loop *l = loop_new();
	struct answer a = { .n = 0 };

	(void)state;
	ssh_query_cancel(ssh_query_start(l, &by_name, ".", on_target, &a));
	ssh_query_cancel(ssh_query_start(l, &by_address, ".", on_target, &a));
	ssh_query_cancel(NULL);
	loop_run(l);
	assert_int_equal(a.n, 0);
	loop_free(l);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(defaults_are_those_of_openssh),
		TEST(the_agent_of_the_environment_is_used),
		TEST(what_ssh_prints_is_read),
		TEST(agents_may_be_named_in_each_way),
		TEST(loose_host_key_checking_is_noted),
		TEST(a_proxy_is_refused_with_what_to_do),
		TEST(what_is_no_answer_of_ssh_is_refused),
		TEST(the_experiment_has_the_last_word),
		TEST(a_name_is_resolved_through_ssh),
		TEST(a_bad_config_is_told_in_the_words_of_ssh),
		TEST(without_the_ssh_program_the_way_out_is_told),
		TEST(an_address_needs_no_ssh_program),
		TEST(a_query_can_be_cancelled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
