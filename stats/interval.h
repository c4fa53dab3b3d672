#ifndef STATS_INTERVAL_H
#define STATS_INTERVAL_H

#include <stddef.h>

#include "stats/estimate.h"

struct error;
struct sample;

/*
 * Mean with t interval: m +- t(n-1) s / sqrt(n). n = 0 is refused
 * (ERROR_USAGE), as are values that are not finite and a level that is not
 * between 0 and 1; n = 1 gives the value with ESTIMATE_N_LT_2 and no ends.
 * Ends beyond double's range are refused, too.
 */
int interval_mean(const double *x, size_t n, double level,
		  struct estimate *out, struct error *err);

/*
 * Median with the distribution-free order-statistic interval: the narrowest
 * symmetric pair of order statistics that covers at least `level`
 * (binomial), and its true coverage; open ends when n is too small. Refuses
 * what interval_mean() refuses.
 */
int interval_median(const double *x, size_t n, double level,
		    struct estimate *out, struct error *err);

/*
 * One of the above (by method) of a sample, with ESTIMATE_CENSORED when
 * timed-out runs were left out. A sample without runs is no error here: the
 * value is missing, n is 0.
 */
int interval_of_sample(const struct sample *s, enum estimate_method method,
		       double level, struct estimate *out, struct error *err);

#endif
