#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "stats/contrast.h"
#include "stats/design_make.h"
#include "stats/factor.h"
#include "stats/interval.h"
#include "stats/sample.h"

static const double new_runs[] = { 2.31, 2.35, 2.29 };
static const double base_runs[] = { 1.98, 2.01, 1.95 };

static void assert_close(double got, double want)
{
	if (!(fabs(got - want) <= 1e-12 * fmax(1, fabs(want))))
		fail_msg("wanted %.17g, got %.17g", want, got);
}

static struct estimate ratio_of(const double *x, size_t n,
				const double *base, size_t n_base)
{
	struct error err = ERROR_INIT;
	struct estimate e;

	if (contrast_ratio(x, n, base, n_base, 0.95, &e, &err))
		fail_msg("%s", err.text);
	assert_int_equal(e.method, ESTIMATE_RATIO_FIELLER);
	assert_int_equal(e.n, n);
	assert_int_equal(e.n_base, n_base);
	assert_true(isnan(e.sd));
	return e;
}

static void ratio_has_fiellers_interval(void **state)
{
	struct estimate e = ratio_of(new_runs, 3, base_runs, 3);

	(void)state;
	assert_close(e.value, 1.1700336700336702);
	assert_close(e.low, 1.1327591004566513);
	assert_close(e.high, 1.208710381798896);
	assert_int_equal(e.warnings, 0);
}

static void ratio_of_negative_means_keeps_its_ends_in_order(void **state)
{
	const double minus[] = { -2.31, -2.35, -2.29 };
	const double minus_base[] = { -1.98, -2.01, -1.95 };
	struct estimate e = ratio_of(minus, 3, base_runs, 3);

	(void)state;
	assert_close(e.value, -1.1700336700336702);
	assert_close(e.low, -1.208710381798896);
	assert_close(e.high, -1.1327591004566513);
	assert_int_equal(e.warnings, 0);
	e = ratio_of(minus, 3, minus_base, 3);
	assert_close(e.low, 1.1327591004566513);
	assert_int_equal(e.warnings, ESTIMATE_NEGATIVE_BASE);
	assert_int_equal(contrast_verdict(&e, BETTER_HIGHER, 0.01),
			 VERDICT_NONE);
}

static void noisy_denominator_leaves_the_ratio_unbounded(void **state)
{
	const double x[] = { 5.1, 4.8, 5.3, 5.0 };
	const double base[] = { 0.4, -0.5, 0.9, 0.2 };
	struct estimate e = ratio_of(x, 4, base, 4);

	(void)state;
	assert_close(e.value, 20.2);
	assert_true(isnan(e.low) && isnan(e.high));
	assert_int_equal(e.warnings, ESTIMATE_UNBOUNDED_RATIO);
}

static void few_runs_are_said(void **state)
{
	struct estimate e = ratio_of(new_runs, 1, base_runs, 3);

	(void)state;
	assert_close(e.value, 2.31 / 1.98);
	assert_true(isnan(e.low) && isnan(e.high));
	assert_int_equal(e.warnings, ESTIMATE_N_LT_2);
	e = ratio_of(new_runs, 3, base_runs, 1);
	assert_int_equal(e.warnings, ESTIMATE_N_LT_2);
	e = ratio_of(new_runs, 3, base_runs, 2);
	assert_true(e.low < e.value && e.value < e.high);
	assert_int_equal(e.warnings, ESTIMATE_N_LT_3);
}

static void constant_sides_are_handled(void **state)
{
	const double three[] = { 3, 3, 3 }, two[] = { 2, 2, 2 };
	const double none[] = { 0, 0, 0 };
	struct estimate e = ratio_of(three, 3, two, 3), mean;
	struct error err = ERROR_INIT;

	(void)state;
	assert_true(e.low == 1.5 && e.value == 1.5 && e.high == 1.5);
	assert_int_equal(e.warnings, ESTIMATE_ZERO_VARIANCE);
	e = ratio_of(none, 3, base_runs, 3);
	assert_true(e.low == 0 && e.value == 0 && e.high == 0);
	assert_int_equal(e.warnings, ESTIMATE_ZERO_VARIANCE);
	/* only x varies: x's own t interval over 2 */
	e = ratio_of(new_runs, 3, two, 3);
	assert_int_equal(interval_mean(new_runs, 3, 0.95, &mean, &err), 0);
	assert_close(e.low, mean.low / 2);
	assert_close(e.high, mean.high / 2);
	assert_int_equal(e.warnings, 0);
}

