#include "stats/describe.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "stats/sorted.h"
#include "stats/sum.h"

/*
 * Values from HUGE_SIZE on are scaled down, so that no sum of them overflows;
 * when all are below TINY_SIZE they are scaled up, so that rounding errors do
 * not underflow. By powers of two: exactly.
 */
#define HUGE_SIZE 0x1p950
#define HUGE_SCALE 0x1p-80
#define TINY_SIZE 0x1p-850
#define TINY_SCALE 0x1p120

/* A mean with its rounding error: hi + lo, and |lo| <= half a unit of hi. */
struct centre {
	double hi, lo;
};

/* Largest magnitude, or NaN when a value is not finite. */
static double largest(const double *x, size_t n)
{
	double max = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(x[i]))
			return NAN;
		if (fabs(x[i]) > max)
			max = fabs(x[i]);
	}
	return max;
}

/*
 * The mean of scale * x. First S / n from the exact sum S, then one step of
 * refinement with the exact remainder S - n m: so n equal values have exactly
 * that mean, and the mean of any values is rounded from a double length one.
 */
static struct centre centre_of(const double *x, size_t n, double scale)
{
	struct centre c;
	struct sum s;
	double m, rest;

	sum_init(&s);
	for (size_t i = 0; i < n; i++)
		sum_add(&s, x[i] * scale);
	m = sum_value(&s) / (double)n;
	sum_add_product(&s, -m, (double)n);
	rest = sum_value(&s) / (double)n;
	c.hi = m + rest;
	c.lo = rest - (c.hi - m);
	return c;
}

static double scale_for(double max)
{
	if (max >= HUGE_SIZE)
		return HUGE_SCALE;
	return max < TINY_SIZE ? TINY_SCALE : 1;
}

double describe_mean(const double *x, size_t n)
{
	double max = largest(x, n);
	double scale = scale_for(max);

	if (!n || isnan(max))
		return NAN;
	return centre_of(x, n, scale).hi / scale;
}

/*
 * Sums of powers of the deviations d = (x - mean) 2^-exponent, where the
 * exponent brings the largest d to [0.5, 1): no power of it overflows, and
 * one that underflows is too small to count.
 */
struct deviations {
	double sum2, sum3;
	int exponent;
	bool zero;      /* all values are equal */
};

static double deviation(double x, double scale, struct centre c)
{
	return (x * scale - c.hi) - c.lo;
}

/* false when a value is not finite. */
static bool deviations_of(struct deviations *d, const double *x, size_t n)
{
	double max = largest(x, n), scale = scale_for(max), widest = 0;
	struct sum sum2, sum3;
	struct centre c;

	if (isnan(max))
		return false;
	c = centre_of(x, n, scale);
	for (size_t i = 0; i < n; i++)
		widest = fmax(widest, fabs(deviation(x[i], scale, c)));
	frexp(widest, &d->exponent);
	sum_init(&sum2);
	sum_init(&sum3);
	for (size_t i = 0; i < n; i++) {
		double v = ldexp(deviation(x[i], scale, c), -d->exponent);

		sum_add(&sum2, v * v);
		sum_add(&sum3, v * v * v);
	}
	d->sum2 = sum_value(&sum2);
	d->sum3 = sum_value(&sum3);
	d->zero = widest == 0;
	d->exponent -= ilogb(scale);
	return true;
}

double describe_sd(const double *x, size_t n)
{
	struct deviations d;

	if (n < 2 || !deviations_of(&d, x, n))
		return NAN;
	return ldexp(sqrt(d.sum2 / (double)(n - 1)), d.exponent);
}

double describe_skewness(const double *x, size_t n)
{
	struct deviations d;
	double count = (double)n, m2, g1;

	if (n < 3 || !deviations_of(&d, x, n) || d.zero)
		return NAN;
	m2 = d.sum2 / count;
	g1 = d.sum3 / count / (m2 * sqrt(m2));
	return g1 * sqrt(count * (count - 1)) / (count - 2);
}

double describe_quantile(const double *x, size_t n, double p)
{
	double *sorted, q;

	if (!n || isnan(largest(x, n)) || !(p >= 0 && p <= 1))
		return NAN;
	sorted = sorted_copy(x, n);
	q = sorted_quantile(sorted, n, p);
	free(sorted);
	return q;
}

double describe_median(const double *x, size_t n)
{
	return describe_quantile(x, n, 0.5);
}
