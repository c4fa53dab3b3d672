#include "tests/unit/plan_fixture.h"

#include "stats/fraction.h"

static void levels_in_no_treatment(void **state)
{
	const uint16_t rows[] = { 0, 0, 1, 0, 0, 2, 1, 2 };
	struct fixture x;

	(void)state;
	set_up(&x, "23");
	list(&x, rows, 4);
	assert_lints(&x, "12:3: level \"b1\" of factor \"b\" is in no "
			 "treatment: it is not measured; change the filters, "
			 "or leave it out\n");
}

static void levels_that_occur_unequally_often(void **state)
{
	/* all of 2 x 3 but (a1, b2) */
	const uint16_t rows[] = { 0, 0, 0, 1, 0, 2, 1, 0, 1, 1 };
	struct fixture x;

	(void)state;
	set_up(&x, "23");
	list(&x, rows, 5);
	assert_lints(&x,
		     "31:3: levels occur unequally often: \"a\" (a0 3, a1 2), "
		     "\"b\" (b0 2, b1 2, b2 1); a mean over the other factors "
		     "compares different treatments then: compare within them, "
		     "or leave out whole levels\n");
}

static void axis_under_some_levels_is_silent(void **state)
{
	/* b exists under a1 and a2 only, c always */
	const uint16_t rows[] = {
		0, NA, 0, 0, NA, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0,
		1, 1,  1, 2, 0,	 0, 2, 0, 1, 2, 1, 0, 2, 1, 1,
	};
	struct fixture x;

	(void)state;
	set_up(&x, "322");
	list(&x, rows, 10);
	assert_lints(&x, "");
}

static void factors_that_change_together(void **state)
{
	const uint16_t rows[] = { 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1 };
	struct zip zip = { .factors = (size_t[]){ 0, 1 }, .n = 2 };
	struct fixture x;

	(void)state;
	set_up(&x, "222");
	list(&x, rows, 4);
	assert_lints(&x, "12:3: factors \"a\" and \"b\" change together (a0 "
			 "always with b1): an effect of one cannot be told "
			 "from one of the other; cross them, or write a zip if "
			 "they are one thing\n");
	/* said in the file */
	set_up(&x, "222");
	x.matrices[0].zips = &zip;
	x.matrices[0].n_zips = 1;
	assert_lints(&x, "");
}

static void factor_that_follows_from_another(void **state)
{
	/* b is 1 exactly with a2 */
	const uint16_t rows[] = { 0, 0, 0, 0, 0, 1, 1, 0, 0,
				  1, 0, 1, 2, 1, 0, 2, 1, 1 };
	struct fixture x;

	(void)state;
	set_up(&x, "322");
	list(&x, rows, 6);
	assert_lints(&x,
		     "31:3: levels occur unequally often: \"b\" (b0 4, b1 2); "
		     "a mean over the other factors compares different "
		     "treatments then: compare within them, or leave out whole "
		     "levels\n"
		     "12:3: each level of \"a\" has one level of \"b\": an "
		     "effect of \"b\" cannot be told from those of \"a\"; "
		     "cross them, or leave out \"b\"\n");
}

static void factors_that_never_vary_together(void **state)
{
	const uint16_t rows[] = { 0, 0, 1, 0, 0, 1 };
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	list(&x, rows, 3);
	assert_lints(&x,
		     "31:3: levels occur unequally often: \"a\" (a0 2, a1 1), "
		     "\"b\" (b0 2, b1 1); a mean over the other factors "
		     "compares different treatments then: compare within them, "
		     "or leave out whole levels\n"
		     "12:3: no two levels of \"a\" occur with the same two "
		     "levels of \"b\": whether the effect of one depends on "
		     "the other cannot be seen; add the combinations that "
		     "are missing\n");
	/* that is what this kind of design means */
	set_up(&x, "22");
	x.matrices[0].kind = DESIGN_ONE_AT_A_TIME;
	assert_lints(&x, "");
}

static void many_pairs_are_counted(void **state)
{
	const uint16_t rows[] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	struct fixture x;
	const char *last;

	(void)state;
	set_up(&x, "2222");
	list(&x, rows, 2);
	plan(&x);
	lint_design(&x.e, &x.x, &x.s, &x.warnings);
	assert_int_equal(x.warnings.n, 4);
	last = x.warnings.items[3];
	assert_string_equal(last, "x.yaml:31:3: 3 more pairs of factors cannot "
				  "be told apart, or do not vary together");
	tear_down(&x);
}

static void effect_that_is_a_sum_of_others(void **state)
{
	/* c1 = b1 + a2 - a3, and every pair of factors varies together */
	const uint16_t rows[] = { 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1,
				  2, 0, 1, 3, 1, 0, 2, 1, 1 };
	struct fixture x;

	(void)state;
	set_up(&x, "422");
	list(&x, rows, 6);
	assert_lints(&x,
		     "31:3: levels occur unequally often: \"a\" (a0 2, a1 2, "
		     "a2 1, a3 1); a mean over the other factors compares "
		     "different treatments then: compare within them, or leave "
		     "out whole levels\n"
		     "31:3: effects of \"a\", \"b\", \"c\" cannot be told "
		     "apart: in these 6 treatments one is a sum of the others; "
		     "add treatments, or leave out a factor\n");
	/* one more tells them apart */
	set_up(&x, "422");
	list(&x, rows, 7);
	assert_lints(&x,
		     "31:3: levels occur unequally often: \"a\" (a0 2, a1 2, "
		     "a2 2, a3 1), \"b\" (b0 3, b1 4), \"c\" (c0 3, c1 4); a "
		     "mean over the other factors compares different "
		     "treatments then: compare within them, or leave out whole "
		     "levels\n");
}

