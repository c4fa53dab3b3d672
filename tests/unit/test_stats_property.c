/*
 * What must hold for any data: random samples of random size and scale, from
 * fixed seeds, so that a failure can be repeated.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "stats/contrast.h"
#include "stats/describe.h"
#include "stats/interval.h"
#include "stats/random.h"

#define ROUNDS 2000
#define MOST 40

static double uniform(struct random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53;
}

/* Positive values about 10^-18 .. 10^18, spread from 1e-6 to 1 of it. */
static size_t draw(struct random *r, double *x)
{
	size_t n = 2 + (size_t)random_below(r, MOST - 1);
	double size = pow(10, 36 * uniform(r) - 18);
	double spread = pow(10, -6 * uniform(r));

	for (size_t i = 0; i < n; i++)
		x[i] = size * (1 + spread * (uniform(r) - 0.5));
	return n;
}

static void shuffle(struct random *r, double *x, size_t n)
{
	uint32_t order[MOST];
	double copy[MOST];

	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	random_shuffle(r, order, n);
	memcpy(copy, x, n * sizeof(*x));
	for (size_t i = 0; i < n; i++)
		x[i] = copy[order[i]];
}

static struct estimate mean_of(const double *x, size_t n, double level)
{
	struct error err = ERROR_INIT;
	struct estimate e;

	assert_int_equal(interval_mean(x, n, level, &e, &err), 0);
	return e;
}

static struct estimate median_of(const double *x, size_t n, double level)
{
	struct error err = ERROR_INIT;
	struct estimate e;

	assert_int_equal(interval_median(x, n, level, &e, &err), 0);
	return e;
}

static struct estimate ratio_of(const double *x, size_t n, const double *base,
				size_t n_base)
{
	struct error err = ERROR_INIT;
	struct estimate e;

	assert_int_equal(contrast_ratio(x, n, base, n_base, 0.95, &e, &err),
			 0);
	return e;
}

/* Bit for bit, NaN included. */
static void assert_same(const struct estimate *a, const struct estimate *b)
{
	assert_memory_equal(&a->value, &b->value, sizeof(double));
	assert_memory_equal(&a->low, &b->low, sizeof(double));
	assert_memory_equal(&a->high, &b->high, sizeof(double));
	assert_memory_equal(&a->sd, &b->sd, sizeof(double));
	assert_int_equal(a->warnings, b->warnings);
}

static void interval_holds_the_value_and_grows_with_the_level(void **state)
{
	struct random r;

	(void)state;
	random_seed(&r, 1);
	for (int i = 0; i < ROUNDS; i++) {
		double x[MOST];
		size_t n = draw(&r, x);
		struct estimate narrow = mean_of(x, n, 0.9);
		struct estimate wide = mean_of(x, n, 0.99);

		assert_true(wide.low < narrow.low && narrow.low < narrow.value);
		assert_true(narrow.value < narrow.high &&
			    narrow.high < wide.high);
		narrow = median_of(x, n, 0.9);
		wide = median_of(x, n, 0.99);
		assert_true(wide.low <= narrow.low &&
			    narrow.low <= narrow.value);
		assert_true(narrow.value <= narrow.high &&
			    narrow.high <= wide.high);
		assert_true(narrow.coverage >= 0.9 && wide.coverage >= 0.99);
	}
}

static void mean_and_quantiles_stay_within_the_values(void **state)
{
	struct random r;

	(void)state;
	random_seed(&r, 2);
	for (int i = 0; i < ROUNDS; i++) {
		double x[MOST], p = uniform(&r);
		size_t n = draw(&r, x);
		double min = describe_quantile(x, n, 0);
		double max = describe_quantile(x, n, 1);

		assert_true(describe_mean(x, n) >= min &&
			    describe_mean(x, n) <= max);
		assert_true(describe_quantile(x, n, p) >= min &&
			    describe_quantile(x, n, p) <= max);
		assert_true(describe_sd(x, n) <= (max - min));
	}
}

static void order_of_the_values_changes_no_bit(void **state)
{
	struct random r;

	(void)state;
	random_seed(&r, 3);
	for (int i = 0; i < ROUNDS; i++) {
		double x[MOST], y[MOST];
		size_t n = draw(&r, x), m = draw(&r, y);
		struct estimate mean = mean_of(x, n, 0.95), mean2;
		struct estimate median = median_of(x, n, 0.95), median2;
		struct estimate ratio = ratio_of(x, n, y, m), ratio2;

		shuffle(&r, x, n);
		shuffle(&r, y, m);
		mean2 = mean_of(x, n, 0.95);
		median2 = median_of(x, n, 0.95);
		ratio2 = ratio_of(x, n, y, m);
		assert_same(&mean, &mean2);
		assert_same(&median, &median2);
		assert_same(&ratio, &ratio2);
	}
}

