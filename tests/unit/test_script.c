#include "tests/unit/script_host.h"

static void a_run_is_started_and_forgotten(void **state)
{
	struct channel c;
	int64_t before = clock_wall_ns();

	(void)state;
	start(&c, "echo out; echo err >&2; exit 3", 10);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(c.result.ended);
	assert_int_equal(c.result.exit_status, 3);
	assert_slice(c.result.out_head, "out\n");
	assert_slice(c.result.err_head, "err\n");
	assert_int_equal(c.result.out_tail.n, 0);
	assert_false(c.result.out_truncated);
	assert_false(c.result.timed_out);
	assert_false(c.result.stopped);
	assert_slice(c.result.trouble, "");
	/* file times are coarse: a tick before */
	assert_true(c.result.started > before - 20000000);
	assert_true(c.result.started < clock_wall_ns());
	assert_true(c.result.duration >= 0 && c.result.duration < 5);
	forget(&c);
	assert_int_equal(left_over(), 0);
}

static void a_script_cut_short_does_nothing(void **state)
{
	static const struct environment none = ENVIRONMENT_INIT;
	struct run_script run = { .place = CAMPAIGN, .env = &none,
				  .body = "echo 'a b'", .timeout = 5 };
	struct buf text = BUF_INIT;
	struct channel c;

	(void)state;
	hash_random_hex(c.token, 16);
	run.token = c.token;
	script_run(&text, &run);
	for (size_t n = 0; n < text.n - 1; n += n < text.n - 20 ? 331 : 1) {
		channel_open(&c);
		channel_write(&c, text.data, n);
		end_input(&c);
		/* "main" without its "; exit" is whole */
		if (n < text.n - sizeof("; exit"))
			assert_int_equal(until(&c, RESULT_READY),
					 RESULT_NOTHING);
		channel_close(&c);
		assert_int_equal(left_over(), 0);
	}
	buf_release(&text);
}

static void a_flood_is_cut_and_said_so(void **state)
{
	struct channel c;

	(void)state;
	start(&c, "echo first; head -c 30000000 /dev/zero; echo last; "
		  "head -c 1000000 /dev/zero | tr '\\0' e >&2", 60);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(c.result.ended);
	assert_int_equal(c.result.exit_status, 0);
	assert_true(c.result.out_truncated);
	assert_int_equal(c.result.out_head.n, SCRIPT_OUT_HEAD);
	assert_int_equal(c.result.out_tail.n, SCRIPT_TAIL);
	assert_memory_equal(c.result.out_head.data, "first\n\0\0", 8);
	assert_memory_equal(c.result.out_tail.data + SCRIPT_TAIL - 6, "\0last\n",
			    6);
	assert_true(c.result.err_truncated);
	assert_int_equal(c.result.err_head.n, SCRIPT_ERR_HEAD);
	forget(&c);
}

static void output_of_just_the_limit_is_whole(void **state)
{
	struct channel c;

	(void)state;
	start(&c, "head -c 1048576 /dev/zero", 60);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_false(c.result.out_truncated);
	assert_int_equal(c.result.out_head.n, SCRIPT_OUT_HEAD);
	forget(&c);
}

static void any_bytes_come_back(void **state)
{
	struct channel c;

	(void)state;
	hash_random_hex(c.token, 16);
	/* bytes that look like our own lines, too */
	send_run(&c, "printf '\\n\\0\\377assay %s end\\n' "
		     "\"$ASSAY_TOKEN\"", 10, NULL);
	assert_int_equal(until(&c, RESULT_READY), RESULT_READY);
	say(&c, "go\n");
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(c.result.out_head.n, 3 + 6 + 32 + 5);
	assert_memory_equal(c.result.out_head.data, "\n\0\377assay ", 9);
	forget(&c);
}

