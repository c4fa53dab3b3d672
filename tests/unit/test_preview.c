#include "tests/unit/pool_lab.h"

#include "orchestrate/exec/attempt.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/extract.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/preview.h"
#include "orchestrate/exec/stack.h"

/*
 * A host that keeps what it is sent and answers as a host would: `save` prints
 * SAVED, a run gives a result.
 */
struct fake {
	struct executor base;
	char *scripts[32];
	size_t n;
	struct job *job;  /* of a treatment */
	struct job *run;
	char token[33];
};

static void end_job(void *ctx)
{
	struct fake *f = ctx;
	struct job *job = f->job;

	f->job = NULL;
	job->done(job);
}

static void end_run(void *ctx)
{
	struct fake *f = ctx;

	f->run->done(f->run);
}

static void tell_ready(void *ctx)
{
	struct fake *f = ctx;

	buf_addf(&f->run->out, "\nassay %s ready\n", f->token);
	f->run->on_output(f->run);
}

static void fake_start(struct executor *x, struct job *job)
{
	struct fake *f = (struct fake *)x;
	const char *token = strstr(job->script, "\tt=");

	assert_true(f->n < 32);
	f->scripts[f->n++] = mem_strdup(job->script);
	if (job->hold) {
		f->run = job;
		assert_non_null(token);
		memcpy(f->token, token + 3, 32);
		timer_start(x->loop, 0, tell_ready, f);
		return;
	}
	f->job = job;
	job->exit_status = 0;
	buf_adds(&job->out, "SAVED\n");
	timer_start(x->loop, 0, end_job, f);
}

static void fake_write(struct executor *x, struct job *job, const void *data,
		       size_t n)
{
	static const char meta[] = "exit 0\nuptime 1.00 2.00\nend\n";
	struct fake *f = (struct fake *)x;

	if (n != 3 || memcmp(data, "go\n", 3) != 0)
		return;
	buf_addf(&job->out, "\nassay %s result\nmeta %zu 1.0\nout 2 1.0\n\n"
		 "%s1\n\nassay %s end\n", f->token, strlen(meta), meta,
		 f->token);
	job->on_output(job);
}

static void fake_eof(struct executor *x, struct job *job)
{
	struct fake *f = (struct fake *)x;

	job->exit_status = 0;
	timer_start(x->loop, 0, end_run, f);
}

static const struct executor_ops fake_ops = {
	.name = "fake",
	.start = fake_start,
	.write = fake_write,
	.eof = fake_eof,
};

struct test {
	struct lab lab;
	struct fake fake;
	struct stack *stack;
	enum outcome outcome;
	char reason[200];
	enum stack_verdict verdict;
};

static const char box[] =
	"treatment: box\n"
	"doc: something to enter\n"
	"apply: mkdir -p \"$lab/$level\"\n"
	"verify: '[ -d \"$lab/$level\" ]'\n"
	"revert: rmdir \"$lab/$level\"\n"
	"enter: sh -s\n";

static void add_box(const char *dir)
{
	char *file = mem_printf("%s/treatments/box.yaml", dir);
	struct error err;

	assert_int_equal(path_write(file, box, strlen(box), &err), 0);
	free(file);
}

static void test_init(struct test *t)
{
	struct stack_options o;

	memset(t, 0, sizeof(*t));
	lab_before_load = add_box;
	lab_init(&t->lab,
		 "factors:\n"
		 "  place: {use: setting, levels: [a], file: @/place}\n"
		 "  box: {use: box, levels: [wood]}\n"
		 "  size: [\"it's\"]\n"
		 "setups:\n"
		 "  data: {per: [box, size], run: 'touch \"$lab/data\"', "
		 "clean: 'rm -f \"$lab/data\"'}\n"
		 "benchmarks:\n  b:\n    run: 'echo \"$size\"'\n"
		 "    repeats: 1\n"
		 "    responses: {r: {regex: '[0-9]'}}\n");
	t->fake.base.ops = &fake_ops;
	t->fake.base.loop = loop_new();
	t->fake.base.host = &t->lab.e.hosts[0];
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
	for (size_t i = 0; i < t->fake.n; i++)
		free(t->fake.scripts[i]);
	stack_free(t->stack);
	loop_free(t->fake.base.loop);
	lab_release(&t->lab);
}

static void on_reverted(void *ctx, enum stack_verdict verdict,
			const struct error *err)
{
	struct test *t = ctx;

	(void)err;
	t->verdict = verdict;
}

static void on_ended(void *ctx, const struct attempt_report *report)
{
	struct test *t = ctx;

	t->outcome = report->outcome;
	snprintf(t->reason, sizeof(t->reason), "%s",
		 report->reason ? report->reason : "");
}

static void make_run(struct test *t)
{
	struct error err;
	struct extractor *one[] = {
		extractor_new(EXTRACT_REGEX, "[0-9]", &err) };
	struct extractor *const *all[] = { one };
	struct attempt_options o = {
		.executor = &t->fake.base,
		.stack = t->stack,
		.store = t->lab.store,
		.campaign = t->lab.campaign.id,
		.session = t->lab.session,
		.place = PREVIEW_CAMPAIGN,
		.experiment = &t->lab.e,
		.schedule = &t->lab.schedule,
		.extractors = all,
		.done = on_ended,
		.ctx = t,
	};

	attempt_start(&o, 0);
	loop_run(t->fake.base.loop);
	assert_string_equal(t->reason, "");
	assert_int_equal(t->outcome, OUTCOME_OK);
	stack_revert(t->stack, on_reverted, t);
	loop_run(t->fake.base.loop);
	assert_int_equal(t->verdict, STACK_OK);
	extractor_free(one[0]);
}

/* The script with the token of this run as in a preview. */
static void add_received(struct buf *out, const struct fake *f, size_t i)
{
	const char *s = f->scripts[i], *at;

	while (f->token[0] && (at = strstr(s, f->token))) {
		buf_add(out, s, (size_t)(at - s));
		buf_adds(out, PREVIEW_TOKEN);
		s = at + 32;
	}
	buf_adds(out, s);
	buf_addc(out, '\n');
}

static void a_preview_is_what_a_run_sends(void **state)
{
	static const char *const headers[] = {
		"save place=a", "apply place=a", "verify place=a",
		"apply box=wood", "verify box=wood",
		"apply data=box=wood,size=it's",
		"verify data=box=wood,size=it's",
		"run b/box=wood,place=a,size=it's#1",
		"verify again place=a", "verify again box=wood",
		"verify again data=box=wood,size=it's",
		"revert data=box=wood,size=it's", "revert box=wood",
		"revert place=a",
		"save, to compare with the first, place=a",
	};
	const size_t n = sizeof(headers) / sizeof(*headers);
	struct buf text = BUF_INIT, wanted = BUF_INIT;
	struct error err;
	struct test t;

	(void)state;
	test_init(&t);
	make_run(&t);
	assert_int_equal(t.fake.n, n);
	buf_adds(&wanted, "# What is sent to the host when nothing is in "
		 "effect yet. In place of what is\n# known only then: "
		 "CAMPAIGN (the campaign's directory), TOKEN (the\n# run's), "
		 "SAVED (what save printed).\n");
	for (size_t i = 0; i < n; i++) {
		buf_addf(&wanted, "# host here: %s\n", headers[i]);
		add_received(&wanted, &t.fake, i);
	}
	assert_int_equal(preview_run(&text, &t.lab.e, &t.lab.schedule, 0,
				     &err), 0);
	assert_string_equal(text.data, wanted.data);
	buf_release(&text);
	buf_release(&wanted);
	test_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_preview_is_what_a_run_sends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