/* Signs, zeros of both signs, ties and very different sizes in one sample. */
static void order_changes_no_bit_of_ill_natured_values_either(void **state)
{
	struct random r;

	(void)state;
	random_seed(&r, 4);
	for (int i = 0; i < ROUNDS; i++) {
		double x[MOST];
		size_t n = 3 + (size_t)random_below(&r, MOST - 3);
		struct estimate mean, median, again;

		for (size_t j = 0; j < n; j++) {
			double size = ldexp(1, (int)random_below(&r, 1900) -
						       1000);

			x[j] = (double)random_below(&r, 3) * size;
			if (random_below(&r, 2))
				x[j] = -x[j];
		}
		mean = mean_of(x, n, 0.95);
		median = median_of(x, n, 0.95);
		shuffle(&r, x, n);
		again = mean_of(x, n, 0.95);
		assert_same(&mean, &again);
		again = median_of(x, n, 0.95);
		assert_same(&median, &again);
	}
}

/* By a power of two nothing is rounded: every bit stays. */
static void ratio_does_not_depend_on_the_unit(void **state)
{
	struct random r;

	(void)state;
	random_seed(&r, 5);
	for (int i = 0; i < ROUNDS; i++) {
		double x[MOST], y[MOST];
		size_t n = draw(&r, x), m = draw(&r, y);
		struct estimate before = ratio_of(x, n, y, m), after;
		double unit = ldexp(1, (int)random_below(&r, 1600) - 800);

		for (size_t j = 0; j < n; j++)
			x[j] *= unit;
		for (size_t j = 0; j < m; j++)
			y[j] *= unit;
		after = ratio_of(x, n, y, m);
		assert_same(&before, &after);
	}
}

/* Fieller's set for y/x is the set for x/y turned over. */
static void ratio_turned_over_has_the_ends_turned_over(void **state)
{
	struct random r;
	int bounded = 0;

	(void)state;
	random_seed(&r, 6);
	for (int i = 0; i < ROUNDS; i++) {
		double x[MOST], y[MOST];
		size_t n = draw(&r, x), m = draw(&r, y);
		struct estimate a = ratio_of(x, n, y, m);
		struct estimate b = ratio_of(y, m, x, n);

		if (isnan(a.low) || isnan(b.low) || a.low <= 0 || b.low <= 0)
			continue;
		bounded++;
		assert_true(fabs(a.value * b.value - 1) < 1e-13);
		assert_true(fabs(a.low * b.high - 1) < 1e-9);
		assert_true(fabs(a.high * b.low - 1) < 1e-9);
	}
	assert_true(bounded > ROUNDS * 9 / 10);
}

static double normal(struct random *r)
{
	/* Box and Muller 1958 */
	return sqrt(-2 * log(1 - uniform(r))) * cos(2 * M_PI * uniform(r));
}

/* 20,000 samples of 5: 95 % +- 4 standard errors of 0.15 %. */
static void intervals_cover_as_often_as_they_say(void **state)
{
	int mean = 0, ratio = 0, rounds = 20000;
	struct random r;

	(void)state;
	random_seed(&r, 7);
	for (int i = 0; i < rounds; i++) {
		double x[5], y[5];
		struct estimate e;

		for (int j = 0; j < 5; j++) {
			x[j] = 20 + 3 * normal(&r);
			y[j] = 10 + normal(&r);
		}
		e = mean_of(x, 5, 0.95);
		mean += e.low <= 20 && 20 <= e.high;
		e = ratio_of(x, 5, y, 5);
		ratio += e.low <= 2 && 2 <= e.high;
	}
	assert_in_range(mean, rounds * 0.944, rounds * 0.956);
	assert_in_range(ratio, rounds * 0.944, rounds * 0.962);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			interval_holds_the_value_and_grows_with_the_level),
		cmocka_unit_test(mean_and_quantiles_stay_within_the_values),
		cmocka_unit_test(order_of_the_values_changes_no_bit),
		cmocka_unit_test(
			order_changes_no_bit_of_ill_natured_values_either),
		cmocka_unit_test(ratio_does_not_depend_on_the_unit),
		cmocka_unit_test(ratio_turned_over_has_the_ends_turned_over),
		cmocka_unit_test(intervals_cover_as_often_as_they_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
