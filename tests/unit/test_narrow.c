#include "tests/unit/plan_fixture.h"

#include "orchestrate/schedule/narrow.h"

static void push(struct strlist *l, const char *const *texts)
{
	for (; texts && *texts; texts++)
		strlist_push(l, *texts);
}

static int parse(struct narrowing *n, const struct fixture *x,
		 const char *const *only, const char *const *skip,
		 struct error *err)
{
	struct strlist a = STRLIST_INIT, b = STRLIST_INIT;
	int rc;

	push(&a, only);
	push(&b, skip);
	rc = narrowing_parse(n, &x->e, only ? &a : NULL, skip ? &b : NULL,
			     err);
	strlist_release(&a);
	strlist_release(&b);
	return rc;
}

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void set_up_narrow(struct fixture *x)
{
	set_up(x, "32");
	x->e.n_benchmarks = 2;
	plan(x);
}

/* `want`: the keys of the runs of replicate 1, sorted by treatment. */
static void assert_keeps(const char *const *only, const char *const *skip,
			 const char *text, const char *want)
{
	struct narrowing n;
	struct error err = ERROR_INIT;
	struct buf got = BUF_INIT, said = BUF_INIT;
	struct fixture x;

	set_up_narrow(&x);
	if (parse(&n, &x, only, skip, &err))
		fail_msg("%s", err.text);
	assert_int_equal(narrowing_is_empty(&n), !*text);
	narrowing_text(&n, &said);
	assert_string_equal(said.data, text);
	schedule_narrow(&x.s, &n);
	assert_int_equal(x.s.n_planned, 48);
	for (uint32_t k = 0; k < 12; k++)
		for (size_t i = 0; i < x.s.n_runs; i++) {
			const struct run *r = &x.s.runs[i];

			if (r->replicate == 1 && r->treatment == k % 6 &&
			    r->benchmark == k / 6)
				buf_addf(&got, "%s%c%u%u", got.n ? " " : "",
					 x.benchmarks[r->benchmark].name[0],
					 k % 6 / 2, k % 2);
		}
	assert_string_equal(got.data, want);
	narrowing_release(&n);
	buf_release(&got);
	buf_release(&said);
	tear_down(&x);
}

#define ALL "w00 w01 w10 w11 w20 w21 c00 c01 c10 c11 c20 c21"

static void nothing_said_keeps_all(void **state)
{
	(void)state;
	assert_keeps(NULL, NULL, "", ALL);
}

static void only_keeps_the_levels_it_names(void **state)
{
	(void)state;
	assert_keeps(LIST("a=a2,a0"), NULL, "only a=a0,a2",
		     "w00 w01 w20 w21 c00 c01 c20 c21");
	/* texts of one factor add up, of two must both hold */
	assert_keeps(LIST("a=a2", "b=b1", "a=a0"), NULL,
		     "only a=a0,a2; only b=b1", "w01 w21 c01 c21");
	assert_keeps(LIST("benchmark=copy", "a=a0"), NULL,
		     "only benchmark=copy; only a=a0", "c00 c01");
}

static void skip_leaves_out_the_levels_it_names(void **state)
{
	(void)state;
	assert_keeps(NULL, LIST("a=a1"), "skip a=a1",
		     "w00 w01 w20 w21 c00 c01 c20 c21");
	assert_keeps(NULL, LIST("b=b0", "benchmark=write", "a=a1"),
		     "skip benchmark=write; skip a=a1; skip b=b0", "c01 c21");
}

static void skip_is_taken_away_from_only(void **state)
{
	(void)state;
	assert_keeps(LIST("a=a0,a1"), LIST("a=a1"), "only a=a0",
		     "w00 w01 c00 c01");
	assert_keeps(LIST("a=a0"), LIST("b=b1"), "only a=a0; skip b=b1",
		     "w00 c00");
	assert_keeps(LIST("a=a0"), LIST("a=a0"), "only a=", "");
}

