#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/spec/experiment.h"

static char host_name[] = "here";
static const struct host host = { .name = host_name, .local = true };

struct bench {
	struct loop *loop;
	struct executor *x;
	int n_connected, n_closed, n_done;
	enum error_kind connect_kind;
};

static void on_connected(void *ctx, const struct error *err)
{
	struct bench *b = ctx;

	b->n_connected++;
	b->connect_kind = err->kind;
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

static int set_up(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->loop = loop_new();
	b->x = executor_new(b->loop, &host, ".");
	b->x->ops->connect(b->x, on_connected, b);
	loop_run(b->loop);
	*state = b;
	return b->n_connected == 1 && b->connect_kind == ERROR_NONE ? 0 : -1;
}

static int tear_down(void **state)
{
	struct bench *b = *state;

	b->x->ops->close(b->x, on_closed, b);
	loop_run(b->loop);
	loop_free(b->loop);
	if (b->n_closed != 1)
		return -1;
	free(b);
	return 0;
}

static void prepare(struct bench *b, struct job *job, const char *script)
{
	job_init(job);
	job->script = script;
	job->n_script = strlen(script);
	job->done = on_done;
	job->ctx = b;
}

static void run(struct bench *b, struct job *job)
{
	b->x->ops->start(b->x, job);
	assert_int_equal(b->n_done, 0);
	loop_run(b->loop);
	assert_int_equal(b->n_done, 1);
}

static void a_script_has_its_output_error_and_status_kept_apart(void **state)
{
	struct bench *b = *state;
	struct job job;

	prepare(b, &job, "echo out; echo err >&2; exit 7\n");
	run(b, &job);
	assert_string_equal(job.out.data, "out\n");
	assert_string_equal(job.err.data, "err\n");
	assert_int_equal(job.exit_status, 7);
	assert_int_equal(job.error.kind, ERROR_NONE);
	assert_false(job.out_truncated || job.err_truncated || job.timed_out);
	job_release(&job);
}

static void death_by_a_signal_is_128_and_its_number(void **state)
{
	struct bench *b = *state;
	struct job job;

	prepare(b, &job, "kill -KILL $$\n");
	run(b, &job);
	assert_int_equal(job.exit_status, 128 + SIGKILL);
	assert_int_equal(job.error.kind, ERROR_NONE);
	job_release(&job);
}

static void output_over_the_limit_is_dropped_and_said(void **state)
{
	struct bench *b = *state;
	struct job job;

	prepare(b, &job, "head -c 3000000 /dev/zero; echo end >&2\n");
	job.limit = 1000;
	run(b, &job);
	assert_int_equal(job.out.n, 1000);
	assert_true(job.out_truncated);
	assert_false(job.err_truncated);
	assert_int_equal(job.out.data[999], '\0');
	assert_string_equal(job.err.data, "end\n");
	assert_int_equal(job.exit_status, 0);
	job_release(&job);
}

static void output_of_exactly_the_limit_is_whole(void **state)
{
	struct bench *b = *state;
	struct job job;

	prepare(b, &job, "printf abcd; printf abcd >&2; printf e >&2\n");
	job.limit = 4;
	run(b, &job);
	assert_string_equal(job.out.data, "abcd");
	assert_false(job.out_truncated);
	assert_string_equal(job.err.data, "abcd");
	assert_true(job.err_truncated);
	job_release(&job);
}

/* `n` lines that each print one line of 100 bytes */
static char *long_script(size_t n)
{
	static const char line[] =
		"echo aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n";
	char *script = malloc(n * (sizeof(line) - 1) + 1);

	for (size_t i = 0; i < n; i++)
		memcpy(script + i * (sizeof(line) - 1), line, sizeof(line));
	return script;
}

static void large_script_and_large_output_do_not_block_each_other(void **state)
{
	struct bench *b = *state;
	char *script = long_script(40000);
	struct job job;

	prepare(b, &job, script);
	run(b, &job);
	assert_int_equal(job.out.n, 4000000);
	assert_int_equal(job.exit_status, 0);
	job_release(&job);
	free(script);
}

static void a_script_may_end_before_it_is_read_to_its_end(void **state)
{
	struct bench *b = *state;
	char *script = long_script(40000);
	struct job job;

	memcpy(script, "exit 3  #", 9);
	prepare(b, &job, script);
	run(b, &job);
	assert_int_equal(job.exit_status, 3);
	assert_int_equal(job.error.kind, ERROR_NONE);
	job_release(&job);
	free(script);
}

static void bytes_of_any_value_pass_unchanged(void **state)
{
	static const char script[] = "cat <<'E'\na\377\001b\nE\nprintf '\\0x'\n";
	struct bench *b = *state;
	struct job job;

	prepare(b, &job, script);
	run(b, &job);
	assert_int_equal(job.out.n, 7);
	assert_memory_equal(job.out.data, "a\377\001b\n\0x", 7);
	job_release(&job);
}

static void write_when_ready(struct job *job)
{
	struct bench *b = job->ctx;

	if (job->out.n == 6)
		b->x->ops->write(b->x, job, "hello\n", 6);
	else
		b->x->ops->eof(b->x, job);
}

static void held_input_takes_more_until_its_end(void **state)
{
	struct bench *b = *state;
	struct job job;

	prepare(b, &job,
		"echo ready; read -r x; echo got $x; cat; echo over; exit\n");
	job.hold = true;
	job.on_output = write_when_ready;
	run(b, &job);
	assert_string_equal(job.out.data, "ready\ngot hello\nover\n");
	assert_int_equal(job.exit_status, 0);
	job_release(&job);
}

static void held_input_does_not_outlive_the_script(void **state)
{
	struct bench *b = *state;
	struct job job;

	prepare(b, &job, "exit 4\n");
	job.hold = true;
	run(b, &job);
	assert_int_equal(job.exit_status, 4);
	job_release(&job);
}

/* Gone, or a zombie that its new parent has yet to collect. */
static bool is_over(pid_t pid)
{
	char path[64], text[256] = "";
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	if (!f)
		return true;
	if (!fgets(text, sizeof(text), f))
		text[0] = '\0';
	fclose(f);
	return strstr(text, ") Z ") != NULL;
}

static void cancel_now(struct job *job)
{
	struct bench *b = job->ctx;

	b->x->ops->cancel(b->x, job);
	b->x->ops->cancel(b->x, job);
	assert_int_equal(b->n_done, 0);
}

static void cancel_kills_the_whole_process_group(void **state)
{
	struct bench *b = *state;
	struct job job;
	int64_t start = clock_monotonic_ns();
	pid_t inner;

	prepare(b, &job, "sleep 1000 & echo $!; wait\n");
	job.on_output = cancel_now;
	run(b, &job);
	assert_int_equal(job.error.kind, ERROR_ENVIRONMENT);
	assert_string_equal(job.error.text,
			    "here: the command was cancelled");
	assert_int_equal(job.exit_status, -1);
	assert_true(clock_monotonic_ns() - start < 4000000000);
	inner = (pid_t)atoi(job.out.data);
	assert_true(inner > 1);
	for (int i = 0; i < 5000 && !is_over(inner); i++)
		usleep(1000);
	assert_true(is_over(inner));
	job_release(&job);
}

static void a_deadline_ends_the_job_and_says_so(void **state)
{
	struct bench *b = *state;
	struct job job;

	prepare(b, &job, "echo before; sleep 1000\n");
	job.timeout = 0.3;
	run(b, &job);
	assert_true(job.timed_out);
	assert_int_equal(job.error.kind, ERROR_NONE);
	assert_int_equal(job.exit_status, -1);
	assert_string_equal(job.out.data, "before\n");
	job_release(&job);
}

static void a_deadline_that_is_met_leaves_no_trace(void **state)
{
	struct bench *b = *state;
	struct job job;
	int64_t start = clock_monotonic_ns();

	prepare(b, &job, "echo x\n");
	job.timeout = 60;
	run(b, &job);
	assert_false(job.timed_out);
	assert_int_equal(job.exit_status, 0);
	assert_true(clock_monotonic_ns() - start < 30000000000);
	job_release(&job);
}

static void two_jobs_run_at_once(void **state)
{
	struct bench *b = *state;
	char dir[] = "/tmp/assay-local.XXXXXX";
	char script[2][256];
	struct job jobs[2];

	/* each waits for the other at a named pipe */
	assert_non_null(mkdtemp(dir));
	snprintf(script[0], sizeof(script[0]),
		 "cd %s && mkfifo p && echo ping >p && echo sent\n", dir);
	snprintf(script[1], sizeof(script[1]),
		 "cd %s && until [ -p p ]; do :; done; cat p; rm p\n", dir);
	for (int i = 0; i < 2; i++) {
		prepare(b, &jobs[i], script[i]);
		b->x->ops->start(b->x, &jobs[i]);
	}
	loop_run(b->loop);
	assert_int_equal(b->n_done, 2);
	assert_string_equal(jobs[0].out.data, "sent\n");
	assert_string_equal(jobs[1].out.data, "ping\n");
	job_release(&jobs[0]);
	job_release(&jobs[1]);
	assert_int_equal(rmdir(dir), 0);
}

static void the_environment_is_a_login_like_one(void **state)
{
	struct bench *b;
	struct job job;

	setenv("ASSAY_TEST_LEAK", "1", 1);
	assert_int_equal(set_up(state), 0);
	b = *state;
	prepare(b, &job, "echo \"${ASSAY_TEST_LEAK-none}\"; "
			 "[ \"$PWD\" = \"$(cd; pwd)\" ] && command -v ls\n"
			 "echo to stderr >/dev/stderr\n"
			 "[ \"$(ps -o sid= $$)\" -eq $$ ] && echo leader\n");
	run(b, &job);
	assert_true(strncmp(job.out.data, "none\n/", 6) == 0);
	assert_non_null(strstr(job.out.data, "/ls\nleader\n"));
	assert_string_equal(job.err.data, "to stderr\n");
	job_release(&job);
	assert_int_equal(tear_down(state), 0);
	unsetenv("ASSAY_TEST_LEAK");
}

static void start_again(struct job *job)
{
	struct bench *b = job->ctx;

	if (++b->n_done < 3)
		b->x->ops->start(b->x, job);
}

static void a_job_may_be_started_again_when_done(void **state)
{
	struct bench *b = *state;
	struct job job;

	prepare(b, &job, "echo once\n");
	job.done = start_again;
	b->x->ops->start(b->x, &job);
	loop_run(b->loop);
	assert_int_equal(b->n_done, 3);
	assert_string_equal(job.out.data, "once\n");
	job_release(&job);
}

static void close_executor(struct job *job)
{
	struct bench *b = job->ctx;

	if (b->n_done++ == 0)
		b->x->ops->close(b->x, on_closed, b);
}

static void closing_ends_all_jobs_with_an_error(void **state)
{
	struct bench *b;
	struct job jobs[2];

	assert_int_equal(set_up(state), 0);
	b = *state;
	prepare(b, &jobs[0], "echo done\n");
	prepare(b, &jobs[1], "sleep 1000\n");
	jobs[0].done = close_executor;
	b->x->ops->start(b->x, &jobs[0]);
	b->x->ops->start(b->x, &jobs[1]);
	loop_run(b->loop);
	assert_int_equal(b->n_done, 2);
	assert_int_equal(b->n_closed, 1);
	assert_int_equal(jobs[0].error.kind, ERROR_NONE);
	assert_string_equal(jobs[1].error.text,
			    "here: the connection was closed");
	job_release(&jobs[0]);
	job_release(&jobs[1]);
	loop_free(b->loop);
	free(b);
}

static void closing_while_connecting_says_so(void **state)
{
	struct bench b = { .loop = loop_new() };

	(void)state;
	b.x = executor_new(b.loop, &host, ".");
	b.x->ops->connect(b.x, on_connected, &b);
	b.x->ops->close(b.x, on_closed, &b);
	loop_run(b.loop);
	assert_int_equal(b.n_connected, 1);
	assert_int_equal(b.connect_kind, ERROR_ENVIRONMENT);
	assert_int_equal(b.n_closed, 1);
	loop_free(b.loop);
}

static int count_fds(void)
{
	int n = 0;

	for (int fd = 0; fd < 1024; fd++)
		n += lseek(fd, 0, SEEK_CUR) != -1 || errno != EBADF;
	return n;
}

static void many_jobs_leave_no_descriptor_open(void **state)
{
	struct bench *b = *state;
	int before = 0;

	for (int i = 0; i <= 100; i++) {
		struct job job;

		prepare(b, &job, "exit 0\n");
		b->n_done = 0;
		run(b, &job);
		assert_int_equal(job.exit_status, 0);
		job_release(&job);
		/* the loop opens its own at the first */
		if (i == 0)
			before = count_fds();
	}
	assert_int_equal(count_fds(), before);
}

#define WITH_EXECUTOR(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_EXECUTOR(
			a_script_has_its_output_error_and_status_kept_apart),
		WITH_EXECUTOR(death_by_a_signal_is_128_and_its_number),
		WITH_EXECUTOR(output_over_the_limit_is_dropped_and_said),
		WITH_EXECUTOR(output_of_exactly_the_limit_is_whole),
		WITH_EXECUTOR(
			large_script_and_large_output_do_not_block_each_other),
		WITH_EXECUTOR(a_script_may_end_before_it_is_read_to_its_end),
		WITH_EXECUTOR(bytes_of_any_value_pass_unchanged),
		WITH_EXECUTOR(held_input_takes_more_until_its_end),
		WITH_EXECUTOR(held_input_does_not_outlive_the_script),
		WITH_EXECUTOR(cancel_kills_the_whole_process_group),
		WITH_EXECUTOR(a_deadline_ends_the_job_and_says_so),
		WITH_EXECUTOR(a_deadline_that_is_met_leaves_no_trace),
		WITH_EXECUTOR(two_jobs_run_at_once),
		cmocka_unit_test(the_environment_is_a_login_like_one),
		WITH_EXECUTOR(a_job_may_be_started_again_when_done),
		cmocka_unit_test(closing_ends_all_jobs_with_an_error),
		cmocka_unit_test(closing_while_connecting_says_so),
		WITH_EXECUTOR(many_jobs_leave_no_descriptor_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
