#include "tests/unit/script_host.h"

#include "orchestrate/exec/runner.h"

/* A run of several executions of the body. */
static void start_many(struct channel *c, uint32_t warmup, uint32_t repeats,
		       const char *body, double timeout)
{
	struct environment env = ENVIRONMENT_INIT;
	struct run_script run = { .place = CAMPAIGN, .token = c->token,
				  .env = &env, .body = body,
				  .timeout = timeout, .warmup = warmup,
				  .repeats = repeats };
	char own[20];

	snprintf(own, sizeof(own), "%d", (int)getpid());
	environment_set(&env, "own", own);
	/* what the runner itself goes by must not be touched by it */
	environment_set(&env, "repeat", "1");
	environment_set(&env, "t", "theirs");
	environment_set(&env, "k", "7");
	hash_random_hex(c->token, 16);
	send_script(c, &run);
	environment_release(&env);
	assert_int_equal(until(c, RESULT_READY), RESULT_READY);
	say(c, "go\n");
}

static void expect_part(struct channel *c, struct slice *rest, bool warmup,
			unsigned number, const char *text)
{
	struct execution part;

	assert_true(result_next_execution(&c->result, rest, &part));
	assert_int_equal(part.warmup, warmup);
	assert_int_equal(part.number, number);
	assert_slice(part.text, text);
}

static void expect_no_part(struct channel *c, struct slice *rest)
{
	struct execution part;

	assert_false(result_next_execution(&c->result, rest, &part));
}

static void warm_ups_and_repeats_follow_one_another(void **state)
{
	struct slice out, err;
	struct channel c;

	(void)state;
	start_many(&c, 1, 3, "printf %s \"$repeat $t\"; echo e$repeat >&2; "
		   "ls; >was.$repeat", 10);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(c.result.ended);
	assert_int_equal(c.result.exit_status, 0);
	assert_int_equal(c.result.execution, 3);
	assert_false(c.result.in_warmup);
	assert_true(c.result.duration >= 0 && c.result.duration < 5);
	out = c.result.out_head;
	/* all in one directory */
	expect_part(&c, &out, true, 1, "0 theirs");
	expect_part(&c, &out, false, 1, "1 theirswas.0\n");
	expect_part(&c, &out, false, 2, "2 theirswas.0\nwas.1\n");
	expect_part(&c, &out, false, 3, "3 theirswas.0\nwas.1\nwas.2\n");
	expect_no_part(&c, &out);
	err = c.result.err_head;
	expect_part(&c, &err, true, 1, "e0\n");
	expect_part(&c, &err, false, 1, "e1\n");
	expect_part(&c, &err, false, 2, "e2\n");
	expect_part(&c, &err, false, 3, "e3\n");
	forget(&c);
	assert_int_equal(left_over(), 0);
}

static void only_measured_executions_take_time(void **state)
{
	struct channel c;

	(void)state;
	start_many(&c, 1, 2, "case $repeat in 0) sleep 0.9 ;; "
			     "*) sleep 0.2 ;; esac", 10);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(c.result.duration >= 0.38);
	assert_true(c.result.duration < 0.88);
	forget(&c);
}

static void a_warm_up_that_fails_is_the_last(void **state)
{
	struct slice out;
	struct channel c;

	(void)state;
	start_many(&c, 2, 5, "echo out; exit 3", 10);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(c.result.ended);
	assert_int_equal(c.result.exit_status, 3);
	assert_int_equal(c.result.execution, 1);
	assert_true(c.result.in_warmup);
	/* nothing was measured */
	assert_false(c.result.duration >= 0);
	out = c.result.out_head;
	expect_part(&c, &out, true, 1, "out\n");
	expect_no_part(&c, &out);
	forget(&c);
}

