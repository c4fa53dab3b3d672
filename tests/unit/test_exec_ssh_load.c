/*
 * Large scripts and outputs, many at once, and a socket that takes little.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <uv.h>

#include <cmocka.h>

#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "tests/unit/ssh_bench.h"

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

static void a_narrow_socket_disturbs_no_job(void **state)
{
	struct bench b;

	(void)state;
	open_alpha(&b);
	narrow_socket();
	run_many_large_jobs(&b);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			large_script_and_large_output_do_not_block_each_other),
		cmocka_unit_test(a_script_may_end_before_it_is_read_to_its_end),
		cmocka_unit_test(
			many_large_jobs_at_once_do_not_disturb_each_other),
		cmocka_unit_test(a_narrow_socket_disturbs_no_job),
		cmocka_unit_test(
			a_narrow_socket_survives_cancelling_at_any_time),
		cmocka_unit_test(a_narrow_socket_may_break),
	};

	return RUN_OVER_SSH(tests, start_alpha);
}
