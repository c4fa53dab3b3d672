#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/clock.h"
#include "orchestrate/exec/loop.h"

struct note {
	struct loop *loop;
	struct timer *other;
	int order[4];
	int n;
	int count;
};

static void note_one(void *ctx)
{
	struct note *note = ctx;

	note->order[note->n++] = 1;
}

static void note_two(void *ctx)
{
	struct note *note = ctx;

	note->order[note->n++] = 2;
}

static void timers_fire_in_the_order_of_their_times(void **state)
{
	struct loop *l = loop_new();
	struct note note = { 0 };
	int64_t start = clock_monotonic_ns();

	(void)state;
	timer_start(l, 0.02, note_two, &note);
	timer_start(l, 0.01, note_one, &note);
	loop_run(l);
	assert_int_equal(note.n, 2);
	assert_int_equal(note.order[0], 1);
	assert_int_equal(note.order[1], 2);
	assert_true(clock_monotonic_ns() - start >= 20000000);
	loop_free(l);
}

static void a_cancelled_timer_never_fires(void **state)
{
	struct loop *l = loop_new();
	struct note note = { 0 };

	(void)state;
	timer_cancel(timer_start(l, 0, note_one, &note));
	timer_cancel(NULL);
	loop_run(l);
	assert_int_equal(note.n, 0);
	loop_free(l);
}

static void cancel_other(void *ctx)
{
	struct note *note = ctx;

	note->n++;
	timer_cancel(note->other);
}

static void a_timer_may_cancel_itself_while_it_fires(void **state)
{
	struct loop *l = loop_new();
	struct note note = { 0 };

	(void)state;
	note.other = timer_start(l, 0, cancel_other, &note);
	loop_run(l);
	assert_int_equal(note.n, 1);
	loop_free(l);
}

static void a_loop_with_timers_left_can_be_freed(void **state)
{
	struct loop *l = loop_new();
	struct note note = { 0 };

	(void)state;
	timer_start(l, 3600, note_one, &note);
	loop_free(l);
	loop_free(NULL);
	assert_int_equal(note.n, 0);
}

static void odd_durations_fire_at_once(void **state)
{
	struct loop *l = loop_new();
	struct note note = { 0 };

	(void)state;
	timer_start(l, -1, note_one, &note);
	timer_start(l, __builtin_nan(""), note_two, &note);
	loop_run(l);
	assert_int_equal(note.n, 2);
	loop_free(l);
}

static void stop_loop(void *ctx)
{
	struct note *note = ctx;

	note->n++;
	loop_stop(note->loop);
}

static void stop_leaves_the_rest_for_the_next_run(void **state)
{
	struct note note = { .loop = loop_new() };

	(void)state;
	timer_start(note.loop, 0, stop_loop, &note);
	timer_start(note.loop, 0.01, note_two, &note);
	loop_run(note.loop);
	assert_int_equal(note.n, 1);
	loop_run(note.loop);
	assert_int_equal(note.n, 2);
	loop_free(note.loop);
}

static void on_interrupt(void *ctx, int count)
{
	struct note *note = ctx;

	note->count = count;
	note->n++;
	if (count == 1) {
		kill(getpid(), SIGTERM);
	} else if (count == 2) {
		kill(getpid(), SIGINT);
	} else {
		timer_cancel(note->other);
		loop_on_interrupt(note->loop, NULL, NULL);
	}
}

static void interrupts_of_both_kinds_are_counted(void **state)
{
	struct note note = { .loop = loop_new() };

	(void)state;
	loop_on_interrupt(note.loop, on_interrupt, &note);
	/* keeps the loop alive, as a running job does */
	note.other = timer_start(note.loop, 30, note_one, &note);
	kill(getpid(), SIGINT);
	loop_run(note.loop);
	assert_int_equal(note.count, 3);
	assert_int_equal(note.n, 3);
	loop_free(note.loop);
}

static void stop_counting(void *ctx)
{
	struct note *note = ctx;

	loop_stop(note->loop);
}

static void count_hangup(void *ctx, int count)
{
	struct note *note = ctx;

	note->count = count;
	note->order[note->n++ % 4] = count;
	if (note->n == 1) {
		kill(getpid(), SIGHUP);
		kill(getpid(), SIGTERM);
	}
}

static int count_after_a_hangup(void)
{
	struct note note = { .loop = loop_new() };

	loop_on_interrupt(note.loop, count_hangup, &note);
	kill(getpid(), SIGHUP);
	timer_start(note.loop, 0.05, stop_counting, &note);
	loop_run(note.loop);
	loop_on_interrupt(note.loop, NULL, NULL);
	loop_free(note.loop);
	return note.count;
}

static void a_closed_terminal_interrupts_once(void **state)
{
	(void)state;
	signal(SIGHUP, SIG_DFL);
	assert_int_equal(count_after_a_hangup(), 2);
}

static void a_hangup_that_is_ignored_stays_so(void **state)
{
	(void)state;
	signal(SIGHUP, SIG_IGN);
	assert_int_equal(count_after_a_hangup(), 0);
	signal(SIGHUP, SIG_DFL);
}

static void watching_for_interrupts_does_not_keep_the_loop_alive(void **state)
{
	struct note note = { .loop = loop_new() };

	(void)state;
	loop_on_interrupt(note.loop, on_interrupt, &note);
	loop_run(note.loop);
	loop_on_interrupt(note.loop, NULL, NULL);
	loop_on_interrupt(note.loop, on_interrupt, &note);
	loop_run(note.loop);
	assert_int_equal(note.n, 0);
	loop_free(note.loop);
}

static void a_broken_pipe_does_not_end_the_program(void **state)
{
	struct loop *l = loop_new();
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	close(fds[0]);
	assert_int_equal(write(fds[1], "x", 1), -1);
	close(fds[1]);
	loop_free(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timers_fire_in_the_order_of_their_times),
		cmocka_unit_test(a_cancelled_timer_never_fires),
		cmocka_unit_test(a_timer_may_cancel_itself_while_it_fires),
		cmocka_unit_test(a_loop_with_timers_left_can_be_freed),
		cmocka_unit_test(odd_durations_fire_at_once),
		cmocka_unit_test(stop_leaves_the_rest_for_the_next_run),
		cmocka_unit_test(interrupts_of_both_kinds_are_counted),
		cmocka_unit_test(a_closed_terminal_interrupts_once),
		cmocka_unit_test(a_hangup_that_is_ignored_stays_so),
		cmocka_unit_test(
			watching_for_interrupts_does_not_keep_the_loop_alive),
		cmocka_unit_test(a_broken_pipe_does_not_end_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