static void a_repeat_that_fails_is_the_last(void **state)
{
	struct channel c;

	(void)state;
	start_many(&c, 0, 5, "[ $repeat -lt 3 ]", 10);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_int_equal(c.result.exit_status, 1);
	assert_int_equal(c.result.execution, 3);
	assert_false(c.result.in_warmup);
	forget(&c);
}

static void the_time_limit_is_of_each_execution(void **state)
{
	struct channel c;

	(void)state;
	start_many(&c, 1, 3, "sleep 0.7", 1);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_false(c.result.timed_out);
	assert_int_equal(c.result.exit_status, 0);
	assert_true(c.result.duration >= 2);
	forget(&c);
}

static void an_execution_past_its_limit_is_ended_and_the_last(void **state)
{
	struct channel c;

	(void)state;
	start_many(&c, 1, 3, "echo $repeat; [ $repeat -lt 2 ] || "
			     "{ setsid sleep 43281.$own & sleep 43282.$own; }",
		   1);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(c.result.ended);
	assert_true(c.result.timed_out);
	assert_int_equal(c.result.execution, 2);
	assert_false(c.result.in_warmup);
	assert_false(is_alive("43281"));
	assert_false(is_alive("43282"));
	forget(&c);
	assert_int_equal(left_over(), 0);
}

static void what_an_execution_leaves_running_is_ended_before_the_next(
	void **state)
{
	struct slice out;
	struct channel c;

	(void)state;
	/* the first one leaves a process that would speak in the second */
	start_many(&c, 0, 2,
		   "if [ $repeat = 1 ]; then\n"
		   "	mkfifo gate\n"
		   "	setsid sh -c 'read -r x <gate; echo late' &\n"
		   "	echo first\n"
		   "else\n"
		   "	exec 3<>gate\n"
		   "	echo >&3\n"
		   "	sleep 0.2\n"
		   "	echo second\n"
		   "fi", 10);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	out = c.result.out_head;
	expect_part(&c, &out, false, 1, "first\n");
	expect_part(&c, &out, false, 2, "second\n");
	forget(&c);
}

static void stopping_ends_all_executions(void **state)
{
	struct buf text = BUF_INIT;
	struct channel c, b;

	(void)state;
	start_many(&c, 2, 5, "echo on; sleep 43283.$own", 60);
	while (!is_alive("43283"))
		usleep(1000);
	script_stop(&text, CAMPAIGN, c.token);
	send_plain(&b, &text);
	assert_int_equal(channel_close(&b), 0);
	assert_int_equal(until(&c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(c.result.stopped);
	assert_int_equal(c.result.execution, 1);
	assert_true(c.result.in_warmup);
	assert_false(is_alive("43283"));
	forget(&c);
	buf_release(&text);
}

/* Each fork costs half a millisecond that the trivial run does not have. */
static void a_single_run_has_no_part_of_this(void **state)
{
	static const struct environment none = ENVIRONMENT_INIT;
	struct run_script run = { .env = &none, .body = "true",
				  .token = "t", .place = "p", .timeout = 1,
				  .repeats = 1 };
	struct buf text = BUF_INIT;

	(void)state;
	runner_text(&text, &run);
	assert_null(strstr(text.data, "execute"));
	assert_null(strstr(text.data, "sed "));
	assert_null(strstr(text.data, "input"));
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(warm_ups_and_repeats_follow_one_another),
		cmocka_unit_test(only_measured_executions_take_time),
		cmocka_unit_test(a_warm_up_that_fails_is_the_last),
		cmocka_unit_test(a_repeat_that_fails_is_the_last),
		cmocka_unit_test(the_time_limit_is_of_each_execution),
		cmocka_unit_test(
			an_execution_past_its_limit_is_ended_and_the_last),
		cmocka_unit_test(
			what_an_execution_leaves_running_is_ended_before_the_next),
		cmocka_unit_test(stopping_ends_all_executions),
		cmocka_unit_test(a_single_run_has_no_part_of_this),
	};

	return RUN_WITH_EACH_SHELL(tests);
}