static void assert_refused(const double *x, size_t n, const double *base,
			   size_t n_base, double level, const char *want)
{
	struct error err = ERROR_INIT;
	struct estimate e;

	assert_int_equal(contrast_ratio(x, n, base, n_base, level, &e, &err),
			 -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, want);
	assert_true(isnan(e.value) && isnan(e.low) && isnan(e.high));
}

static void what_has_no_ratio_is_refused(void **state)
{
	const double zero[] = { -1, 0, 1 }, bad[] = { 1, NAN };
	const double large[] = { 1e300, 1e300 }, small[] = { 1e-300, 1e-300 };
	static const char range[] =
		"the ratio to the baseline is beyond the range of numbers; "
		"check that both are in one unit";

	(void)state;
	assert_refused(new_runs, 3, zero, 3, 0.95,
		       "the baseline's mean is 0, so there is no ratio to it; "
		       "look at the two means");
	assert_refused(new_runs, 0, base_runs, 3, 0.95,
		       "values: there are none; at least one run must succeed");
	assert_refused(new_runs, 3, base_runs, 0, 0.95,
		       "baseline: there are none; at least one run must "
		       "succeed");
	assert_refused(new_runs, 3, bad, 2, 0.95,
		       "baseline: number 2 of 2 is not a number; mark such a "
		       "run as failed or timed out, or leave it out");
	assert_refused(new_runs, 3, base_runs, 3, 95,
		       "a confidence level of 95 is not between 0 and 1; 95 % "
		       "is 0.95");
	assert_refused(large, 2, small, 2, 0.95, range);
	assert_refused(small, 2, large, 2, 0.95, range);
}

static struct estimate between(double low, double high)
{
	struct estimate e = ESTIMATE_INIT;

	e.low = low;
	e.high = high;
	return e;
}

