/*
 * From a name to a server that is the right one: address, protocol, host key.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/path.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/spec/experiment.h"
#include "tests/unit/ssh_bench.h"

static char ssh_config[] = "ssh_config";
static char alias[] = "assay-alpha";

static void a_port_where_nobody_listens_is_refused(void **state)
{
	struct bench b;

	(void)state;
	begin(&b);
	b.host.port = 1;
	expect_refusal(&b, "host alpha (127.0.0.1:1): connection refused: ");
}

static void a_name_that_does_not_resolve_is_named(void **state)
{
	static char nowhere[] = "nowhere.invalid";
	struct bench b;

	(void)state;
	begin(&b);
	b.host.address = nowhere;
	expect_refusal(&b, "host alpha: the name nowhere.invalid ");
}

static void write_lab_file(const char *name, const char *text)
{
	char *path = lab_file(name);
	struct error err;

	assert_int_equal(path_write(path, text, strlen(text), &err), 0);
	free(path);
}

static void an_unknown_host_key_is_refused_with_the_way_out(void **state)
{
	static char empty[] = "known_hosts.empty";
	struct bench b;
	char want[512];

	(void)state;
	begin(&b);
	write_lab_file(empty, "# nothing\n");
	b.host.known_hosts = empty;
	snprintf(want, sizeof(want),
		 "host key of alpha ([127.0.0.1]:%d) is not in %s/%s: add it "
		 "with `ssh-keyscan -p %d 127.0.0.1 >>%s/%s` after checking "
		 "on the host that its ssh-ed25519 fingerprint is SHA256:",
		 port_alpha, lab, empty, port_alpha, lab, empty);
	expect_refusal(&b, want);
}

static void a_changed_host_key_is_refused_with_file_and_line(void **state)
{
	static char changed[] = "known_hosts.changed";
	struct bench b;
	char want[512];

	(void)state;
	begin(&b);
	assert_int_equal(
		run_script("cd %s && rm -f another && "
			   "ssh-keygen -q -t ed25519 -N '' -f another && "
			   "{ echo '# a comment'; printf "
			   "'[127.0.0.1]:%%s %%s\\n' %d \"$(cut -d' ' -f1,2 "
			   "another.pub)\"; } >%s",
			   lab, port_alpha, changed),
		0);
	b.host.known_hosts = changed;
	snprintf(want, sizeof(want),
		 "host key of alpha ([127.0.0.1]:%d) has changed: it shows "
		 "the ssh-ed25519 key SHA256:",
		 port_alpha);
	expect_refusal(&b, want);
	begin(&b);
	b.host.known_hosts = changed;
	snprintf(want, sizeof(want), "but %s/%s line 2 holds SHA256:", lab,
		 changed);
	expect_refusal(&b, want);
}

static void a_revoked_host_key_is_refused(void **state)
{
	static char revoked[] = "known_hosts.revoked";
	struct bench b;

	(void)state;
	begin(&b);
	assert_int_equal(
		run_script("cd %s && { cat known_hosts; printf '@revoked * "
			   "%%s\\n' \"$(cut -d' ' -f1,2 alpha/host_key.pub)\"; "
			   "} >%s",
			   lab, revoked),
		0);
	b.host.known_hosts = revoked;
	expect_refusal(&b, "known_hosts.revoked line 2: do not use");
}

static void a_hashed_host_name_is_found(void **state)
{
	static char hashed[] = "known_hosts.hashed";
	struct bench b;

	(void)state;
	begin(&b);
	assert_int_equal(run_script("cd %s && cp known_hosts %s && "
				    "ssh-keygen -q -H -f %s >/dev/null 2>&1",
				    lab, hashed, hashed),
			 0);
	b.host.known_hosts = hashed;
	expect_login(&b);
	finish(&b);
}

static void a_name_is_resolved_by_ssh_config(void **state)
{
	struct bench b;
	struct job job;

	(void)state;
	begin(&b);
	b.host = (struct host){ .name = name_alpha,
				.ssh = alias,
				.config = ssh_config };
	expect_login(&b);
	prepare(&b, &job, "echo through ssh_config\n");
	run(&b, &job);
	assert_string_equal(job.out.data, "through ssh_config\n");
	job_release(&job);
	finish(&b);
}

/* A server for one client that is no sshd: says `text` and hangs up, or, for
 * NULL, nothing. Returns its process. */
static pid_t start_other_server(const char *text, int *port)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t n = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), client;
	pid_t pid;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 4), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &n), 0);
	*port = ntohs(a.sin_port);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		alarm(30);
		client = accept(fd, NULL, NULL);
		if (text && write(client, text, strlen(text)) < 0)
			_exit(1);
		if (!text)
			pause();
		_exit(0);
	}
	close(fd);
	return pid;
}

static void stop_other_server(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void a_server_that_hangs_up_is_told(void **state)
{
	struct bench b;
	pid_t pid;

	(void)state;
	begin(&b);
	pid = start_other_server("", &b.host.port);
	expect_refusal(&b, "closed the connection during the handshake (");
	stop_other_server(pid);
}

static void a_server_that_speaks_another_protocol_is_told(void **state)
{
	struct bench b;
	pid_t pid;

	(void)state;
	begin(&b);
	pid = start_other_server("220 mail.example ESMTP\r\n", &b.host.port);
	expect_refusal(&b, "during the handshake");
	stop_other_server(pid);
}

static void a_server_that_says_nothing_is_given_up(void **state)
{
	static char mute[] = "ssh_config.mute", name[] = "mute";
	struct bench b;
	char config[128];
	pid_t pid;
	int port;

	(void)state;
	begin(&b);
	pid = start_other_server(NULL, &port);
	snprintf(config, sizeof(config),
		 "Host mute\n HostName 127.0.0.1\n Port %d\n"
		 " ConnectTimeout 1\n",
		 port);
	write_lab_file(mute, config);
	b.host = (struct host){ .name = name_alpha,
				.ssh = name,
				.config = mute };
	expect_refusal(&b, "no SSH handshake within 1 s");
	stop_other_server(pid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_port_where_nobody_listens_is_refused),
		cmocka_unit_test(a_name_that_does_not_resolve_is_named),
		cmocka_unit_test(
			an_unknown_host_key_is_refused_with_the_way_out),
		cmocka_unit_test(
			a_changed_host_key_is_refused_with_file_and_line),
		cmocka_unit_test(a_revoked_host_key_is_refused),
		cmocka_unit_test(a_hashed_host_name_is_found),
		cmocka_unit_test(a_name_is_resolved_by_ssh_config),
		cmocka_unit_test(a_server_that_hangs_up_is_told),
		cmocka_unit_test(a_server_that_speaks_another_protocol_is_told),
		cmocka_unit_test(a_server_that_says_nothing_is_given_up),
	};

	return RUN_OVER_SSH(tests, start_alpha);
}