static void absent_factor_is_in_no_level(void **state)
{
	struct narrowing n;
	struct error err = ERROR_INIT;
	struct fixture x;
	size_t kept[2] = { 0 };

	(void)state;
	for (int skip = 0; skip < 2; skip++) {
		set_up(&x, "22");
		expand(&x);
		/* (a0, b1) becomes a0 without b */
		x.x.design.cells[3] = DESIGN_ABSENT;
		plan(&x);
		assert_int_equal(parse(&n, &x, skip ? NULL : LIST("b=b1"),
				       skip ? LIST("b=b0") : NULL, &err), 0);
		schedule_narrow(&x.s, &n);
		kept[skip] = x.s.n_runs;
		narrowing_release(&n);
		tear_down(&x);
	}
	assert_int_equal(kept[0], 4);
	assert_int_equal(kept[1], 8);
}

/* (a0, b1) is a0 without b, then a1 is without b too. */
static const uint16_t without_b[] = { 0, 0, 0, NA, 1, NA };

static void assert_absence(const char *const *only, const char *const *skip,
			   const char *text, const char *want)
{
	struct narrowing n;
	struct error err = ERROR_INIT;
	struct buf got = BUF_INIT, said = BUF_INIT;
	struct fixture x;

	set_up(&x, "22");
	list(&x, without_b, 3);
	plan(&x);
	if (parse(&n, &x, only, skip, &err))
		fail_msg("%s", err.text);
	narrowing_text(&n, &said);
	assert_string_equal(said.data, text);
	for (size_t t = 0; t < 3; t++)
		for (size_t i = 0; i < x.s.n_runs; i++)
			if (x.s.runs[i].treatment == t &&
			    x.s.runs[i].replicate == 1 &&
			    narrowing_keeps(&n, &x.s, i))
				buf_addf(&got, "%zu", t);
	assert_string_equal(got.data, want);
	narrowing_release(&n);
	buf_release(&got);
	buf_release(&said);
	tear_down(&x);
}

static void a_dash_is_the_absence_of_a_factor(void **state)
{
	(void)state;
	assert_absence(LIST("b=-"), NULL, "only b=-", "12");
	assert_absence(LIST("b=-,b0"), NULL, "skip b=b1", "012");
	assert_absence(NULL, LIST("b=-"), "only b=b0,b1", "0");
	assert_absence(LIST("b=-"), LIST("a=a1"), "skip a=a1; only b=-", "1");
}

static void what_remains_is_as_it_was_planned(void **state)
{
	struct narrowing n;
	struct error err = ERROR_INIT;
	struct fixture x, all;
	uint32_t last = 0;

	(void)state;
	set_up_narrow(&x);
	set_up_narrow(&all);
	assert_int_equal(parse(&n, &x, LIST("a=a1"), NULL, &err), 0);
	n.replicates = 2;
	schedule_narrow(&x.s, &n);
	assert_int_equal(x.s.n_runs, 2 * 2 * 2);
	for (size_t i = 0; i < x.s.n_runs; i++) {
		const struct run *r = &x.s.runs[i];

		assert_true(r->position > last);
		last = r->position;
		assert_memory_equal(r, &all.s.runs[r->position - 1],
				    sizeof(*r));
		assert_true(r->replicate <= 2);
	}
	narrowing_release(&n);
	tear_down(&x);
	tear_down(&all);
}

static void replicates_are_counted_on_each_host(void **state)
{
	struct narrowing n;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	struct fixture x;

	(void)state;
	set_up(&x, "2");
	x.matrices[0].blocks = BLOCK_HOST;
	x.matrices[0].replicates_max = 6;
	plan(&x);
	assert_int_equal(parse(&n, &x, NULL, NULL, &err), 0);
	n.replicates = 5;
	assert_false(narrowing_is_empty(&n));
	narrowing_text(&n, &text);
	assert_string_equal(text.data, "replicates=5");
	schedule_narrow(&x.s, &n);
	assert_int_equal(x.s.n_runs, 2 * 5 * 2);
	assert_int_equal(x.s.n_optional, 2 * 1 * 2);
	buf_release(&text);
	narrowing_release(&n);
	tear_down(&x);
}

