#include "tests/unit/script_host.h"

static void nothing_starts_without_go(void **state)
{
	struct channel c;

	(void)state;
	hash_random_hex(c.token, 16);
	send_run(&c, "echo never >\"$OLDPWD/never\"", 10, NULL);
	assert_int_equal(until(&c, RESULT_READY), RESULT_READY);
	assert_int_equal(channel_close(&c), 0);
	assert_int_equal(left_over(), 0);
}

static void a_second_controller_collects_the_same_run(void **state)
{
	char *fifo = mem_printf("%s/gate", scratch);
	char *body = mem_printf("echo once >>%s/count; read x <%s; echo $x",
				scratch, fifo);
	char *count = mem_printf("%s/count", scratch);
	struct channel a, b, again;
	struct buf text = BUF_INIT;
	struct error err;
	FILE *gate;

	(void)state;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	start(&a, body, 10);
	/* the command waits; its controller dies */
	gate = fopen(fifo, "w");
	assert_int_equal(kill(-a.pid, SIGKILL), 0);
	channel_close(&a);
	/* the very same script attaches */
	memcpy(b.token, a.token, sizeof(b.token));
	send_run(&b, body, 10, NULL);
	fputs("open\n", gate);
	fclose(gate);
	assert_int_equal(until(&b, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_slice(b.result.out_head, "open\n");
	/* it dies too, and the directory stays */
	assert_int_equal(channel_close(&b), 0);
	assert_int_equal(left_over(), 1);
	memcpy(again.token, a.token, sizeof(again.token));
	script_collect(&text, CAMPAIGN, a.token);
	send_plain(&again, &text);
	assert_int_equal(until(&again, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(again.result.ended);
	assert_slice(again.result.out_head, "open\n");
	forget(&again);
	assert_int_equal(left_over(), 0);
	buf_clear(&text);
	assert_int_equal(path_read(count, 100, &text, &err), 0);
	assert_string_equal(text.data, "once\n");
	buf_release(&text);
	unlink(count);
	unlink(fifo);
	free(count);
	free(body);
	free(fifo);
}

static void a_run_that_never_was_is_none(void **state)
{
	struct buf text = BUF_INIT;
	struct channel c;

	(void)state;
	hash_random_hex(c.token, 16);
	script_collect(&text, CAMPAIGN, c.token);
	send_plain(&c, &text);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_NONE);
	assert_int_equal(channel_close(&c), 0);
	buf_release(&text);
}

static void a_killed_runner_is_noticed_and_its_command_ended(void **state)
{
	struct buf text = BUF_INIT;
	struct channel c, b;
	char command[300];

	(void)state;
	start(&c, "setsid sleep 43215.$own & sleep 432125.$own", 60);
	while (!is_alive("432125") || !is_alive("43215"))
		;
	/* the runner is the parent of the process in `pid` */
	snprintf(command, sizeof(command),
		 "read -r p <%s/cache/assay/" CAMPAIGN "/%s/pid; "
		 "read -r x x x runner x </proc/$p/stat; kill -KILL $runner",
		 scratch, c.token);
	assert_int_equal(system(command), 0);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_false(c.result.ended);
	assert_false(is_alive("432125"));
	assert_false(is_alive("43215"));
	assert_int_equal(channel_close(&c), 0);
	memcpy(b.token, c.token, sizeof(b.token));
	script_collect(&text, CAMPAIGN, c.token);
	send_plain(&b, &text);
	assert_int_equal(until(&b, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_false(b.result.ended);
	forget(&b);
	assert_int_equal(left_over(), 0);
	buf_release(&text);
}

static void a_timeout_kills_the_whole_tree(void **state)
{
	struct channel c;
	int64_t begun = clock_monotonic_ns();

	(void)state;
	start(&c, "echo before; (sleep 43221.$own; :) & "
		  "setsid sleep 43222.$own & " ASLEEP
		  "setsid env -i sleep 43223.$own >/dev/null 2>&1 & " ASLEEP
		  "trap '' TERM; sleep 43224.$own; sleep 43225.$own", 3);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(c.result.ended);
	assert_true(c.result.timed_out);
	assert_slice(c.result.out_head, "before\n");
	assert_false(is_alive("43221"));
	assert_false(is_alive("43222"));
	assert_false(is_alive("43224"));
	assert_false(is_alive("43225"));
	assert_true(clock_monotonic_ns() - begun < 10000000000);
	/* it left the group, and has neither our pipes nor our marker: the
	 * only kind that cannot be found */
	end_sleeper("43223");
	forget(&c);
	assert_int_equal(left_over(), 0);
}

static void a_timeout_asks_before_it_kills(void **state)
{
	struct channel c;
	int64_t begun = clock_monotonic_ns();

	(void)state;
	start(&c, "trap 'echo bye; exit' TERM; sleep 43226.$own & wait", 0.3);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(c.result.timed_out);
	assert_slice(c.result.out_head, "bye\n");
	/* sooner than KILL would have come */
	assert_true(clock_monotonic_ns() - begun < 2000000000);
	assert_false(is_alive("43226"));
	forget(&c);
}

static void leftovers_do_not_outlive_the_run(void **state)
{
	struct channel c;
	int64_t begun = clock_monotonic_ns();

	(void)state;
	start(&c, "sleep 43231.$own & " ASLEEP
		  "setsid sleep 43232.$own & " ASLEEP "echo done", 60);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(c.result.exit_status, 0);
	assert_false(c.result.timed_out);
	assert_slice(c.result.out_head, "done\n");
	assert_false(is_alive("43231"));
	assert_false(is_alive("43232"));
	assert_true(clock_monotonic_ns() - begun < 10000000000);
	forget(&c);
}

static void who_hides_with_our_output_is_let_go(void **state)
{
	struct channel c;

	(void)state;
	start(&c, "setsid env -i sleep 43241.$own & " ASLEEP "echo done", 60);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(c.result.exit_status, 0);
	assert_slice(c.result.out_head, "done\n");
	end_sleeper("43241");
	forget(&c);
}

static void stop_ends_a_running_command(void **state)
{
	struct buf text = BUF_INIT;
	struct channel c, stop;

	(void)state;
	start(&c, "sleep 43251.$own & sleep 43252.$own", 60);
	while (!is_alive("43251") || !is_alive("43252"))
		;
	script_stop(&text, CAMPAIGN, c.token);
	send_plain(&stop, &text);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(channel_close(&stop), 0);
	assert_true(c.result.stopped);
	assert_false(c.result.timed_out);
	assert_false(is_alive("43251"));
	assert_false(is_alive("43252"));
	forget(&c);
	assert_int_equal(left_over(), 0);
	buf_release(&text);
}

static void the_sweep_spares_what_runs(void **state)
{
	struct buf text = BUF_INIT;
	struct channel old, running, sweep;

	(void)state;
	start(&old, "echo 1", 10);
	assert_int_equal(until(&old, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(channel_close(&old), 0);
	start(&running, "sleep 43261.$own", 60);
	while (!is_alive("43261"))
		;
	assert_int_equal(left_over(), 2);
	script_sweep(&text, CAMPAIGN);
	send_plain(&sweep, &text);
	assert_int_equal(channel_close(&sweep), 0);
	assert_false(run_has(&old, NULL));
	assert_true(run_has(&running, "started"));
	buf_clear(&text);
	script_stop(&text, CAMPAIGN, running.token);
	send_plain(&sweep, &text);
	assert_int_equal(channel_close(&sweep), 0);
	assert_int_equal(until(&running, RESULT_COMPLETE), RESULT_COMPLETE);
	forget(&running);
	buf_release(&text);
}

/* Sent by a controller that died at once, it begins after the next one's
 * sweep. */
static void a_script_delivered_late_leaves_no_directory(void **state)
{
	struct buf text = BUF_INIT;
	struct channel late, sweep;
	char *top = mem_printf("%s/cache/assay", scratch);

	(void)state;
	script_sweep(&text, CAMPAIGN);
	send_plain(&sweep, &text);
	assert_int_equal(channel_close(&sweep), 0);
	hash_random_hex(late.token, 16);
	send_run(&late, "echo 1", 10, NULL);
	assert_int_equal(until(&late, RESULT_READY), RESULT_READY);
	assert_true(run_has(&late, "work"));
	assert_int_equal(channel_close(&late), 0);
	assert_false(path_exists(top));
	free(top);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_starts_without_go),
		cmocka_unit_test(a_second_controller_collects_the_same_run),
		cmocka_unit_test(a_run_that_never_was_is_none),
		cmocka_unit_test(
			a_killed_runner_is_noticed_and_its_command_ended),
		cmocka_unit_test(a_timeout_kills_the_whole_tree),
		cmocka_unit_test(a_timeout_asks_before_it_kills),
		cmocka_unit_test(leftovers_do_not_outlive_the_run),
		cmocka_unit_test(who_hides_with_our_output_is_let_go),
		cmocka_unit_test(stop_ends_a_running_command),
		cmocka_unit_test(the_sweep_spares_what_runs),
		cmocka_unit_test(a_script_delivered_late_leaves_no_directory),
	};

	return RUN_WITH_EACH_SHELL(tests);
}
