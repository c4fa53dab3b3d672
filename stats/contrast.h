#ifndef STATS_CONTRAST_H
#define STATS_CONTRAST_H

#include <stddef.h>

#include "stats/estimate.h"
#include "stats/frame.h"

struct error;

/*
 * Ratio of means mean(x) / mean(base) with Fieller's interval and Welch's
 * degrees of freedom (Fieller 1954; reference conventions in
 * tests/data/stats). With g >= 1 the set is unbounded: no ends and
 * ESTIMATE_UNBOUNDED_RATIO. ERROR_USAGE when either side is empty or the
 * denominator's mean is 0; fewer than 2 runs on a side give no ends.
 */
int contrast_ratio(const double *x, size_t n, const double *base,
		   size_t n_base, double level, struct estimate *out,
		   struct error *err);

/* Decision from the interval of a ratio against a margin (0.01 = 1 %). */
enum verdict {
	VERDICT_NONE = 0,     /* no interval */
	VERDICT_IMPROVED,
	VERDICT_REGRESSED,
	VERDICT_EQUIVALENT,
	VERDICT_INCONCLUSIVE,
};
enum verdict contrast_verdict(const struct estimate *ratio,
			      enum better better, double margin);

#endif
