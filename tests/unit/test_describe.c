#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <math.h>

#include "stats/describe.h"
#include "stats/sorted.h"
#include "stats/sum.h"

#define N(x) (sizeof(x) / sizeof((x)[0]))

static void assert_close(double got, double want, double rel)
{
	if (!(fabs(got - want) <= rel * fabs(want)))
		fail_msg("wanted %.17g, got %.17g", want, got);
}

/* Equal to the last bit, NaN included. */
static void assert_same(double got, double want)
{
	if (!(got == want || (isnan(got) && isnan(want))))
		fail_msg("wanted %.17g, got %.17g", want, got);
}

static void sum_loses_nothing(void **state)
{
	struct sum s;

	(void)state;
	sum_init(&s);
	assert_same(sum_value(&s), 0);
	sum_add(&s, 1e300);
	sum_add(&s, 1e-300);
	sum_add(&s, 1);
	sum_add(&s, -1e300);
	sum_add(&s, -1);
	assert_same(sum_value(&s), 1e-300);
}

static void sum_is_rounded_to_nearest_even_once(void **state)
{
	struct sum s;

	(void)state;
	sum_init(&s);
	sum_add(&s, 1);
	sum_add(&s, DBL_EPSILON / 2); /* a tie: to even */
	assert_same(sum_value(&s), 1);
	sum_add(&s, 0x1p-1000);       /* a bit above the tie: up */
	assert_same(sum_value(&s), 1 + DBL_EPSILON);
	sum_add(&s, -0x1p-999);       /* a bit below: down */
	assert_same(sum_value(&s), 1);
}

static void sum_holds_the_widest_spread_of_bits(void **state)
{
	struct sum s;

	(void)state;
	sum_init(&s);
	for (int e = -1074; e < 1000; e++)
		sum_add(&s, ldexp(1, e));
	for (int e = -1074; e < 999; e++)
		sum_add(&s, -ldexp(1, e));
	assert_same(sum_value(&s), 0x1p999);
}

static void mean_of_equal_values_is_that_value(void **state)
{
	double x[1000];

	(void)state;
	for (size_t i = 0; i < N(x); i++)
		x[i] = 0.1;
	for (size_t n = 1; n <= N(x); n++)
		assert_same(describe_mean(x, n), 0.1);
	for (size_t n = 2; n <= N(x); n++)
		assert_same(describe_sd(x, n), 0);
}

static void mean_survives_cancelling_and_overflowing_sums(void **state)
{
	const double cancel[] = { 1e16, 1, -1e16, 2 };
	const double huge[] = { 1.2e308, 1.6e308, 1.2e308, 1.6e308 };
	const double both[] = { DBL_MAX, -DBL_MAX, DBL_MAX, -DBL_MAX };
	const double all[] = { DBL_MAX, DBL_MAX, DBL_MAX };
	const double least[] = { 0x1p-1074, 0x1p-1074, 0x1p-1073 };

	(void)state;
	assert_same(describe_mean(cancel, 4), 0.75);
	assert_close(describe_mean(huge, 4), 1.4e308, 1e-15);
	assert_same(describe_mean(both, 4), 0);
	assert_same(describe_mean(all, 3), DBL_MAX);
	assert_same(describe_mean(least, 3), 0x1p-1074);
}

static void sd_survives_offsets_and_the_ends_of_the_range(void **state)
{
	const double offset[] = { 1e15 + 1, 1e15 + 2, 1e15 + 3 };
	const double next[] = { 1, 1 + DBL_EPSILON };
	const double tiny[] = { 1e-300, 2e-300, 3e-300 };
	const double huge[] = { 1e300, 2e300, 3e300 };
	const double least[] = { 0, 0x1p-1074, 0x1p-1073 };
	const double ends[] = { DBL_MAX, -DBL_MAX };
	const double wide[] = { DBL_MAX / 2, -DBL_MAX / 2 };

	(void)state;
	assert_same(describe_sd(offset, 3), 1);
	assert_close(describe_sd(next, 2), DBL_EPSILON / sqrt(2), 1e-15);
	assert_close(describe_sd(tiny, 3), 1e-300, 1e-14);
	assert_close(describe_sd(huge, 3), 1e300, 1e-14);
	assert_same(describe_sd(least, 3), 0x1p-1074);
	assert_same(describe_sd(ends, 2), INFINITY);
	assert_close(describe_sd(wide, 2), DBL_MAX / sqrt(2), 1e-15);
}

static void skewness_has_the_sign_of_the_long_tail(void **state)
{
	const double right[] = { 1, 2, 3, 4, 10 };
	const double left[] = { -1, -2, -3, -4, -10 };
	const double none[] = { 1e300, 2e300, 3e300 };
	const double equal[] = { 2, 2, 2 };
	const double least[] = { 0x1p-1074, 0x1p-1074, 0x1p-1073 };

	(void)state;
	assert_close(describe_skewness(least, 3), sqrt(3), 1e-14);
	assert_close(describe_skewness(right, 5), 1.697056274847714, 1e-14);
	assert_close(describe_skewness(left, 5), -1.697056274847714, 1e-14);
	assert_same(describe_skewness(none, 3), 0);
	assert_same(describe_skewness(equal, 3), NAN);
	assert_same(describe_skewness(right, 2), NAN);
}

static void quantile_is_type_7(void **state)
{
	const double x[] = { 10, 1, 3, 2, 4 };
	const double ends[] = { -DBL_MAX, DBL_MAX };

	(void)state;
	assert_same(describe_quantile(x, 5, 0), 1);
	assert_same(describe_quantile(x, 5, 1), 10);
	assert_same(describe_quantile(x, 5, 0.25), 2);
	assert_close(describe_quantile(x, 5, 0.9), 7.6, 1e-15);
	assert_same(describe_median(x, 5), 3);
	assert_same(describe_median(x, 4), 2.5);
	assert_same(describe_median(x, 1), 10);
	assert_same(describe_median(ends, 2), 0);
	assert_close(describe_quantile(ends, 2, 0.75), DBL_MAX / 2, 1e-15);
}

static void what_cannot_be_described_is_nan(void **state)
{
	const double bad[] = { 1, NAN, 3 }, open[] = { 1, INFINITY, 3 };

	(void)state;
	assert_same(describe_mean(bad, 0), NAN);
	assert_same(describe_sd(bad, 1), NAN);
	assert_same(describe_mean(bad, 3), NAN);
	assert_same(describe_mean(open, 3), NAN);
	assert_same(describe_sd(bad, 3), NAN);
	assert_same(describe_sd(open, 3), NAN);
	assert_same(describe_skewness(open, 3), NAN);
	assert_same(describe_median(bad, 3), NAN);
	assert_same(describe_median(bad, 0), NAN);
	assert_same(describe_quantile(bad, 1, -0.1), NAN);
	assert_same(describe_quantile(bad, 1, 1.1), NAN);
	assert_same(describe_quantile(bad, 1, NAN), NAN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sum_loses_nothing),
		cmocka_unit_test(sum_is_rounded_to_nearest_even_once),
		cmocka_unit_test(sum_holds_the_widest_spread_of_bits),
		cmocka_unit_test(mean_of_equal_values_is_that_value),
		cmocka_unit_test(mean_survives_cancelling_and_overflowing_sums),
		cmocka_unit_test(sd_survives_offsets_and_the_ends_of_the_range),
		cmocka_unit_test(skewness_has_the_sign_of_the_long_tail),
		cmocka_unit_test(quantile_is_type_7),
		cmocka_unit_test(what_cannot_be_described_is_nan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
