#include "tests/unit/pool_lab.h"

#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/stack.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/treatment_def.h"

/*
 * A stack of five layers over an executor that only writes down what it is
 * sent:
 *
 *	place     every level by one definition
 *	build     a set-up for each compiler, which is a variable only
 *	platform  native: a variable only; docker, lxc: a definition each
 *	image     a set-up for each compiler and platform
 *	mode      every level by one definition
 *
 * Scripts say "echo @STEP WHAT@"; after "=" the log has the level.
 */
struct fake {
	struct executor base;
	struct buf log;
	const char *fail;
	struct job *job;
};

enum { PLACE, COMPILER, PLATFORM, MODE };
enum { NATIVE, DOCKER, LXC, PODMAN };

static void note(struct buf *out, const char *script)
{
	const char *at = strchr(script, '@');
	const char *level = strstr(script, "export level='");

	assert_non_null(at);
	buf_add(out, at + 1, strcspn(at + 1, "@"));
	if (out->data[out->n - 1] == '=')
		buf_addc(out, level[strlen("export level='")]);
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
	struct fake *f = (struct fake *)x;
	struct buf step = BUF_INIT;

	note(&step, job->script);
	buf_addf(&f->log, "%s\n", step.data);
	job->exit_status = f->fail && strcmp(f->fail, step.data) == 0;
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

/* A definition without `save`. */
static struct treatment_def *definition(const char *name)
{
	struct treatment_def *d = mem_zalloc(1, sizeof(*d));

	d->name = mem_strdup(name);
	d->file = mem_strdup("made.yaml");
	d->doc = mem_strdup("");
	d->apply = mem_printf("echo @apply %s@", name);
	d->verify = mem_printf("echo @check %s@", name);
	d->revert = mem_printf("echo @revert %s@", name);
	d->timeout = 5;
	return d;
}

static void add_setup(struct setup *s, const char *name, size_t n_per)
{
	s->name = mem_strdup(name);
	s->per = mem_zalloc(n_per, sizeof(*s->per));
	for (size_t i = 0; i < n_per; i++)
		s->per[s->n_per++] = COMPILER + i;
	s->treatment.def = definition(name);
}

static void make_layers(struct experiment *e)
{
	struct level_use *levels = e->uses[PLATFORM].levels;

	e->uses[PLACE].treatment.def = definition("place=");
	e->uses[MODE].treatment.def = definition("mode=");
	if (!levels)
		levels = mem_zalloc(4, sizeof(*levels));
	e->uses[PLATFORM].levels = levels;
	levels[DOCKER].treatment.def = definition("docker");
	levels[LXC].treatment.def = definition("lxc");
	e->setups = mem_zalloc(2, sizeof(*e->setups));
	e->n_setups = 2;
	add_setup(&e->setups[0], "build", 1);
	add_setup(&e->setups[1], "image", 2);
	layers_build(e);
	assert_int_equal(e->n_layers, 5);
}

static void test_init(struct test *t)
{
	struct stack_options o;

	memset(t, 0, sizeof(*t));
	lab_init(&t->lab,
		 "factors:\n"
		 "  place: [a, b]\n"
		 "  compiler: [gcc, clang]\n"
		 "  platform: [native, docker, lxc, podman]\n"
		 "  mode: [x, y]\n"
		 "benchmarks:\n  b:\n    run: 'echo 1'\n"
		 "    responses: {r: {regex: '[0-9]'}}\n");
	make_layers(&t->lab.e);
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

static enum stack_verdict apply(struct test *t, size_t place, size_t compiler,
				size_t platform, size_t mode)
{
	size_t levels[] = { place, compiler, platform, mode };

	buf_clear(&t->fake.log);
	stack_apply(t->stack, 0, levels, on_done, t);
	loop_run(t->fake.base.loop);
	return t->verdict;
}

static enum stack_verdict revert(struct test *t)
{
	buf_clear(&t->fake.log);
	stack_revert(t->stack, on_done, t);
	loop_run(t->fake.base.loop);
	return t->verdict;
}

/* Without the checks of what is kept: each layer is checked before a run. */
static void expect_changes(struct test *t, const char *text)
{
	struct buf changes = BUF_INIT;

	for (const char *s = t->fake.log.data; *s;) {
		size_t n = strcspn(s, "\n") + 1;

		if (strncmp(s, "check", 5) != 0)
			buf_add(&changes, s, n);
		s += n;
	}
	assert_string_equal(changes.data, text);
	buf_release(&changes);
}

static void every_layer_is_checked_after_it_is_applied(void **state)
{
	struct test t;

	(void)state;
	test_init(&t);
	assert_int_equal(apply(&t, 0, 0, DOCKER, 0), STACK_OK);
	assert_string_equal(t.fake.log.data,
			    "apply place=a\ncheck place=a\n"
			    "apply build\ncheck build\n"
			    "apply docker\ncheck docker\n"
			    "apply image\ncheck image\n"
			    "apply mode=x\ncheck mode=x\n");
	assert_int_equal(stack_height(t.stack), 5);
	assert_int_equal(lab_pending(&t.lab), 5);
	assert_int_equal(revert(&t), STACK_OK);
	assert_string_equal(t.fake.log.data,
			    "revert mode=x\nrevert image\nrevert docker\n"
			    "revert build\nrevert place=a\n");
	assert_int_equal(lab_pending(&t.lab), 0);
	test_release(&t);
}

static void a_level_is_put_back_by_its_own_definition(void **state)
{
	struct test t;

	(void)state;
	test_init(&t);
	assert_int_equal(apply(&t, 0, 0, DOCKER, 0), STACK_OK);
	assert_int_equal(apply(&t, 0, 0, LXC, 0), STACK_OK);
	expect_changes(&t, "revert mode=x\nrevert image\nrevert docker\n"
			   "apply lxc\napply image\napply mode=x\n");
	/* a level without a definition is a variable */
	assert_int_equal(apply(&t, 0, 0, NATIVE, 0), STACK_OK);
	expect_changes(&t, "revert mode=x\nrevert image\nrevert lxc\n"
			   "apply image\napply mode=x\n");
	/* from one variable to another: what stands above may have used it */
	assert_int_equal(apply(&t, 0, 0, PODMAN, 0), STACK_OK);
	expect_changes(&t, "revert mode=x\nrevert image\n"
			   "apply image\napply mode=x\n");
	test_release(&t);
}

static void an_absent_factor_is_passed_over(void **state)
{
	struct test t;

	(void)state;
	test_init(&t);
	assert_int_equal(apply(&t, DESIGN_ABSENT, 0, DESIGN_ABSENT, 0),
			 STACK_OK);
	expect_changes(&t, "apply build\napply image\napply mode=x\n");
	/* what comes beneath takes off what is there */
	assert_int_equal(apply(&t, 1, 0, DESIGN_ABSENT, 0), STACK_OK);
	expect_changes(&t, "revert mode=x\nrevert image\nrevert build\n"
			   "apply place=b\napply build\napply image\n"
			   "apply mode=x\n");
	assert_int_equal(apply(&t, 1, 0, DESIGN_ABSENT, DESIGN_ABSENT),
			 STACK_OK);
	expect_changes(&t, "revert mode=x\n");
	assert_int_equal(apply(&t, DESIGN_ABSENT, 0, DESIGN_ABSENT,
			       DESIGN_ABSENT), STACK_OK);
	expect_changes(&t, "revert image\nrevert build\nrevert place=b\n"
			   "apply build\napply image\n");
	test_release(&t);
}

static void a_set_up_is_made_once_for_the_levels_it_names(void **state)
{
	struct test t;

	(void)state;
	test_init(&t);
	assert_int_equal(apply(&t, 0, 0, NATIVE, 0), STACK_OK);
	assert_int_equal(apply(&t, 0, 0, NATIVE, 1), STACK_OK);
	expect_changes(&t, "revert mode=x\napply mode=y\n");
	assert_int_equal(apply(&t, 0, 0, DOCKER, 1), STACK_OK);
	expect_changes(&t, "revert mode=y\nrevert image\napply docker\n"
			   "apply image\napply mode=y\n");
	/* the variable it is named by */
	assert_int_equal(apply(&t, 0, 1, DOCKER, 1), STACK_OK);
	expect_changes(&t, "revert mode=y\nrevert image\nrevert docker\n"
			   "revert build\napply build\napply docker\n"
			   "apply image\napply mode=y\n");
	test_release(&t);
}

static void a_set_up_that_fails_is_cleaned_and_named(void **state)
{
	struct test t;

	(void)state;
	test_init(&t);
	t.fake.fail = "apply image";
	assert_int_equal(apply(&t, 0, 1, LXC, 0), STACK_FAILED);
	assert_string_equal(t.err.text, "image=compiler=clang,platform=lxc: "
			    "apply failed (exit 1)");
	expect_changes(&t, "apply place=a\napply build\napply lxc\n"
			   "apply image\nrevert image\n");
	assert_int_equal(stack_height(t.stack), 3);
	/* it is lost: made again before the next run */
	t.fake.fail = "check build";
	assert_int_equal(apply(&t, 0, 1, LXC, 0), STACK_FAILED);
	assert_string_equal(t.err.text, "build=compiler=clang: verify after "
			    "apply failed (exit 1)");
	expect_changes(&t, "revert lxc\nrevert build\napply build\n"
			   "revert build\n");
	test_release(&t);
}

/* What an earlier controller left is taken over only if it is just that. */
static void what_is_in_effect_is_adopted_layer_by_layer(void **state)
{
	size_t other[] = { 0, 1, DOCKER, DESIGN_ABSENT };
	size_t levels[] = { 0, 0, DOCKER, DESIGN_ABSENT };
	struct saved_state *states;
	struct error err;
	struct test t;
	size_t n;

	(void)state;
	test_init(&t);
	assert_int_equal(apply(&t, 0, 0, DOCKER, DESIGN_ABSENT), STACK_OK);
	assert_int_equal(store_state_pending(t.lab.store, NULL, &states, &n,
					     &err), 0);
	assert_int_equal(n, 4);
	assert_string_equal(states[0].factor, "image");
	assert_string_equal(states[0].level,
			    "compiler=gcc,platform=docker");
	assert_string_equal(states[2].level, "compiler=gcc");
	assert_false(stack_adopt(t.stack, states, n, other));
	assert_false(stack_adopt(t.stack, states + 1, n - 1, levels));
	assert_true(stack_adopt(t.stack, states, n, levels));
	assert_int_equal(revert(&t), STACK_OK);
	expect_changes(&t, "revert image\nrevert docker\nrevert build\n"
			   "revert place=a\n");
	assert_int_equal(lab_pending(&t.lab), 0);
	saved_states_free(states, n);
	test_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_layer_is_checked_after_it_is_applied),
		cmocka_unit_test(a_level_is_put_back_by_its_own_definition),
		cmocka_unit_test(an_absent_factor_is_passed_over),
		cmocka_unit_test(a_set_up_is_made_once_for_the_levels_it_names),
		cmocka_unit_test(a_set_up_that_fails_is_cleaned_and_named),
		cmocka_unit_test(what_is_in_effect_is_adopted_layer_by_layer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
