#include "tests/unit/pool_lab.h"

#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/stack.h"

/*
 * An executor that runs nothing: it writes down what it is sent, answers with
 * success, and fails, or loses the host, when told to.
 */
struct fake {
	struct executor base;
	struct buf log;
	size_t n_jobs;
	size_t lose_at;       /* the nth job is never answered */
	const char *fail;     /* the step that fails, as the log has it */
	const char *fail_too;
	const char *saved;    /* what `save` prints; may be NULL */
	struct job *job;
};

static struct fake *fake_of(struct executor *x)
{
	return (struct fake *)x;
}

/* 'a' out of "export level='a'" */
static void note(struct buf *out, const char *script)
{
	static const char *const steps[] = { "save", "apply", "revert" };
	const char *factor = strstr(script, "export place=") ?
			     (strstr(script, "export mode=") ? "mode" :
							       "place") :
			     "mode";
	const char *level = strstr(script, "export level='") + 14;
	const char *step = "check";

	for (size_t i = 0; i < 3; i++) {
		char *echo = mem_printf("echo \"%s $", steps[i]);

		if (strstr(script, echo))
			step = steps[i];
		free(echo);
	}
	buf_addf(out, "%s %s=%c", step, factor, *level);
}

static void answer(void *ctx)
{
	struct fake *f = ctx;
	struct job *job = f->job;

	f->job = NULL;
	job->done(job);
}

static void fake_start(struct executor *x, struct job *job)
{
	struct fake *f = fake_of(x);
	struct buf step = BUF_INIT;

	note(&step, job->script);
	buf_addf(&f->log, "%s\n", step.data);
	job->exit_status =
		(f->fail && strcmp(f->fail, step.data) == 0) ||
		(f->fail_too && strcmp(f->fail_too, step.data) == 0);
	if (f->saved && strncmp(step.data, "save", 4) == 0)
		buf_adds(&job->out, f->saved);
	if (++f->n_jobs == f->lose_at)
		error_set(&job->error, ERROR_ENVIRONMENT, "here: line lost");
	buf_release(&step);
	f->job = job;
	timer_start(x->loop, 0, answer, f);
}

static const struct executor_ops fake_ops = {
	.name = "fake",
	.start = fake_start,
};

struct test {
	struct lab lab;
	struct fake fake;
	struct stack *stack;
	enum stack_verdict verdict;
	struct error err;
};

static void test_init(struct test *t)
{
	struct stack_options o;

	lab_init(&t->lab,
		 "factors:\n"
		 "  place: {use: setting, levels: [a, b], file: /p}\n"
		 "  plain: [1, 2]\n"
		 "  mode: {use: setting, levels: [x, y], file: /m}\n"
		 "benchmarks:\n  b:\n    run: 'echo 1'\n"
		 "    responses: {r: {regex: '[0-9]'}}\n");
	memset(&t->fake, 0, sizeof(t->fake));
	t->fake.base.ops = &fake_ops;
	t->fake.base.loop = loop_new();
	t->fake.base.host = &t->lab.e.hosts[0];
	buf_init(&t->fake.log);
	o = (struct stack_options){
		.executor = &t->fake.base,
		.store = t->lab.store,
		.experiment = &t->lab.e,
		.campaign = t->lab.campaign.id,
		.target = "{}",
	};
	t->stack = stack_new(&o);
}

static void test_release(struct test *t)
{
	stack_free(t->stack);
	loop_free(t->fake.base.loop);
	buf_release(&t->fake.log);
	lab_release(&t->lab);
}

static void on_done(void *ctx, enum stack_verdict verdict,
		    const struct error *err)
{
	struct test *t = ctx;

	t->verdict = verdict;
	t->err = *err;
}

static enum stack_verdict apply(struct test *t, size_t place, size_t plain,
				size_t mode)
{
	size_t levels[] = { place, plain, mode };

	buf_clear(&t->fake.log);
	stack_apply(t->stack, 0, levels, on_done, t);
	loop_run(t->fake.base.loop);
	return t->verdict;
}

static void expect_log(struct test *t, const char *text)
{
	assert_string_equal(t->fake.log.data, text);
}

static void only_what_differs_is_changed(void **state)
{
	struct test t;

	(void)state;
	test_init(&t);
	assert_int_equal(apply(&t, 0, 0, 0), STACK_OK);
	expect_log(&t, "save place=a\napply place=a\ncheck place=a\n"
		   "save mode=x\napply mode=x\ncheck mode=x\n");
	/* a plain factor is no setting of the host */
	assert_int_equal(apply(&t, 0, 1, 0), STACK_OK);
	expect_log(&t, "check place=a\ncheck mode=x\n");
	/* the top alone */
	assert_int_equal(apply(&t, 0, 1, 1), STACK_OK);
	expect_log(&t, "revert mode=x\nsave mode=x\ncheck place=a\n"
		   "save mode=y\napply mode=y\ncheck mode=y\n");
	/* what stands on top of what differs goes first */
	assert_int_equal(apply(&t, 1, 1, 1), STACK_OK);
	expect_log(&t, "revert mode=y\nsave mode=y\n"
		   "revert place=a\nsave place=a\n"
		   "save place=b\napply place=b\ncheck place=b\n"
		   "save mode=y\napply mode=y\ncheck mode=y\n");
	buf_clear(&t.fake.log);
	stack_revert(t.stack, on_done, &t);
	loop_run(t.fake.base.loop);
	assert_int_equal(t.verdict, STACK_OK);
	expect_log(&t, "revert mode=y\nsave mode=y\n"
		   "revert place=b\nsave place=b\n");
	assert_int_equal(lab_pending(&t.lab), 0);
	test_release(&t);
}