static void names_with_commas_are_escaped(void **state)
{
	struct narrowing n;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	x.levels[0][0].name = (char *)"x,y=1";
	plan(&x);
	assert_int_equal(parse(&n, &x, LIST("a=x%2Cy%3D1"), NULL, &err), 0);
	buf_adds(&text, "so: ");
	narrowing_text(&n, &text);
	assert_string_equal(text.data, "so: only a=x%2Cy%3D1");
	buf_release(&text);
	narrowing_release(&n);
	tear_down(&x);
}

static void factor_called_benchmark_goes_before(void **state)
{
	struct narrowing n;
	struct error err = ERROR_INIT;
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	x.factors[0].name = (char *)"benchmark";
	plan(&x);
	assert_int_equal(parse(&n, &x, LIST("benchmark=a1"), NULL, &err), 0);
	schedule_narrow(&x.s, &n);
	assert_int_equal(x.s.n_runs, 8);
	narrowing_release(&n);
	tear_down(&x);
}

static void assert_refused(const char *const *only, const char *const *skip,
			   const char *want)
{
	struct narrowing n;
	struct error err = ERROR_INIT;
	struct fixture x;

	set_up_narrow(&x);
	assert_int_equal(parse(&n, &x, only, skip, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, want);
	narrowing_release(&n);
	tear_down(&x);
}

static void what_is_not_there_is_refused(void **state)
{
	(void)state;
	assert_refused(LIST("a=a0,a9"), NULL,
		       "only a=a0,a9: there is no level \"a9\" in factor a; "
		       "did you mean \"a0\"? (levels: a0, a1, a2)");
	assert_refused(NULL, LIST("z=a0"),
		       "skip z=a0: there is no factor \"z\" (factors: a, b, "
		       "benchmark)");
	assert_refused(LIST("benchmark=wite"), NULL,
		       "only benchmark=wite: there is no benchmark \"wite\"; "
		       "did you mean \"write\"? (benchmarks: write, copy)");
	assert_refused(LIST("b=b0", "a"), NULL,
		       "only a: say which levels, as in factor=level");
	assert_refused(LIST("a="), NULL,
		       "only a=: there is no level \"\" in factor a "
		       "(levels: a0, a1, a2)");
	assert_refused(LIST("a=a0,"), NULL,
		       "only a=a0,: there is no level \"\" in factor a "
		       "(levels: a0, a1, a2)");
	/* it is never absent */
	assert_refused(LIST("a=-"), NULL,
		       "only a=-: there is no level \"-\" in factor a "
		       "(levels: a0, a1, a2)");
	assert_refused(LIST("=x"), NULL,
		       "only =x: there is no factor \"\" (factors: a, b, "
		       "benchmark)");
	assert_refused(LIST("bench\nmark=x"), NULL,
		       "only bench mark=x: there is no factor "
		       "\"bench mark\"; did you mean \"benchmark\"? "
		       "(factors: a, b, benchmark)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_said_keeps_all),
		cmocka_unit_test(only_keeps_the_levels_it_names),
		cmocka_unit_test(skip_leaves_out_the_levels_it_names),
		cmocka_unit_test(skip_is_taken_away_from_only),
		cmocka_unit_test(absent_factor_is_in_no_level),
		cmocka_unit_test(a_dash_is_the_absence_of_a_factor),
		cmocka_unit_test(what_remains_is_as_it_was_planned),
		cmocka_unit_test(replicates_are_counted_on_each_host),
		cmocka_unit_test(names_with_commas_are_escaped),
		cmocka_unit_test(factor_called_benchmark_goes_before),
		cmocka_unit_test(what_is_not_there_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
