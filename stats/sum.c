#include "stats/sum.h"

#include <assert.h>
#include <math.h>

void sum_add(struct sum *s, double x)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n; i++) {
		/* Knuth's two-sum: x + y = high + low, exactly */
		double y = s->part[i];
		double high = x + y;
		double b = high - x;
		double low = (x - (high - b)) + (y - b);

		if (low != 0)
			s->part[kept++] = low;
		x = high;
	}
	assert(kept < SUM_PARTS);
	s->part[kept++] = x;
	s->n = kept;
}

void sum_add_product(struct sum *s, double a, double b)
{
	double product = a * b;

	sum_add(s, product);
	sum_add(s, fma(a, b, -product));
}

double sum_value(const struct sum *s)
{
	size_t i = s->n;
	double high, low = 0;

	if (!i)
		return 0;
	high = s->part[--i];
	while (i > 0 && low == 0) {
		double x = high, y = s->part[--i];

		high = x + y;
		low = y - (high - x);
	}
	/*
	 * The parts below decide a tie: when `low` is half a unit of `high`
	 * and they have its sign, round away from where ties went.
	 */
	if (i > 0 && low != 0 && signbit(low) == signbit(s->part[i - 1])) {
		double twice = 2 * low;
		double away = high + twice;

		if (away - high == twice)
			high = away;
	}
	return high;
}
