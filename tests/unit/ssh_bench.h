#ifndef TESTS_UNIT_SSH_BENCH_H
#define TESTS_UNIT_SSH_BENCH_H

/*
 * Real OpenSSH servers on loopback for the tests of the ssh executor, started
 * once for each program by tests/lab/sshd.sh in a directory of their own:
 * alpha, and beta for what spoils a server. A test begins a bench, connects
 * it, runs jobs and finishes it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/path.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/spec/experiment.h"

static char lab[] = "/tmp/assay-ssh.XXXXXX";
static bool have_lab;
static int port_alpha, port_beta;

static char name_alpha[] = "alpha";

struct bench {
	struct loop *loop;
	struct executor *x;
	struct host host;
	struct error connect_error;
	int n_connected, n_closed, n_done;
};

static inline int run_script(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
static inline int run_script(const char *format, ...)
{
	char command[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(command, sizeof(command), format, ap);
	va_end(ap);
	return system(command);
}

static inline int read_port(const char *name)
{
	char path[128];
	FILE *f;
	int port = 0;

	snprintf(path, sizeof(path), "%s/%s/port", lab, name);
	f = fopen(path, "r");
	if (f && fscanf(f, "%d", &port) != 1)
		port = 0;
	if (f)
		fclose(f);
	return port;
}

/* How the tests start their servers; without sshd they are skipped. */
static inline int start_servers(const char *names)
{
	if (system("{ command -v sshd || ls /usr/sbin/sshd; } >/dev/null "
		   "2>&1 && command -v ssh-keygen ssh >/dev/null"))
		return 0;
	if (!mkdtemp(lab))
		return -1;
	have_lab = true;
	/* beta asks every second whether we are still there, once */
	if (run_script("cd %s && mkdir beta && "
		       "printf 'ClientAliveInterval 1\\nClientAliveCountMax "
		       "1\\n' >beta/extra",
		       lab) ||
	    run_script("tests/lab/sshd.sh start %s %s", lab, names))
		return -1;
	port_alpha = read_port("alpha");
	port_beta = read_port("beta");
	return port_alpha ? 0 : -1;
}

static inline int start_alpha(void **state)
{
	(void)state;
	return start_servers("alpha");
}

static inline int start_alpha_and_beta(void **state)
{
	(void)state;
	return start_servers("alpha beta");
}

static inline int stop_lab(void **state)
{
	(void)state;
	if (!have_lab)
		return 0;
	run_script("tests/lab/sshd.sh stop %s; rm -rf %s", lab, lab);
	return 0;
}

static inline void on_connected(void *ctx, const struct error *err)
{
	struct bench *b = ctx;

	b->n_connected++;
	b->connect_error = *err;
}

static inline void on_closed(void *ctx)
{
	struct bench *b = ctx;

	b->n_closed++;
}

static inline void on_done(struct job *job)
{
	struct bench *b = job->ctx;

	b->n_done++;
}

static inline void begin(struct bench *b)
{
	static char loopback[] = "127.0.0.1", client_key[] = "client_key",
		    known_hosts[] = "known_hosts";

	if (!have_lab)
		skip();
	memset(b, 0, sizeof(*b));
	b->loop = loop_new();
	b->host = (struct host){ .name = name_alpha,
				 .address = loopback,
				 .port = port_alpha,
				 .key = client_key,
				 .known_hosts = known_hosts };
}

static inline void finish(struct bench *b)
{
	if (b->x) {
		b->x->ops->close(b->x, on_closed, b);
		assert_int_equal(b->n_closed, 0);
		loop_run(b->loop);
		assert_int_equal(b->n_closed, 1);
	}
	loop_free(b->loop);
}

/* The loop does not end by itself while a session is open. */
static inline void stop_when_connected(void *ctx, const struct error *err)
{
	struct bench *b = ctx;

	on_connected(ctx, err);
	loop_stop(b->loop);
}

static inline void connect_now(struct bench *b)
{
	b->x = executor_new(b->loop, &b->host, lab);
	b->x->ops->connect(b->x, stop_when_connected, b);
	assert_int_equal(b->n_connected, 0);
	while (!b->n_connected)
		loop_run(b->loop);
	assert_int_equal(b->n_connected, 1);
}

static inline void expect_login(struct bench *b)
{
	connect_now(b);
	assert_string_equal(b->connect_error.text, "");
	assert_int_equal(b->connect_error.kind, ERROR_NONE);
}

static inline void stop_when_done(struct job *job)
{
	struct bench *b = job->ctx;

	b->n_done++;
	loop_stop(b->loop);
}

static inline void open_alpha(struct bench *b)
{
	begin(b);
	expect_login(b);
}

static inline void prepare(struct bench *b, struct job *job, const char *script)
{
	job_init(job);
	job->script = script;
	job->n_script = strlen(script);
	job->done = stop_when_done;
	job->ctx = b;
}

static inline void run(struct bench *b, struct job *job)
{
	int before = b->n_done;

	b->x->ops->start(b->x, job);
	assert_int_equal(b->n_done, before);
	while (b->n_done == before)
		loop_run(b->loop);
	assert_int_equal(b->n_done, before + 1);
}

static inline void expect_refusal(struct bench *b, const char *text)
{
	connect_now(b);
	if (b->connect_error.kind == ERROR_NONE ||
	    !strstr(b->connect_error.text, text))
		fail_msg("expected '%s' in '%s'", text,
			 b->connect_error.text);
	finish(b);
}

static inline char *lab_file(const char *name)
{
	return path_join(lab, name);
}

/* A program of tests over these servers; a hang is a failure. */
#define RUN_OVER_SSH(tests, start)              \
	(unsetenv("SSH_AUTH_SOCK"), alarm(300), \
	 cmocka_run_group_tests(tests, start, stop_lab))

#endif
