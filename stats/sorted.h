#ifndef STATS_SORTED_H
#define STATS_SORTED_H

#include <stddef.h>

/*
 * A sorted copy of n values; the caller frees it. -0 comes before 0, so that
 * the copy does not depend on the order of x.
 */
double *sorted_copy(const double *x, size_t n);

/* Type-7 quantile of sorted values: see describe_quantile(). n >= 1. */
double sorted_quantile(const double *sorted, size_t n, double p);

#endif