static void a_failing_top_is_put_back_and_the_rest_stays(void **state)
{
	struct test t;

	(void)state;
	test_init(&t);
	t.fake.fail = "apply mode=x";
	assert_int_equal(apply(&t, 0, 0, 0), STACK_FAILED);
	assert_string_equal(t.err.text, "mode=x: apply failed (exit 1)");
	expect_log(&t, "save place=a\napply place=a\ncheck place=a\n"
		   "save mode=x\napply mode=x\nrevert mode=x\n"
		   "save mode=x\n");
	assert_int_equal(stack_height(t.stack), 1);
	t.fake.fail = "check mode=x";
	assert_int_equal(apply(&t, 0, 0, 0), STACK_FAILED);
	assert_string_equal(t.err.text,
			    "mode=x: verify after apply failed (exit 1)");
	t.fake.fail = "save mode=x";
	assert_int_equal(apply(&t, 0, 0, 0), STACK_FAILED);
	expect_log(&t, "check place=a\nsave mode=x\n");
	assert_int_equal(lab_pending(&t.lab), 1);
	test_release(&t);
}

static void what_cannot_be_put_back_breaks_the_host(void **state)
{
	struct test t;

	(void)state;
	test_init(&t);
	assert_int_equal(apply(&t, 0, 0, 0), STACK_OK);
	t.fake.fail = "revert mode=x";
	assert_int_equal(apply(&t, 1, 0, 0), STACK_BROKEN);
	assert_string_equal(t.err.text, "mode=x: revert failed (exit 1)");
	assert_int_equal(lab_pending(&t.lab), 2);
	test_release(&t);
}

static void a_setting_that_failed_and_stays_is_the_runs_fault(void **state)
{
	struct test t;

	(void)state;
	test_init(&t);
	t.fake.fail = "apply mode=x";
	t.fake.fail_too = "revert mode=x";
	assert_int_equal(apply(&t, 0, 0, 0), STACK_FAILED_BROKEN);
	assert_string_equal(t.err.text, "mode=x: apply failed (exit 1): "
			    "mode=x: revert failed (exit 1)");
	assert_int_equal(lab_pending(&t.lab), 2);
	test_release(&t);
}

static void a_revert_that_changes_nothing_is_noticed(void **state)
{
	struct test t;

	(void)state;
	test_init(&t);
	t.fake.saved = "as found\n\n";
	assert_int_equal(apply(&t, 0, 0, 0), STACK_OK);
	/* newlines at the end are no part of it */
	t.fake.saved = "as found";
	assert_int_equal(apply(&t, 0, 0, 1), STACK_OK);
	t.fake.saved = "as found?";
	assert_int_equal(apply(&t, 0, 0, 0), STACK_BROKEN);
	assert_string_equal(t.err.text, "mode=y: revert did not bring back the "
			    "saved state (\"as found\" is now \"as "
			    "found?\")");
	expect_log(&t, "revert mode=y\nsave mode=y\n");
	assert_int_equal(lab_pending(&t.lab), 2);
	t.fake.fail = "save mode=y";
	assert_int_equal(apply(&t, 0, 0, 0), STACK_BROKEN);
	assert_string_equal(t.err.text, "mode=y: revert did not bring back the "
			    "saved state (save after it: exit 1)");
	assert_int_equal(lab_pending(&t.lab), 2);
	test_release(&t);
}

/* Wherever the line breaks: what `apply` may have changed is in the store. */
static void a_lost_host_leaves_all_in_the_store(void **state)
{
	enum stack_verdict verdict = STACK_LOST;

	(void)state;
	for (size_t at = 1; verdict == STACK_LOST; at++) {
		struct test t;
		size_t applied = 0;

		test_init(&t);
		t.fake.lose_at = at;
		verdict = apply(&t, 0, 0, 0);
		for (char *s = t.fake.log.data; (s = strstr(s, "apply")); s++)
			applied++;
		assert_int_equal(lab_pending(&t.lab), applied);
		if (verdict == STACK_LOST)
			assert_string_equal(t.err.text, "here: line lost");
		else
			assert_int_equal(at, 7);
		test_release(&t);
	}
	assert_int_equal(verdict, STACK_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_differs_is_changed),
		cmocka_unit_test(a_failing_top_is_put_back_and_the_rest_stays),
		cmocka_unit_test(what_cannot_be_put_back_breaks_the_host),
		cmocka_unit_test(
			a_setting_that_failed_and_stays_is_the_runs_fault),
		cmocka_unit_test(a_revert_that_changes_nothing_is_noticed),
		cmocka_unit_test(a_lost_host_leaves_all_in_the_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
