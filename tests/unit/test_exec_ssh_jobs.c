/* Scripts over one session: output, limits, deadlines, what they cost. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "tests/unit/ssh_bench.h"

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

static void stop_loop(void *ctx)
{
	struct bench *b = ctx;

	loop_stop(b->loop);
}

static void open_beta(struct bench *b)
{
	b->host.port = port_beta;
	expect_login(b);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_script_has_its_output_error_and_status_kept_apart),
		cmocka_unit_test(death_by_a_signal_is_128_and_its_number),
		cmocka_unit_test(a_flood_is_dropped_over_the_limit_and_said),
		cmocka_unit_test(bytes_of_any_value_pass_unchanged),
		cmocka_unit_test(held_input_takes_more_until_its_end),
		cmocka_unit_test(jobs_run_at_once_over_one_session),
		cmocka_unit_test(a_deadline_ends_the_job_and_says_so),
		cmocka_unit_test(
			an_endless_flood_does_not_keep_the_deadline_away),
		cmocka_unit_test(many_jobs_over_one_session_leak_no_descriptor),
		cmocka_unit_test(a_silent_command_costs_no_wakeup),
		cmocka_unit_test(
			questions_of_the_server_are_answered_while_idle),
		cmocka_unit_test(more_channels_than_sshd_allows_are_told),
	};

	return RUN_OVER_SSH(tests, start_alpha_and_beta);
}
