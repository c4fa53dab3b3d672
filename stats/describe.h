#ifndef STATS_DESCRIBE_H
#define STATS_DESCRIBE_H

#include <stddef.h>

/*
 * Moments and order statistics of n values. All are right for large offsets
 * and for values near the ends of double's range (scaling by a power of two,
 * exact sums, deviations from an unrounded mean): see tests/data/stats for
 * the reference. The order of the values does not change a bit of a result.
 *
 * NaN when a value is not finite, and when there are too few.
 */
double describe_mean(const double *x, size_t n);   /* n >= 1 */
/* With n - 1; n >= 2; INFINITY when it is beyond double's range. */
double describe_sd(const double *x, size_t n);
/*
 * Adjusted Fisher-Pearson skewness G1 = g1 sqrt(n (n-1)) / (n-2) (Joanes and
 * Gill 1998); n >= 3; NaN when all values are equal.
 */
double describe_skewness(const double *x, size_t n);
/* Type-7 quantile (Hyndman and Fan 1996), 0 <= p <= 1, n >= 1. */
double describe_quantile(const double *x, size_t n, double p);
double describe_median(const double *x, size_t n); /* n >= 1 */

#endif
