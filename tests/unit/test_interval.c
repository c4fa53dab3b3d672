#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/error.h"
#include "stats/interval.h"
#include "stats/order.h"
#include "stats/random.h"
#include "stats/sample.h"

static void assert_close(double got, double want)
{
	if (!(fabs(got - want) <= 1e-12 * fmax(1, fabs(want))))
		fail_msg("wanted %.17g, got %.17g", want, got);
}

static struct estimate mean_of(const double *x, size_t n, double level)
{
	struct error err = ERROR_INIT;
	struct estimate e;

	assert_int_equal(interval_mean(x, n, level, &e, &err), 0);
	assert_int_equal(err.kind, ERROR_NONE);
	assert_int_equal(e.method, ESTIMATE_MEAN_T);
	assert_int_equal(e.n, n);
	assert_int_equal(e.n_base, 0);
	assert_close(e.level, level);
	return e;
}

static struct estimate median_of(const double *x, size_t n, double level)
{
	struct error err = ERROR_INIT;
	struct estimate e;

	assert_int_equal(interval_median(x, n, level, &e, &err), 0);
	assert_int_equal(err.kind, ERROR_NONE);
	assert_int_equal(e.method, ESTIMATE_MEDIAN_ORDER);
	assert_int_equal(e.n, n);
	return e;
}

/* Student's sleep data, drug 1: the interval that textbooks print. */
static void mean_has_a_t_interval(void **state)
{
	const double x[] = { 0.7, -1.6, -0.2, -1.2, -0.1,
			     3.4, 3.7, 0.8, 0.0, 2.0 };
	struct estimate e = mean_of(x, 10, 0.95);

	(void)state;
	assert_close(e.value, 0.75);
	assert_close(e.sd, 1.7890096577591627);
	assert_close(e.low, -0.5297804135262322);
	assert_close(e.high, 2.029780413526232);
	assert_int_equal(e.warnings, 0);
	assert_true(isnan(e.coverage));
}

static void one_run_has_a_value_and_no_interval(void **state)
{
	const double x[] = { 42.5 };
	struct estimate e = mean_of(x, 1, 0.95);

	(void)state;
	assert_close(e.value, 42.5);
	assert_true(isnan(e.low) && isnan(e.high) && isnan(e.sd));
	assert_int_equal(e.warnings, ESTIMATE_N_LT_2);
}

static void two_runs_have_a_wide_interval_and_a_warning(void **state)
{
	const double x[] = { 10, 12 };
	struct estimate e = mean_of(x, 2, 0.95);

	(void)state;
	assert_close(e.low, -1.7062047361746941);
	assert_close(e.high, 23.706204736174694);
	assert_int_equal(e.warnings, ESTIMATE_N_LT_3);
}

static void equal_runs_have_a_point_and_a_warning(void **state)
{
	const double x[] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 };
	struct estimate e = mean_of(x, 7, 0.95);

	(void)state;
	assert_true(e.low == 0.1 && e.value == 0.1 && e.high == 0.1);
	assert_int_equal(e.warnings, ESTIMATE_ZERO_VARIANCE);
	e = median_of(x, 7, 0.95);
	assert_true(e.low == 0.1 && e.value == 0.1 && e.high == 0.1);
	assert_int_equal(e.warnings, ESTIMATE_ZERO_VARIANCE);
	e = median_of(x, 5, 0.95);
	assert_int_equal(e.warnings, ESTIMATE_MEDIAN_UNBOUNDED);
}

static void skewed_runs_are_warned_about_below_30(void **state)
{
	double x[30] = { 20, 1, 2, 3, 4 };

	(void)state;
	assert_int_equal(mean_of(x, 5, 0.95).warnings, ESTIMATE_SKEWED);
	x[0] = 10; /* G1 = 1.70: chance may do that with 5 runs */
	assert_int_equal(mean_of(x, 5, 0.95).warnings, 0);
	for (int i = 1; i < 30; i++)
		x[i] = i % 4;
	assert_int_equal(mean_of(x, 29, 0.95).warnings, ESTIMATE_SKEWED);
	assert_int_equal(mean_of(x, 30, 0.95).warnings, 0);
}