static void values_are_never_code(void **state)
{
	static const char odd[] = "a'b\"c`id`$(id)\\\n\n\xc3\xa4 \xff;*";
	struct environment env = ENVIRONMENT_INIT;
	struct channel c;

	(void)state;
	environment_set(&env, "odd", "replaced");
	environment_set(&env, "odd", odd);
	hash_random_hex(c.token, 16);
	send_run(&c, "printf %s \"$odd\"", 10, &env);
	assert_int_equal(until(&c, RESULT_READY), RESULT_READY);
	say(&c, "go\n");
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_slice(c.result.out_head, odd);
	forget(&c);
	environment_release(&env);
}

static void a_big_script_arrives_whole(void **state)
{
	struct buf body = BUF_INIT;
	struct channel c;

	(void)state;
	for (int i = 0; i < 40000; i++)
		buf_adds(&body, "# it's a long comment: 'quoted'\n");
	buf_adds(&body, "grep -c '' ../script; exit 7");
	start(&c, body.data, 20);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(c.result.exit_status, 7);
	assert_slice(c.result.out_head, "40001\n");
	forget(&c);
	buf_release(&body);
}

static void the_command_has_an_empty_standard_input(void **state)
{
	struct channel c;

	(void)state;
	start(&c, "cat; echo \"end $?\"; pwd", 10);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_memory_equal(c.result.out_head.data, "end 0\n", 6);
	assert_memory_equal(c.result.out_head.data + c.result.out_head.n - 6,
			    "/work\n", 6);
	forget(&c);
}

static void a_signal_shows_in_the_status(void **state)
{
	struct channel c;

	(void)state;
	start(&c, "kill -SEGV $$", 10);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(c.result.exit_status, 128 + SIGSEGV);
	forget(&c);
}

static void treatment_scripts_have_a_limit_and_no_input(void **state)
{
	struct environment env = ENVIRONMENT_INIT;
	struct buf text = BUF_INIT, revert = BUF_INIT;
	struct channel c;
	char own[20];

	(void)state;
	snprintf(own, sizeof(own), "%d", (int)getpid());
	environment_set(&env, "own", own);
	environment_set(&env, "level", "it's");
	script_treatment(&text, &env, "cat; echo \"$level $saved\"; exit 4", 5);
	script_with_saved(&revert, text.data, "a\n'b'");
	send_plain(&c, &revert);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_NOTHING);
	assert_string_equal(c.said.data, "it's a\n'b'\n");
	assert_int_equal(channel_close(&c), 4);
	buf_clear(&text);
	script_treatment(&text, &env, "sleep 43271.$own", 1);
	send_plain(&c, &text);
	assert_int_equal(channel_close(&c), 124);
	assert_false(is_alive("43271"));
	buf_clear(&text);
	script_check(&text, &env, "echo v; true", "echo s; exit 9", 5);
	send_plain(&c, &text);
	until(&c, RESULT_COMPLETE);
	assert_string_equal(c.said.data, "s\n");
	assert_int_equal(channel_close(&c), 0);
	buf_clear(&text);
	script_check(&text, &env, "exit 6", "echo s", 5);
	send_plain(&c, &text);
	until(&c, RESULT_COMPLETE);
	assert_string_equal(c.said.data, "");
	assert_int_equal(channel_close(&c), 6);
	buf_release(&text);
	buf_release(&revert);
	environment_release(&env);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_is_started_and_forgotten),
		cmocka_unit_test(a_script_cut_short_does_nothing),
		cmocka_unit_test(a_flood_is_cut_and_said_so),
		cmocka_unit_test(output_of_just_the_limit_is_whole),
		cmocka_unit_test(any_bytes_come_back),
		cmocka_unit_test(values_are_never_code),
		cmocka_unit_test(a_big_script_arrives_whole),
		cmocka_unit_test(the_command_has_an_empty_standard_input),
		cmocka_unit_test(a_signal_shows_in_the_status),
		cmocka_unit_test(treatment_scripts_have_a_limit_and_no_input),
	};

	return RUN_WITH_EACH_SHELL(tests);
}
