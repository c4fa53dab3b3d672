/* Jobs and sessions that end early: cancelled, closed, broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <uv.h>

#include <cmocka.h>

#include "base/buf.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "tests/unit/ssh_bench.h"

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

static void a_session_that_breaks_ends_all_jobs_with_an_error(void **state)
{
	struct bench b;
	struct job jobs[2], late;

	(void)state;
	open_alpha(&b);
	prepare(&b, &jobs[0], "echo waiting; sleep 5\n");
	/* the parent of sh is the sshd of this connection */
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_cancelled_job_ends_at_once_and_leaves_the_session),
		cmocka_unit_test(
			a_large_script_can_be_cancelled_while_it_is_sent),
		cmocka_unit_test(a_queued_job_can_be_cancelled),
		cmocka_unit_test(
			a_session_that_breaks_ends_all_jobs_with_an_error),
		cmocka_unit_test(a_session_that_ends_while_idle_is_noticed),
		cmocka_unit_test(closing_ends_all_jobs_with_an_error),
		cmocka_unit_test(a_job_without_a_connection_is_told_so),
		cmocka_unit_test(closing_while_connecting_says_so),
		cmocka_unit_test(closing_is_safe_in_every_phase_of_connecting),
	};

	return RUN_OVER_SSH(tests, start_alpha);
}