static void skewness_warns_of_few_samples_that_are_not_skewed(void **state)
{
	int warned = 0;
	struct random r;

	(void)state;
	random_seed(&r, 1);
	for (int i = 0; i < 4000; i++) {
		double x[5];

		/* a sum of 12 uniform values is as good as normal here */
		for (int j = 0; j < 5; j++) {
			x[j] = 0;
			for (int k = 0; k < 12; k++)
				x[j] += (double)random_below(&r, 1 << 20);
		}
		warned += mean_of(x, 5, 0.95).warnings == ESTIMATE_SKEWED;
	}
	assert_in_range(warned, 4000 * 0.03, 4000 * 0.07);
}

static void median_is_bounded_from_six_runs_on(void **state)
{
	const double x[] = { 5.5, 6.1, 5.9, 6.4, 5.7, 6.0 };
	struct estimate e = median_of(x, 6, 0.95);

	(void)state;
	assert_close(e.value, 5.95);
	assert_close(e.low, 5.5);
	assert_close(e.high, 6.4);
	assert_close(e.coverage, 0.96875);
	assert_int_equal(e.warnings, 0);
	e = median_of(x, 5, 0.95);
	assert_close(e.value, 5.9);
	assert_true(e.low == -INFINITY && e.high == INFINITY);
	assert_int_equal(e.warnings, ESTIMATE_MEDIAN_UNBOUNDED);
	e = median_of(x, 1, 0.95);
	assert_close(e.value, 5.5);
	assert_true(e.low == -INFINITY && e.high == INFINITY);
	assert_true(isnan(e.sd));
}

/* The pair 1, 6 of 6 covers exactly 31/32. */
static void level_that_is_just_reached_counts(void **state)
{
	const double x[] = { 1, 2, 3, 4, 5, 6 };

	(void)state;
	assert_close(median_of(x, 6, 0.96875).high, 6);
	assert_true(isinf(median_of(x, 6, 0.968751).high));
}

static void ranks_are_right_for_many_values(void **state)
{
	struct order_interval o = order_interval(1000000, 0.5, 0.95);

	(void)state;
	/* 500,000 - 1.96 * 500 = 499,020.02 */
	assert_int_equal(o.low, 499020);
	assert_int_equal(o.high, 500981);
	assert_true(o.coverage >= 0.95 && o.coverage < 0.9502);
	/* 0.99 needs 368 values for two ends at 95 %: STATISTICS S6 */
	assert_int_equal(order_interval(367, 0.99, 0.95).high, 368);
	assert_int_equal(order_interval(368, 0.99, 0.95).high, 368);
	o = order_interval(10, 1e-9, 0.95);
	assert_int_equal(o.low, 0);
	assert_int_equal(o.high, 1);
}

