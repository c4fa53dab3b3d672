#ifndef STATS_CONTRAST_H
#define STATS_CONTRAST_H

#include <stddef.h>

#include "stats/design.h"
#include "stats/estimate.h"
#include "stats/frame.h"

struct error;
struct sample;

/*
 * Ratio of means mean(x) / mean(base) with Fieller's interval and Welch's
 * degrees of freedom (Fieller 1954; reference conventions in
 * tests/data/stats). With g >= 1 the set is unbounded: no ends and
 * ESTIMATE_UNBOUNDED_RATIO. ERROR_USAGE when either side is empty or not
 * finite, the denominator's mean is 0, the level is not between 0 and 1, or
 * the ratio is beyond double's range; fewer than 2 runs on a side give no
 * ends. A baseline whose mean is below 0 gives ESTIMATE_NEGATIVE_BASE; when
 * both sides are constant the interval is a point.
 */
int contrast_ratio(const double *x, size_t n, const double *base,
		   size_t n_base, double level, struct estimate *out,
		   struct error *err);

/*
 * The same for two samples, with ESTIMATE_CENSORED when either left out
 * timed-out runs. An empty sample is no error here: the value is missing.
 */
int contrast_of_samples(const struct sample *x, const struct sample *base,
			double level, struct estimate *out,
			struct error *err);

/* A treatment and what it is compared with; indexes into the design. */
struct contrast_pair {
	size_t treatment;
	size_t base;
};

/*
 * Every treatment but the bases, each with its base: the treatment that is
 * like it but has the n baseline settings ({place: disk}: memory with 4 KiB
 * against disk with 4 KiB; see design_neighbour()). In the order of the design.
 * A treatment whose base is not in the design has no pair. Without settings
 * there is no baseline and no pair. Returns their number; the caller frees
 * *pairs (NULL when there are none).
 */
size_t contrast_pairs(const struct design *d, const struct setting *baseline,
		      size_t n, struct contrast_pair **pairs);

/* Decision from the interval of a ratio against a margin (0.01 = 1 %). */
enum verdict {
	VERDICT_NONE = 0,     /* no interval, or no better direction */
	VERDICT_IMPROVED,
	VERDICT_REGRESSED,
	VERDICT_EQUIVALENT,
	VERDICT_INCONCLUSIVE,
};

/*
 * Equivalent: the whole interval is within 1 - margin .. 1 + margin. Improved
 * or regressed: it is wholly outside, on the better or worse side. Otherwise
 * inconclusive. NONE without two finite ends, with a baseline below 0, and for a
 * difference when nobody said which side is better. margin >= 0.
 */
enum verdict contrast_verdict(const struct estimate *ratio,
			      enum better better, double margin);

#endif
