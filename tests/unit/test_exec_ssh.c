#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/spec/experiment.h"

/*
 * Real OpenSSH servers on loopback, started once by tests/lab/sshd.sh in a
 * directory of their own: alpha, and beta for what spoils a server.
 */
static char lab[] = "/tmp/assay-ssh.XXXXXX";
static bool have_lab;
static int port_alpha, port_beta;

static char name_alpha[] = "alpha";
static char loopback[] = "127.0.0.1";
static char client_key[] = "client_key";
static char known_hosts[] = "known_hosts";
static char ssh_config[] = "ssh_config";
static char alias[] = "assay-alpha";

struct bench {
	struct loop *loop;
	struct executor *x;
	struct host host;
	struct error connect_error;
	int n_connected, n_closed, n_done;
};

static int run_script(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
static int run_script(const char *format, ...)
{
	char command[1024];
	va_list ap;

	va_start(ap, format);
	vsnprintf(command, sizeof(command), format, ap);
	va_end(ap);
	return system(command);
}

static int read_port(const char *name)
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

static int start_lab(void **state)
{
	(void)state;
	if (system("{ command -v sshd || ls /usr/sbin/sshd; } >/dev/null "
		   "2>&1 && command -v ssh-keygen ssh >/dev/null"))
		return 0;
	if (!mkdtemp(lab))
		return -1;
	have_lab = true;
	/*
	 * A bash under sshd reads the user's ~/.bashrc, slow as that may be,
	 * unless it thinks it is an inner one. Beta asks every second whether
	 * we are still there, once.
	 */
	if (run_script("cd %s && mkdir alpha beta && "
		       "echo SetEnv SHLVL=2 >alpha/extra && "
		       "printf 'ClientAliveInterval 1\\nClientAliveCountMax "
		       "1\\n' >beta/extra",
		       lab) ||
	    run_script("tests/lab/sshd.sh start %s alpha beta", lab))
		return -1;
	port_alpha = read_port("alpha");
	port_beta = read_port("beta");
	return port_alpha && port_beta ? 0 : -1;
}

static int stop_lab(void **state)
{
	(void)state;
	if (!have_lab)
		return 0;
	run_script("tests/lab/sshd.sh stop %s; rm -rf %s", lab, lab);
	return 0;
}

static void on_connected(void *ctx, const struct error *err)
{
	struct bench *b = ctx;

	b->n_connected++;
	b->connect_error = *err;
}

static void on_closed(void *ctx)
{
	struct bench *b = ctx;

	b->n_closed++;
}

static void on_done(struct job *job)
{
	struct bench *b = job->ctx;

	b->n_done++;
}

static void begin(struct bench *b)
{
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

static void finish(struct bench *b)
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
static void stop_when_connected(void *ctx, const struct error *err)
{
	struct bench *b = ctx;

	on_connected(ctx, err);
	loop_stop(b->loop);
}

static void connect_now(struct bench *b)
{
	b->x = executor_new(b->loop, &b->host, lab);
	b->x->ops->connect(b->x, stop_when_connected, b);
	assert_int_equal(b->n_connected, 0);
	while (!b->n_connected)
		loop_run(b->loop);
	assert_int_equal(b->n_connected, 1);
}

static void stop_when_done(struct job *job)
{
	struct bench *b = job->ctx;

	b->n_done++;
	loop_stop(b->loop);
}

static void open_alpha(struct bench *b)
{
	begin(b);
	b->x = executor_new(b->loop, &b->host, lab);
	b->x->ops->connect(b->x, stop_when_connected, b);
	loop_run(b->loop);
	assert_string_equal(b->connect_error.text, "");
	assert_int_equal(b->connect_error.kind, ERROR_NONE);
	assert_int_equal(b->n_connected, 1);
}

static void prepare(struct bench *b, struct job *job, const char *script)
{
	job_init(job);
	job->script = script;
	job->n_script = strlen(script);
	job->done = stop_when_done;
	job->ctx = b;
}

static void run(struct bench *b, struct job *job)
{
	int before = b->n_done;

	b->x->ops->start(b->x, job);
	assert_int_equal(b->n_done, before);
	while (b->n_done == before)
		loop_run(b->loop);
	assert_int_equal(b->n_done, before + 1);
}

static void a_script_has_its_output_error_and_status_kept_apart(void **state)
{
	struct bench b;
	struct job job;

	(void)state;
	open_alpha(&b);
	prepare(&b, &job, "echo out; echo err >&2; exit 7\n");
	run(&b, &job);
	assert_string_equal(job.error.text, "");
	assert_string_equal(job.out.data, "out\n");
	assert_string_equal(job.err.data, "err\n");
	assert_int_equal(job.exit_status, 7);
	assert_int_equal(job.error.kind, ERROR_NONE);
	job_release(&job);
	finish(&b);
}

static void death_by_a_signal_is_128_and_its_number(void **state)
{
	struct bench b;
	struct job job;

	(void)state;
	open_alpha(&b);
	prepare(&b, &job, "kill -KILL $$\n");
	run(&b, &job);
	assert_int_equal(job.exit_status, 128 + SIGKILL);
	job_release(&job);
	prepare(&b, &job, "kill -TERM $$\n");
	run(&b, &job);
	assert_int_equal(job.exit_status, 128 + SIGTERM);
	job_release(&job);
	finish(&b);
}

static char *long_script(size_t n)
{
	static const char line[] =
		"echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n";
	char *script = mem_alloc(n * (sizeof(line) - 1) + 1);

	for (size_t i = 0; i < n; i++)
		memcpy(script + i * (sizeof(line) - 1), line, sizeof(line));
	return script;
}

static void large_script_and_large_output_do_not_block_each_other(void **state)
{
	struct bench b;
	char *script = long_script(100000);
	struct job job;

	(void)state;
	open_alpha(&b);
	prepare(&b, &job, script);
	run(&b, &job);
	assert_string_equal(job.error.text, "");
	assert_int_equal(job.out.n, 10000000);
	assert_false(job.out_truncated);
	assert_int_equal(job.exit_status, 0);
	job_release(&job);
	free(script);
	finish(&b);
}

static void a_flood_is_dropped_over_the_limit_and_said(void **state)
{
	struct bench b;
	struct job job;

	(void)state;
	open_alpha(&b);
	prepare(&b, &job, "head -c 50000000 /dev/zero; echo end >&2; exit 3\n");
	job.limit = 1 << 20;
	run(&b, &job);
	assert_int_equal(job.out.n, 1 << 20);
	assert_true(job.out_truncated);
	assert_string_equal(job.err.data, "end\n");
	assert_false(job.err_truncated);
	assert_int_equal(job.exit_status, 3);
	job_release(&job);
	finish(&b);
}

static void a_script_may_end_before_it_is_read_to_its_end(void **state)
{
	struct bench b;
	char *script = long_script(100000);
	struct job job;

	(void)state;
	open_alpha(&b);
	memcpy(script, "exit 3  #", 9);
	prepare(&b, &job, script);
	run(&b, &job);
	assert_string_equal(job.error.text, "");
	assert_int_equal(job.exit_status, 3);
	job_release(&job);
	free(script);
	finish(&b);
}

static void bytes_of_any_value_pass_unchanged(void **state)
{
	struct bench b;
	struct job job;

	(void)state;
	open_alpha(&b);
	prepare(&b, &job, "cat <<'E'\na\377\001b\nE\nprintf '\\0x'\n");
	run(&b, &job);
	assert_int_equal(job.out.n, 7);
	assert_memory_equal(job.out.data, "a\377\001b\n\0x", 7);
	job_release(&job);
	finish(&b);
}

static void write_when_ready(struct job *job)
{
	struct bench *b = job->ctx;

	if (job->out.n == 6) {
		b->x->ops->write(b->x, job, "hel", 3);
		b->x->ops->write(b->x, job, "lo\n", 3);
	} else {
		b->x->ops->eof(b->x, job);
	}
}

static void held_input_takes_more_until_its_end(void **state)
{
	struct bench b;
	struct job job;

	(void)state;
	open_alpha(&b);
	prepare(&b, &job,
		"echo ready; read -r x; echo got $x; cat; echo over; exit\n");
	job.hold = true;
	job.on_output = write_when_ready;
	run(&b, &job);
	assert_string_equal(job.out.data, "ready\ngot hello\nover\n");
	assert_int_equal(job.exit_status, 0);
	job_release(&job);
	finish(&b);
}

static void jobs_run_at_once_over_one_session(void **state)
{
	struct bench b;
	char script[2][256];
	struct job jobs[2];

	(void)state;
	open_alpha(&b);
	snprintf(script[0], sizeof(script[0]),
		 "cd %s && mkfifo p && echo ping >p && echo sent\n", lab);
	snprintf(script[1], sizeof(script[1]),
		 "cd %s && until [ -p p ]; do :; done; cat p; rm p\n", lab);
	for (int i = 0; i < 2; i++) {
		prepare(&b, &jobs[i], script[i]);
		b.x->ops->start(b.x, &jobs[i]);
	}
	while (b.n_done < 2)
		loop_run(b.loop);
	assert_string_equal(jobs[0].out.data, "sent\n");
	assert_string_equal(jobs[1].out.data, "ping\n");
	job_release(&jobs[0]);
	job_release(&jobs[1]);
	finish(&b);
}

/* So narrow that libssh2 can send a part of its packets only. */
static void narrow_socket(void)
{
	int size = 4096, found = 0;

	for (int fd = 0; fd < 1024; fd++) {
		struct sockaddr_in a;
		socklen_t n = sizeof(a);

		if (getpeername(fd, (struct sockaddr *)&a, &n) ||
		    a.sin_family != AF_INET ||
		    ntohs(a.sin_port) != port_alpha)
			continue;
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
		found++;
	}
	assert_int_equal(found, 1);
}

/* All the parts of the machine at once: inputs, floods, ends, errors. */
static void run_many_large_jobs(struct bench *b)
{
	enum { N = 9 }; /* MaxSessions is 10 */
	char *script = long_script(20000);
	struct job jobs[N];

	for (int i = 0; i < N; i++) {
		prepare(b, &jobs[i],
			i % 3 == 0   ? script
			: i % 3 == 1 ? "head -c 5000000 /dev/zero >&2\n"
				     : "echo small; exit 5\n");
		b->x->ops->start(b->x, &jobs[i]);
	}
	while (b->n_done < N)
		loop_run(b->loop);
	for (int i = 0; i < N; i++) {
		assert_string_equal(jobs[i].error.text, "");
		assert_int_equal(jobs[i].out.n, i % 3 == 0   ? 2000000
						: i % 3 == 1 ? 0
							     : 6);
		assert_int_equal(jobs[i].err.n, i % 3 == 1 ? 5000000 : 0);
		assert_int_equal(jobs[i].exit_status, i % 3 == 2 ? 5 : 0);
		job_release(&jobs[i]);
	}
	free(script);
}

static void many_large_jobs_at_once_do_not_disturb_each_other(void **state)
{
	struct bench b;

	(void)state;
	open_alpha(&b);
	run_many_large_jobs(&b);
	finish(&b);
}

static void a_narrow_socket_disturbs_no_job(void **state)
{
	struct bench b;

	(void)state;
	open_alpha(&b);
	narrow_socket();
	run_many_large_jobs(&b);
	finish(&b);
}

static void cancel_now(struct job *job)
{
	struct bench *b = job->ctx;

	b->x->ops->cancel(b->x, job);
	b->x->ops->cancel(b->x, job);
	assert_int_equal(b->n_done, 0);
}

static void a_cancelled_job_ends_at_once_and_leaves_the_session(void **state)
{
	struct bench b;
	struct job job;

	(void)state;
	open_alpha(&b);
	prepare(&b, &job, "echo started; sleep 2; echo never\n");
	job.on_output = cancel_now;
	run(&b, &job);
	assert_int_equal(job.error.kind, ERROR_ENVIRONMENT);
	assert_string_equal(job.error.text,
			    "alpha: the command was cancelled");
	assert_int_equal(job.exit_status, -1);
	job_release(&job);
	prepare(&b, &job, "echo next\n");
	run(&b, &job);
	assert_string_equal(job.out.data, "next\n");
	assert_int_equal(job.exit_status, 0);
	job_release(&job);
	finish(&b);
}

static void a_large_script_can_be_cancelled_while_it_is_sent(void **state)
{
	struct bench b;
	struct buf script = BUF_INIT;
	struct job job;

	(void)state;
	open_alpha(&b);
	buf_adds(&script, "echo started; sleep 1; exit\n");
	for (int i = 0; i < 300000; i++)
		buf_adds(&script, ": nothing that is ever read\n");
	prepare(&b, &job, script.data);
	job.on_output = cancel_now;
	run(&b, &job);
	assert_string_equal(job.error.text,
			    "alpha: the command was cancelled");
	buf_release(&script);
	job_release(&job);
	prepare(&b, &job, "echo next\n");
	run(&b, &job);
	assert_string_equal(job.out.data, "next\n");
	job_release(&job);
	finish(&b);
}

static void cancel_some(void *ctx)
{
	struct bench *b = ctx;

	loop_stop(b->loop);
}

/* At some moment of the sending, a packet is half out. */
static void a_narrow_socket_survives_cancelling_at_any_time(void **state)
{
	struct bench b;
	char *script = long_script(50000);
	struct job jobs[3];

	(void)state;
	open_alpha(&b);
	narrow_socket();
	for (int round = 0; round < 20; round++) {
		b.n_done = 0;
		for (int i = 0; i < 3; i++) {
			char *copy = mem_strdup(script);

			prepare(&b, &jobs[i], copy);
			b.x->ops->start(b.x, &jobs[i]);
		}
		timer_start(b.loop, 0.005 + round * 0.001, cancel_some, &b);
		loop_run(b.loop);
		for (int i = 0; i < 3; i++)
			b.x->ops->cancel(b.x, &jobs[i]);
		while (b.n_done < 3)
			loop_run(b.loop);
		for (int i = 0; i < 3; i++) {
			/* nothing of it may be read any more */
			free((char *)(uintptr_t)jobs[i].script);
			job_release(&jobs[i]);
		}
	}
	free(script);
	b.n_done = 0;
	prepare(&b, &jobs[0], "echo next\n");
	run(&b, &jobs[0]);
	assert_string_equal(jobs[0].error.text, "");
	assert_string_equal(jobs[0].out.data, "next\n");
	job_release(&jobs[0]);
	finish(&b);
}

/* The session breaks while a packet is half out. */
static void a_narrow_socket_may_break(void **state)
{
	struct bench b;
	char *script = long_script(50000);
	struct job jobs[2];

	(void)state;
	open_alpha(&b);
	narrow_socket();
	prepare(&b, &jobs[0], "sleep 0.2; kill -KILL $PPID\n");
	prepare(&b, &jobs[1], script);
	jobs[0].done = on_done;
	jobs[1].done = on_done;
	b.x->ops->start(b.x, &jobs[0]);
	b.x->ops->start(b.x, &jobs[1]);
	while (b.n_done < 1)
		uv_run(loop_uv(b.loop), UV_RUN_ONCE);
	while (b.n_done < 2)
		uv_run(loop_uv(b.loop), UV_RUN_ONCE);
	assert_int_equal(jobs[0].error.kind, ERROR_ENVIRONMENT);
	job_release(&jobs[0]);
	job_release(&jobs[1]);
	free(script);
	finish(&b);
}

static void a_queued_job_can_be_cancelled(void **state)
{
	struct bench b;
	struct job jobs[3];

	(void)state;
	open_alpha(&b);
	for (int i = 0; i < 3; i++) {
		prepare(&b, &jobs[i], "echo one\n");
		b.x->ops->start(b.x, &jobs[i]);
	}
	b.x->ops->cancel(b.x, &jobs[0]);
	b.x->ops->cancel(b.x, &jobs[1]);
	assert_int_equal(b.n_done, 0);
	while (b.n_done < 3)
		loop_run(b.loop);
	assert_int_equal(jobs[0].error.kind, ERROR_ENVIRONMENT);
	assert_int_equal(jobs[1].error.kind, ERROR_ENVIRONMENT);
	assert_string_equal(jobs[2].out.data, "one\n");
	for (int i = 0; i < 3; i++)
		job_release(&jobs[i]);
	finish(&b);
}

static void a_deadline_ends_the_job_and_says_so(void **state)
{
	struct bench b;
	struct job job;

	(void)state;
	open_alpha(&b);
	prepare(&b, &job, "echo before; sleep 3\n");
	job.timeout = 0.8;
	run(&b, &job);
	assert_true(job.timed_out);
	assert_int_equal(job.error.kind, ERROR_NONE);
	assert_int_equal(job.exit_status, -1);
	assert_string_equal(job.out.data, "before\n");
	job_release(&job);
	finish(&b);
}

static void an_endless_flood_does_not_keep_the_deadline_away(void **state)
{
	struct bench b;
	struct job job;

	(void)state;
	open_alpha(&b);
	prepare(&b, &job, "exec cat /dev/zero\n");
	job.limit = 10;
	job.timeout = 0.8;
	run(&b, &job);
	assert_true(job.timed_out);
	assert_int_equal(job.out.n, 10);
	job_release(&job);
	prepare(&b, &job, "echo next\n");
	run(&b, &job);
	assert_string_equal(job.out.data, "next\n");
	job_release(&job);
	finish(&b);
}

static void a_session_that_breaks_ends_all_jobs_with_an_error(void **state)
{
	struct bench b;
	struct job jobs[2], late;

	(void)state;
	open_alpha(&b);
	prepare(&b, &jobs[0], "echo waiting; sleep 5\n");
	/* the parent of sh is the sshd of this session */
	prepare(&b, &jobs[1], "echo here; kill -KILL $PPID; sleep 5\n");
	b.x->ops->start(b.x, &jobs[0]);
	b.x->ops->start(b.x, &jobs[1]);
	while (b.n_done < 2)
		loop_run(b.loop);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(jobs[i].error.kind, ERROR_ENVIRONMENT);
		assert_non_null(strstr(jobs[i].error.text,
				       "alpha: connection lost while running "
				       "a command: "));
		assert_int_equal(jobs[i].exit_status, -1);
	}
	prepare(&b, &late, "echo late\n");
	run(&b, &late);
	assert_non_null(strstr(late.error.text, "connection lost"));
	/* connecting anew makes a new session */
	b.x->ops->connect(b.x, stop_when_connected, &b);
	while (b.n_connected < 2)
		loop_run(b.loop);
	assert_string_equal(b.connect_error.text, "");
	run(&b, &late);
	assert_string_equal(late.out.data, "late\n");
	job_release(&jobs[0]);
	job_release(&jobs[1]);
	job_release(&late);
	finish(&b);
}

static void a_session_that_ends_while_idle_is_noticed(void **state)
{
	struct bench b;
	struct job job;

	(void)state;
	open_alpha(&b);
	prepare(&b, &job,
		"(sleep 0.3; kill -KILL $PPID) >/dev/null 2>&1 </dev/null &\n");
	run(&b, &job);
	assert_int_equal(job.exit_status, 0);
	/* ends when the socket's end has been seen: nothing is polled then */
	loop_run(b.loop);
	run(&b, &job);
	assert_non_null(strstr(job.error.text,
			       "alpha: connection lost while waiting for "
			       "work: "));
	job_release(&job);
	finish(&b);
}

static void close_executor(struct job *job)
{
	struct bench *b = job->ctx;

	if (b->n_done++ == 0)
		b->x->ops->close(b->x, on_closed, b);
}

static void closing_ends_all_jobs_with_an_error(void **state)
{
	struct bench b;
	struct job jobs[2];

	(void)state;
	open_alpha(&b);
	prepare(&b, &jobs[0], "echo done\n");
	prepare(&b, &jobs[1], "sleep 2\n");
	jobs[0].done = close_executor;
	jobs[1].done = on_done;
	b.x->ops->start(b.x, &jobs[0]);
	b.x->ops->start(b.x, &jobs[1]);
	loop_run(b.loop);
	assert_int_equal(b.n_done, 2);
	assert_int_equal(b.n_closed, 1);
	assert_int_equal(jobs[0].error.kind, ERROR_NONE);
	assert_string_equal(jobs[1].error.text,
			    "alpha: the connection was closed");
	job_release(&jobs[0]);
	job_release(&jobs[1]);
	loop_free(b.loop);
}

static void a_job_without_a_connection_is_told_so(void **state)
{
	struct bench b;
	struct job job;

	(void)state;
	begin(&b);
	b.x = executor_new(b.loop, &b.host, lab);
	prepare(&b, &job, "echo x\n");
	run(&b, &job);
	assert_string_equal(job.error.text, "alpha: not connected");
	job_release(&job);
	finish(&b);
}

static void closing_while_connecting_says_so(void **state)
{
	struct bench b;

	(void)state;
	begin(&b);
	b.x = executor_new(b.loop, &b.host, lab);
	b.x->ops->connect(b.x, on_connected, &b);
	finish(&b);
	assert_int_equal(b.n_connected, 1);
	assert_string_equal(b.connect_error.text,
			    "alpha: closed while connecting");
}

static int count_fds(void)
{
	int n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += lseek(fd, 0, SEEK_CUR) != -1 || errno != EBADF;
	return n;
}

static void many_jobs_over_one_session_leak_no_descriptor(void **state)
{
	struct bench b;
	int before;

	(void)state;
	open_alpha(&b);
	before = count_fds();
	for (int i = 0; i < 500; i++) {
		struct job job;
		char script[32], want[16];

		snprintf(script, sizeof(script), "echo %d\n", i);
		snprintf(want, sizeof(want), "%d\n", i);
		prepare(&b, &job, script);
		run(&b, &job);
		assert_string_equal(job.error.text, "");
		assert_string_equal(job.out.data, want);
		assert_int_equal(job.exit_status, 0);
		job_release(&job);
	}
	assert_int_equal(count_fds(), before);
	finish(&b);
}

/* While a command says nothing, nothing of ours wakes up. */
static void a_silent_command_costs_no_wakeup(void **state)
{
	struct bench b;
	struct rusage before, after;
	struct job job;

	(void)state;
	open_alpha(&b);
	prepare(&b, &job, "exit 0\n");
	job.timeout = 60;
	run(&b, &job);
	job_release(&job);
	prepare(&b, &job, "sleep 1\n");
	job.timeout = 60;
	getrusage(RUSAGE_SELF, &before);
	run(&b, &job);
	getrusage(RUSAGE_SELF, &after);
	/* opening, starting and ending take a handful of sleeps */
	assert_in_range(after.ru_nvcsw - before.ru_nvcsw, 1, 12);
	job_release(&job);
	finish(&b);
}

static void expect_refusal(struct bench *b, const char *text)
{
	connect_now(b);
	if (b->connect_error.kind == ERROR_NONE ||
	    !strstr(b->connect_error.text, text))
		fail_msg("expected '%s' in '%s'", text,
			 b->connect_error.text);
	finish(b);
}

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

static char *lab_file(const char *name)
{
	return path_join(lab, name);
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
		run_script("cd %s && { echo '# a comment'; printf "
			   "'[127.0.0.1]:%%s %%s\\n' %d \"$(cut -d' ' -f1,2 "
			   "beta/host_key.pub)\"; } >%s",
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
	expect_refusal(&b, "known_hosts.revoked line 3: do not use");
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
	b.x = executor_new(b.loop, &b.host, lab);
	b.x->ops->connect(b.x, stop_when_connected, &b);
	loop_run(b.loop);
	assert_string_equal(b.connect_error.text, "");
	finish(&b);
}

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
	b.x = executor_new(b.loop, &b.host, lab);
	b.x->ops->connect(b.x, stop_when_connected, &b);
	loop_run(b.loop);
	assert_string_equal(b.connect_error.text, "");
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
	b.x = executor_new(b.loop, &b.host, lab);
	b.x->ops->connect(b.x, stop_when_connected, &b);
	while (!b.n_connected)
		loop_run(b.loop);
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
	b.x = executor_new(b.loop, &b.host, lab);
	b.x->ops->connect(b.x, stop_when_connected, &b);
	while (!b.n_connected)
		loop_run(b.loop);
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

static void a_name_is_resolved_by_ssh_config(void **state)
{
	struct bench b;
	struct job job;

	(void)state;
	begin(&b);
	b.host = (struct host){ .name = name_alpha,
				.ssh = alias,
				.config = ssh_config };
	b.x = executor_new(b.loop, &b.host, lab);
	b.x->ops->connect(b.x, stop_when_connected, &b);
	while (!b.n_connected)
		loop_run(b.loop);
	assert_string_equal(b.connect_error.text, "");
	prepare(&b, &job, "echo through ssh_config\n");
	run(&b, &job);
	assert_string_equal(job.out.data, "through ssh_config\n");
	job_release(&job);
	finish(&b);
}

static void stop_loop(void *ctx)
{
	struct bench *b = ctx;

	loop_stop(b->loop);
}

static void open_beta(struct bench *b)
{
	b->host.port = port_beta;
	b->x = executor_new(b->loop, &b->host, lab);
	b->x->ops->connect(b->x, stop_when_connected, b);
	while (!b->n_connected)
		loop_run(b->loop);
	assert_string_equal(b->connect_error.text, "");
}

static void expect_echo(struct bench *b)
{
	struct job job;

	prepare(b, &job, "echo still here\n");
	run(b, &job);
	assert_string_equal(job.error.text, "");
	assert_string_equal(job.out.data, "still here\n");
	job_release(&job);
}

/*
 * The server hangs up on who does not answer within four seconds, before the
 * first job and after.
 */
static void questions_of_the_server_are_answered_while_idle(void **state)
{
	struct bench fresh, used;

	(void)state;
	begin(&fresh);
	used = fresh;
	open_beta(&fresh);
	open_beta(&used);
	expect_echo(&used);
	timer_start(fresh.loop, 4.6, stop_loop, &fresh);
	loop_run(fresh.loop);
	expect_echo(&fresh);
	expect_echo(&used);
	used.x->ops->close(used.x, NULL, NULL);
	finish(&fresh);
}

static void more_channels_than_sshd_allows_are_told(void **state)
{
	enum { N = 12, MAX = 10 };
	struct bench b;
	struct job jobs[N];
	int refused = 0;

	(void)state;
	open_alpha(&b);
	for (int i = 0; i < N; i++) {
		prepare(&b, &jobs[i], "cat; exit\n");
		jobs[i].hold = true;
		b.x->ops->start(b.x, &jobs[i]);
	}
	while (b.n_done < N - MAX)
		loop_run(b.loop);
	for (int i = 0; i < N; i++)
		b.x->ops->eof(b.x, &jobs[i]);
	while (b.n_done < N)
		loop_run(b.loop);
	for (int i = 0; i < N; i++) {
		refused += jobs[i].error.kind == ERROR_ENVIRONMENT &&
			   strstr(jobs[i].error.text, "MaxSessions");
		job_release(&jobs[i]);
	}
	assert_int_equal(refused, N - MAX);
	prepare(&b, &jobs[0], "echo next\n");
	run(&b, &jobs[0]);
	assert_string_equal(jobs[0].out.data, "next\n");
	job_release(&jobs[0]);
	finish(&b);
}

/* Closes after n turns of the loop, for every n until it is connected. */
static void closing_is_safe_in_every_phase_of_connecting(void **state)
{
	struct bench b;
	bool connected = false;
	int phases = 0;

	(void)state;
	for (int n = 0; !connected; n++) {
		begin(&b);
		b.x = executor_new(b.loop, &b.host, lab);
		b.x->ops->connect(b.x, on_connected, &b);
		for (int i = 0; i < n && !b.n_connected; i++)
			uv_run(loop_uv(b.loop), UV_RUN_ONCE);
		connected = b.n_connected;
		phases += !connected;
		finish(&b);
		assert_int_equal(b.n_connected, 1);
	}
	assert_in_range(phases, 5, 100);
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
		cmocka_unit_test(
			a_script_has_its_output_error_and_status_kept_apart),
		cmocka_unit_test(death_by_a_signal_is_128_and_its_number),
		cmocka_unit_test(
			large_script_and_large_output_do_not_block_each_other),
		cmocka_unit_test(a_flood_is_dropped_over_the_limit_and_said),
		cmocka_unit_test(a_script_may_end_before_it_is_read_to_its_end),
		cmocka_unit_test(bytes_of_any_value_pass_unchanged),
		cmocka_unit_test(held_input_takes_more_until_its_end),
		cmocka_unit_test(jobs_run_at_once_over_one_session),
		cmocka_unit_test(
			many_large_jobs_at_once_do_not_disturb_each_other),
		cmocka_unit_test(
			a_cancelled_job_ends_at_once_and_leaves_the_session),
		cmocka_unit_test(
			a_large_script_can_be_cancelled_while_it_is_sent),
		cmocka_unit_test(a_narrow_socket_disturbs_no_job),
		cmocka_unit_test(
			a_narrow_socket_survives_cancelling_at_any_time),
		cmocka_unit_test(a_narrow_socket_may_break),
		cmocka_unit_test(a_queued_job_can_be_cancelled),
		cmocka_unit_test(a_deadline_ends_the_job_and_says_so),
		cmocka_unit_test(
			an_endless_flood_does_not_keep_the_deadline_away),
		cmocka_unit_test(
			a_session_that_breaks_ends_all_jobs_with_an_error),
		cmocka_unit_test(a_session_that_ends_while_idle_is_noticed),
		cmocka_unit_test(closing_ends_all_jobs_with_an_error),
		cmocka_unit_test(a_job_without_a_connection_is_told_so),
		cmocka_unit_test(closing_while_connecting_says_so),
		cmocka_unit_test(
			many_jobs_over_one_session_leak_no_descriptor),
		cmocka_unit_test(a_silent_command_costs_no_wakeup),
		cmocka_unit_test(a_port_where_nobody_listens_is_refused),
		cmocka_unit_test(a_name_that_does_not_resolve_is_named),
		cmocka_unit_test(
			an_unknown_host_key_is_refused_with_the_way_out),
		cmocka_unit_test(
			a_changed_host_key_is_refused_with_file_and_line),
		cmocka_unit_test(a_revoked_host_key_is_refused),
		cmocka_unit_test(a_hashed_host_name_is_found),
		cmocka_unit_test(a_key_that_the_server_does_not_know_is_named),
		cmocka_unit_test(an_rsa_key_that_is_refused_says_why),
		cmocka_unit_test(keys_that_cannot_be_used_are_named),
		cmocka_unit_test(a_pem_key_logs_in),
		cmocka_unit_test(a_locked_key_logs_in_through_the_agent),
		cmocka_unit_test(an_agent_that_is_gone_is_named),
		cmocka_unit_test(too_many_keys_in_the_agent_are_told),
		cmocka_unit_test(without_any_key_it_is_said_how_to_give_one),
		cmocka_unit_test(a_name_is_resolved_by_ssh_config),
		cmocka_unit_test(
			questions_of_the_server_are_answered_while_idle),
		cmocka_unit_test(more_channels_than_sshd_allows_are_told),
		cmocka_unit_test(closing_is_safe_in_every_phase_of_connecting),
		cmocka_unit_test(a_server_that_hangs_up_is_told),
		cmocka_unit_test(a_server_that_speaks_another_protocol_is_told),
		cmocka_unit_test(a_server_that_says_nothing_is_given_up),
	};

	unsetenv("SSH_AUTH_SOCK");
	alarm(300); /* a hang is a failure */
	return cmocka_run_group_tests(tests, start_lab, stop_lab);
}