static void assert_refused(const double *x, size_t n, double level,
			   const char *want)
{
	struct error err = ERROR_INIT;
	struct estimate e;

	assert_int_equal(interval_mean(x, n, level, &e, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, want);
	assert_true(isnan(e.value));
	err = (struct error)ERROR_INIT;
	assert_int_equal(interval_median(x, n, level, &e, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, want);
	assert_true(isnan(e.value));
}

static void what_cannot_be_estimated_is_refused(void **state)
{
	const double bad[] = { 1, NAN, 3 }, open[] = { 1, 2, -INFINITY };

	(void)state;
	assert_refused(NULL, 0, 0.95,
		       "values: there are none; at least one run must succeed");
	assert_refused(bad, 3, 0.95,
		       "values: number 2 of 3 is not a number; mark such a run "
		       "as failed or timed out, or leave it out");
	assert_refused(open, 3, 0.95,
		       "values: number 3 of 3 is infinite; mark such a run as "
		       "failed or timed out, or leave it out");
	assert_refused(bad, 1, 95,
		       "a confidence level of 95 is not between 0 and 1; 95 % "
		       "is 0.95");
	assert_refused(bad, 1, 0,
		       "a confidence level of 0 is not between 0 and 1; 95 % "
		       "is 0.95");
	assert_refused(bad, 1, 1,
		       "a confidence level of 1 is not between 0 and 1; 95 % "
		       "is 0.95");
	assert_refused(bad, 1, NAN,
		       "a confidence level of nan is not between 0 and 1; 95 % "
		       "is 0.95");
}

static void ends_beyond_the_range_of_numbers_are_refused(void **state)
{
	const double x[] = { 1e308, 1.7e308 };
	struct error err = ERROR_INIT;
	struct estimate e;

	(void)state;
	assert_int_equal(interval_mean(x, 2, 0.95, &e, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text,
			    "the interval of 2 values about 1.35e+308 is "
			    "beyond the range of numbers; measure in a larger "
			    "unit");
}

static void sample_without_runs_is_missing_not_zero(void **state)
{
	const struct sample s = { .n_failed = 2, .n_censored = 1 };
	struct error err = ERROR_INIT;
	struct estimate e;

	(void)state;
	assert_int_equal(interval_of_sample(&s, ESTIMATE_MEAN_T, 0.95, &e,
					    &err), 0);
	assert_true(isnan(e.value) && isnan(e.low) && isnan(e.high));
	assert_int_equal(e.n, 0);
	assert_int_equal(e.warnings, ESTIMATE_CENSORED);
}

static void censored_runs_leave_a_warning(void **state)
{
	double x[] = { 1, 2, 3, 4, 5, 6 };
	struct sample s = { .value = x, .n = 6, .n_censored = 1 };
	struct error err = ERROR_INIT;
	struct estimate e;

	(void)state;
	assert_int_equal(interval_of_sample(&s, ESTIMATE_MEAN_T, 0.95, &e,
					    &err), 0);
	assert_close(e.value, 3.5);
	assert_int_equal(e.warnings, ESTIMATE_CENSORED);
	s.n_censored = 0;
	assert_int_equal(interval_of_sample(&s, ESTIMATE_MEDIAN_ORDER, 0.95,
					    &e, &err), 0);
	assert_int_equal(e.method, ESTIMATE_MEDIAN_ORDER);
	assert_close(e.high, 6);
	assert_int_equal(e.warnings, 0);
}

static void every_warning_and_method_has_its_own_text(void **state)
{
	(void)state;
	for (unsigned w = 1; w & ESTIMATE_WARNINGS; w <<= 1) {
		const char *text = estimate_warning_text(w);

		assert_string_not_equal(text, "unknown warning");
		for (unsigned v = w << 1; v & ESTIMATE_WARNINGS; v <<= 1)
			assert_string_not_equal(text,
						estimate_warning_text(v));
	}
	assert_string_equal(estimate_warning_text(ESTIMATE_WARNINGS + 1),
			    "unknown warning");
	assert_string_equal(estimate_method_text(ESTIMATE_MEAN_T),
			    "t interval of the mean");
	assert_string_equal(estimate_method_text(ESTIMATE_NONE),
			    "no interval");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mean_has_a_t_interval),
		cmocka_unit_test(one_run_has_a_value_and_no_interval),
		cmocka_unit_test(two_runs_have_a_wide_interval_and_a_warning),
		cmocka_unit_test(equal_runs_have_a_point_and_a_warning),
		cmocka_unit_test(skewed_runs_are_warned_about_below_30),
		cmocka_unit_test(
			skewness_warns_of_few_samples_that_are_not_skewed),
		cmocka_unit_test(median_is_bounded_from_six_runs_on),
		cmocka_unit_test(level_that_is_just_reached_counts),
		cmocka_unit_test(ranks_are_right_for_many_values),
		cmocka_unit_test(what_cannot_be_estimated_is_refused),
		cmocka_unit_test(ends_beyond_the_range_of_numbers_are_refused),
		cmocka_unit_test(sample_without_runs_is_missing_not_zero),
		cmocka_unit_test(censored_runs_leave_a_warning),
		cmocka_unit_test(every_warning_and_method_has_its_own_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
