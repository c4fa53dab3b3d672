#ifndef STATS_DESCRIBE_H
#define STATS_DESCRIBE_H

#include <stddef.h>

/*
 * Moments and order statistics of n values. All are right for large offsets
 * and for values near the ends of double's range (pivot, scaling by a power
 * of two, compensated sums): see tests/data/stats for the reference.
 */
double describe_mean(const double *x, size_t n);   /* n >= 1 */
double describe_sd(const double *x, size_t n);     /* n - 1; n >= 2 */
/* Type-7 quantile (Hyndman and Fan 1996), 0 <= p <= 1, n >= 1. */
double describe_quantile(const double *x, size_t n, double p);
double describe_median(const double *x, size_t n); /* n >= 1 */

#endif