static void verdict_comes_from_the_interval_and_the_margin(void **state)
{
	static const struct {
		double low, high;
		enum verdict higher, lower, unsaid;
	} cases[] = {
		{ 1.02, 1.05, VERDICT_IMPROVED, VERDICT_REGRESSED,
		  VERDICT_NONE },
		{ 0.90, 0.98, VERDICT_REGRESSED, VERDICT_IMPROVED,
		  VERDICT_NONE },
		{ 0.995, 1.005, VERDICT_EQUIVALENT, VERDICT_EQUIVALENT,
		  VERDICT_EQUIVALENT },
		/* different, but not surely by more than the margin */
		{ 1.002, 1.05, VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE,
		  VERDICT_INCONCLUSIVE },
		{ 0.5, 2, VERDICT_INCONCLUSIVE, VERDICT_INCONCLUSIVE,
		  VERDICT_INCONCLUSIVE },
		{ 0.99, 1.01, VERDICT_EQUIVALENT, VERDICT_EQUIVALENT,
		  VERDICT_EQUIVALENT },
		{ NAN, NAN, VERDICT_NONE, VERDICT_NONE, VERDICT_NONE },
		{ 1.02, INFINITY, VERDICT_NONE, VERDICT_NONE, VERDICT_NONE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct estimate e = between(cases[i].low, cases[i].high);

		assert_int_equal(contrast_verdict(&e, BETTER_HIGHER, 0.01),
				 cases[i].higher);
		assert_int_equal(contrast_verdict(&e, BETTER_LOWER, 0.01),
				 cases[i].lower);
		assert_int_equal(contrast_verdict(&e, BETTER_UNSAID, 0.01),
				 cases[i].unsaid);
	}
}

static void no_margin_asks_whether_the_interval_holds_1(void **state)
{
	struct estimate above = between(1.0001, 1.1);
	struct estimate touching = between(1, 1.1);

	(void)state;
	assert_int_equal(contrast_verdict(&above, BETTER_HIGHER, 0),
			 VERDICT_IMPROVED);
	assert_int_equal(contrast_verdict(&touching, BETTER_HIGHER, 0),
			 VERDICT_INCONCLUSIVE);
}

static void samples_carry_their_warnings(void **state)
{
	double x[] = { 2.31, 2.35, 2.29 }, base[] = { 1.98, 2.01, 1.95 };
	struct sample a = { .value = x, .n = 3 };
	struct sample b = { .value = base, .n = 3, .n_censored = 1 };
	struct error err = ERROR_INIT;
	struct estimate e;

	(void)state;
	assert_int_equal(contrast_of_samples(&a, &b, 0.95, &e, &err), 0);
	assert_close(e.value, 1.1700336700336702);
	assert_int_equal(e.warnings, ESTIMATE_CENSORED);
	b.n_censored = 0;
	b.n = 0;
	assert_int_equal(contrast_of_samples(&a, &b, 0.95, &e, &err), 0);
	assert_true(isnan(e.value) && isnan(e.low));
	assert_int_equal(e.n, 3);
	assert_int_equal(e.n_base, 0);
	assert_int_equal(e.warnings, 0);
}

static void pairs_hold_everything_else_equal(void **state)
{
	struct level two[] = { { .name = (char[]){ "0" } },
			       { .name = (char[]){ "1" } } };
	const struct factor f[] = {
		{ .name = (char[]){ "kib" }, .levels = two, .n_levels = 2 },
		{ .name = (char[]){ "place" }, .levels = two, .n_levels = 2 },
	};
	const struct setting base = { .factor = 1, .level = 0 };
	struct contrast_pair *pairs;
	struct error err = ERROR_INIT;
	struct design d;

	(void)state;
	assert_int_equal(
		design_build(&d, DESIGN_FULL_FACTORIAL, f, 2, &err), 0);
	assert_int_equal(contrast_pairs(&d, &base, 1, &pairs), 2);
	assert_int_equal(pairs[0].treatment, 1);
	assert_int_equal(pairs[0].base, 0);
	assert_int_equal(pairs[1].treatment, 3);
	assert_int_equal(pairs[1].base, 2);
	free(pairs);
	assert_int_equal(contrast_pairs(&d, NULL, 0, &pairs), 0);
	assert_null(pairs);
	design_release(&d);
}

static int kib_0_only(void *ctx, const uint16_t *levels, struct error *err)
{
	(void)ctx;
	(void)err;
	return levels[0] == 0;
}

static bool uses_kib(void *ctx, size_t factor)
{
	(void)ctx;
	return factor == 0;
}

/* A treatment whose baseline is excluded, or that has no place at all, is compared
 * with nothing. */
static void no_counterpart_gives_no_pair(void **state)
{
	struct level two[] = { { .name = (char[]){ "0" } },
			       { .name = (char[]){ "1" } } };
	const struct factor f[] = {
		{ .name = (char[]){ "kib" }, .levels = two, .n_levels = 2 },
		{ .name = (char[]){ "place" }, .levels = two, .n_levels = 2 },
	};
	const uint16_t rows[] = { 0, 1, 1, 0, 1, 1, 0, DESIGN_ABSENT };
	const struct design_existence only = { 1, { kib_0_only, uses_kib,
						    NULL } };
	const struct setting place = { 1, 0 }, kib = { 0, 1 };
	struct design_options o = { .kind = DESIGN_LIST, .factors = f,
				    .n_factors = 2, .list = rows,
				    .n_list = 4 };
	struct contrast_pair *pairs;
	struct error err = ERROR_INIT;
	struct design d;

	(void)state;
	assert_int_equal(design_make(&d, &o, &err), 0);
	assert_int_equal(contrast_pairs(&d, &place, 1, &pairs), 1);
	assert_int_equal(pairs[0].treatment, 2);
	assert_int_equal(pairs[0].base, 1);
	free(pairs);
	design_release(&d);
	/* kib 0 with place 0 and 1, and kib 1 that has no place */
	o.kind = DESIGN_FULL_FACTORIAL;
	o.existences = &only;
	o.n_existences = 1;
	assert_int_equal(design_make(&d, &o, &err), 0);
	assert_int_equal(contrast_pairs(&d, &kib, 1, &pairs), 2);
	assert_int_equal(pairs[0].base, 2);
	assert_int_equal(pairs[1].base, 2);
	free(pairs);
	assert_int_equal(contrast_pairs(&d, &place, 1, &pairs), 1);
	assert_int_equal(pairs[0].treatment, 1);
	free(pairs);
	design_release(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ratio_has_fiellers_interval),
		cmocka_unit_test(
			ratio_of_negative_means_keeps_its_ends_in_order),
		cmocka_unit_test(noisy_denominator_leaves_the_ratio_unbounded),
		cmocka_unit_test(few_runs_are_said),
		cmocka_unit_test(constant_sides_are_handled),
		cmocka_unit_test(what_has_no_ratio_is_refused),
		cmocka_unit_test(
			verdict_comes_from_the_interval_and_the_margin),
		cmocka_unit_test(no_margin_asks_whether_the_interval_holds_1),
		cmocka_unit_test(samples_carry_their_warnings),
		cmocka_unit_test(pairs_hold_everything_else_equal),
		cmocka_unit_test(no_counterpart_gives_no_pair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