static void main_effects_aliased_with_interactions(void **state)
{
	size_t ab[] = { 0, 1 }, ac[] = { 0, 2 }, abc[] = { 0, 1, 2 };
	struct generator three[] = { { .factor = 3, .of = ab, .n = 2 },
				     { .factor = 4, .of = ac, .n = 2 } };
	struct generator four[] = { { .factor = 3, .of = abc, .n = 3 } };
	struct fixture x;

	(void)state;
	set_up(&x, "22222");
	x.matrices[0].kind = DESIGN_FRACTIONAL;
	x.matrices[0].generators = three;
	x.matrices[0].n_generators = 2;
	assert_lints(&x,
		     "31:3: resolution III: the effect of a factor cannot be "
		     "told from interactions of two others (a = b*d = c*e, b = "
		     "a*d, c = a*e, d = a*b, 1 more); take fewer generators, "
		     "or longer ones\n");
	set_up(&x, "2222");
	x.matrices[0].kind = DESIGN_FRACTIONAL;
	x.matrices[0].generators = four;
	x.matrices[0].n_generators = 1;
	assert_lints(&x, "");
}

static void baseline_that_no_treatment_has(void **state)
{
	const uint16_t rows[] = { 0, 0, 0, 1, 1, 0, 1, 1 };
	struct fixture x;

	(void)state;
	set_up(&x, "32");
	list(&x, rows, 4);
	x.e.baseline = x.baseline;
	x.e.n_baseline = 1;
	x.baseline[0] = (struct condition){ .factor = 0, .level = 2 };
	assert_lints(&x,
		     "11:3: level \"a2\" of factor \"a\" is in no treatment: "
		     "it is not measured; change the filters, or leave it "
		     "out\n"
		     "11:3: no treatment has the baseline a=a2: nothing can be "
		     "compared with it; change the filters, or take another "
		     "baseline\n");
}

static void treatments_without_a_counterpart_at_the_baseline(void **state)
{
	/* all of 2 x 3 but (a0, b2); a0 is the baseline */
	const uint16_t rows[] = { 0, 0, 0, 1, 1, 0, 1, 1, 1, 2 };
	struct fixture x;

	(void)state;
	set_up(&x, "23");
	list(&x, rows, 5);
	x.e.baseline = x.baseline;
	x.e.n_baseline = 1;
	assert_lints(&x,
		     "31:3: levels occur unequally often: \"a\" (a0 2, a1 3), "
		     "\"b\" (b0 2, b1 2, b2 1); a mean over the other factors "
		     "compares different treatments then: compare within them, "
		     "or leave out whole levels\n"
		     "11:3: 1 of 5 treatments have no counterpart at the "
		     "baseline a=a0 (a=a1,b=b2 is the first): they are "
		     "compared with nothing; add the counterparts, or take "
		     "another baseline\n");
}

static void baseline_of_other_matrices_is_not_missed(void **state)
{
	struct fixture x;

	(void)state;
	two_matrices(&x);
	x.e.baseline = x.baseline;
	x.e.n_baseline = 1;
	assert_lints(&x, "");
}

static void counterpart_must_be_of_the_same_benchmark(void **state)
{
	/* copy is not measured at (a0, b1), which write is */
	const uint16_t rows[] = { 0, 0, 1, 0, 1, 1 };
	struct fixture x;

	(void)state;
	two_matrices(&x);
	x.matrices[1].kind = DESIGN_LIST;
	x.matrices[1].list = mem_alloc(sizeof(rows));
	x.matrices[1].n_list = 3;
	memcpy(x.matrices[1].list, rows, sizeof(rows));
	x.matrices[1].n_factors = 2;
	x.matrices[1].factors[0] = 0;
	x.matrices[1].factors[1] = 1;
	x.e.n_factors = 2;
	x.e.baseline = x.baseline;
	x.e.n_baseline = 1;
	assert_lints(&x,
		     "31:3: matrix \"net\": levels occur unequally often: "
		     "\"a\" (a0 1, a1 2), \"b\" (b0 2, b1 1); a mean over the "
		     "other factors compares different treatments then: "
		     "compare within them, or leave out whole levels\n"
		     "12:3: matrix \"net\": no two levels of \"a\" occur with "
		     "the same two levels of \"b\": whether the effect of "
		     "one depends on the other cannot be seen; add the "
		     "combinations that are missing\n"
		     "11:3: benchmark \"copy\": 1 of 3 treatments have no "
		     "counterpart at the baseline a=a0 (a=a1,b=b1 is the "
		     "first): they are compared with nothing; add the "
		     "counterparts, or take another baseline\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels_in_no_treatment),
		cmocka_unit_test(levels_that_occur_unequally_often),
		cmocka_unit_test(axis_under_some_levels_is_silent),
		cmocka_unit_test(factors_that_change_together),
		cmocka_unit_test(factor_that_follows_from_another),
		cmocka_unit_test(factors_that_never_vary_together),
		cmocka_unit_test(many_pairs_are_counted),
		cmocka_unit_test(effect_that_is_a_sum_of_others),
		cmocka_unit_test(main_effects_aliased_with_interactions),
		cmocka_unit_test(baseline_that_no_treatment_has),
		cmocka_unit_test(
			treatments_without_a_counterpart_at_the_baseline),
		cmocka_unit_test(baseline_of_other_matrices_is_not_missed),
		cmocka_unit_test(counterpart_must_be_of_the_same_benchmark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
