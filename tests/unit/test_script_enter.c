#include "tests/unit/script_host.h"

/* Inside and outside differ by a variable that only the environments say. */
struct inside {
	struct environment env, outer, inner;
	struct script_enter steps[2];
	struct run_script run;
	struct channel c;
};

static void inside_init(struct inside *x, const char *body)
{
	char own[20];

	memset(x, 0, sizeof(*x));
	snprintf(own, sizeof(own), "%d", (int)getpid());
	environment_set(&x->env, "own", own);
	environment_set(&x->env, "repeat", "1");
	environment_set(&x->env, "where", "body");
	environment_set(&x->outer, "where", "it's \"outer\"");
	environment_set(&x->inner, "where", "inner");
	x->steps[0].env = &x->outer;
	x->steps[0].body = "echo \"enter $where\"; sh -s";
	x->steps[1].env = &x->inner;
	x->steps[1].body = "echo 'then' \"$where\"; sh -s";
	x->run = (struct run_script){
		.place = CAMPAIGN,
		.token = x->c.token,
		.env = &x->env,
		.body = body,
		.timeout = 10,
		.enter = x->steps,
		.n_enter = 1,
		.repeats = 1,
	};
}

static void make(struct inside *x)
{
	hash_random_hex(x->c.token, 16);
	send_script(&x->c, &x->run);
	assert_int_equal(until(&x->c, RESULT_READY), RESULT_READY);
	say(&x->c, "go\n");
	assert_int_equal(until(&x->c, RESULT_COMPLETE), RESULT_COMPLETE);
	assert_true(x->c.result.ended);
}

static void inside_release(struct inside *x)
{
	forget(&x->c);
	assert_int_equal(left_over(), 0);
	environment_release(&x->env);
	environment_release(&x->outer);
	environment_release(&x->inner);
}

static void the_body_is_executed_inside(void **state)
{
	struct inside x;

	(void)state;
	inside_init(&x, "echo \"body $where $repeat\"; echo err >&2; exit 3");
	make(&x);
	assert_slice(x.c.result.out_head,
		     "enter it's \"outer\"\nbody body 1\n");
	assert_slice(x.c.result.err_head, "err\n");
	assert_int_equal(x.c.result.exit_status, 3);
	assert_int_equal(x.c.result.execution, 0);
	inside_release(&x);
}

static void several_are_entered_outermost_first(void **state)
{
	struct inside x;

	(void)state;
	inside_init(&x, "echo 'it'\"'s\" \"body $where\"; exit 4");
	x.run.n_enter = 2;
	make(&x);
	assert_slice(x.c.result.out_head, "enter it's \"outer\"\nthen inner\n"
		     "it's body body\n");
	assert_int_equal(x.c.result.exit_status, 4);
	inside_release(&x);
}

static void the_body_has_an_empty_standard_input_inside_too(void **state)
{
	struct inside x;

	(void)state;
	inside_init(&x, "cat; echo \"end $?\"");
	x.run.n_enter = 2;
	make(&x);
	assert_slice(x.c.result.out_head, "enter it's \"outer\"\nthen inner\n"
		     "end 0\n");
	inside_release(&x);
}

static void values_are_never_code_inside(void **state)
{
	static const char odd[] = "a'b\"c`id`$(id)\\\n\n\xc3\xa4 \xff;*";
	struct inside x;

	(void)state;
	inside_init(&x, "printf %s \"$odd\"");
	environment_set(&x.env, "odd", odd);
	x.steps[0].body = x.steps[1].body = "sh -s";
	x.run.n_enter = 2;
	make(&x);
	assert_slice(x.c.result.out_head, odd);
	inside_release(&x);
}

/* One that no argument of a program could hold. */
static void a_big_body_gets_inside(void **state)
{
	struct buf body = BUF_INIT;
	struct inside x;

	(void)state;
	for (int i = 0; i < 10000; i++)
		buf_adds(&body, "# it's a long comment: 'quoted'\n");
	buf_adds(&body, "cat; echo \"$where\"; exit 7");
	inside_init(&x, body.data);
	x.run.n_enter = 2;
	make(&x);
	assert_slice(x.c.result.out_head, "enter it's \"outer\"\nthen inner\n"
		     "body\n");
	assert_int_equal(x.c.result.exit_status, 7);
	inside_release(&x);
	buf_release(&body);
}

static void an_enter_script_that_fails_fails_the_run(void **state)
{
	struct inside x;

	(void)state;
	inside_init(&x, "echo never");
	x.steps[0].body = "echo no such container >&2; exit 125";
	make(&x);
	assert_slice(x.c.result.out_head, "");
	assert_slice(x.c.result.err_head, "no such container\n");
	assert_int_equal(x.c.result.exit_status, 125);
	inside_release(&x);
}

static void each_execution_enters_anew(void **state)
{
	struct slice rest;
	struct execution part;
	struct inside x;

	(void)state;
	inside_init(&x, "echo \"$repeat\"");
	x.run.n_enter = 2;
	x.run.warmup = 1;
	x.run.repeats = 2;
	make(&x);
	rest = x.c.result.out_head;
	for (int i = 0; i < 3; i++) {
		char *wanted = mem_printf("enter it's \"outer\"\nthen inner\n"
					  "%d\n", i);

		assert_true(result_next_execution(&x.c.result, &rest, &part));
		assert_int_equal(part.warmup, i == 0);
		assert_slice(part.text, wanted);
		free(wanted);
	}
	assert_false(result_next_execution(&x.c.result, &rest, &part));
	inside_release(&x);
}

/* As in a container: what is inside has no part of the environment outside, and
 * belongs to another session. */
static void what_is_inside_is_ended_at_the_time_limit(void **state)
{
	struct inside x;

	(void)state;
	inside_init(&x, "sleep 43291.$own & sleep 43292.$own");
	x.steps[0].body = "env -i PATH=\"$PATH\" setsid -w sh -s";
	x.run.timeout = 1;
	make(&x);
	assert_true(x.c.result.timed_out);
	assert_false(is_alive("43291"));
	assert_false(is_alive("43292"));
	inside_release(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_body_is_executed_inside),
		cmocka_unit_test(several_are_entered_outermost_first),
		cmocka_unit_test(
			the_body_has_an_empty_standard_input_inside_too),
		cmocka_unit_test(values_are_never_code_inside),
		cmocka_unit_test(a_big_body_gets_inside),
		cmocka_unit_test(an_enter_script_that_fails_fails_the_run),
		cmocka_unit_test(each_execution_enters_anew),
		cmocka_unit_test(what_is_inside_is_ended_at_the_time_limit),
	};

	return RUN_WITH_EACH_SHELL(tests);
}
