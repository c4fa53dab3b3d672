#ifndef STATS_INTERVAL_H
#define STATS_INTERVAL_H

#include <stddef.h>

#include "stats/estimate.h"

struct error;

/*
 * Mean with t interval: m +- t(n-1) s / sqrt(n). n = 0 is refused
 * (ERROR_USAGE); n = 1 gives the value with ESTIMATE_N_LT_2 and no ends.
 * 0 < level < 1.
 */
int interval_mean(const double *x, size_t n, double level,
		  struct estimate *out, struct error *err);

/*
 * Median with the distribution-free order-statistic interval: the narrowest
 * symmetric pair of order statistics that covers at least `level`
 * (binomial); open ends when n is too small.
 */
int interval_median(const double *x, size_t n, double level,
		    struct estimate *out, struct error *err);

#endif
