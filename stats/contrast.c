#include "stats/contrast.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/mem.h"
#include "stats/describe.h"
#include "stats/sample.h"
#include "stats/student.h"
#include "stats/values.h"

/*
 * What Fieller's interval needs, free of the scale of the data: the ratio r
 * and the standard errors of both means divided by the denominator's mean.
 */
struct fieller {
	double r;
	double ux, ub;
	double n, n_base;
};

/*
 * Welch (1947) and Satterthwaite (1946) at the estimated ratio, for the
 * variance ux^2 + r^2 ub^2; parts are divided by the larger, which leaves
 * the result as it is and cannot overflow.
 */
static double welch_df(const struct fieller *f)
{
	double a = fabs(f->ux), b = fabs(f->r * f->ub);
	double largest = fmax(a, b);

	if (largest == 0) /* the limit for r -> 0 */
		return f->n_base - 1;
	a = (a / largest) * (a / largest);
	b = (b / largest) * (b / largest);
	return (a + b) * (a + b) /
	       (a * a / (f->n - 1) + b * b / (f->n_base - 1));
}

/*
 * Fieller (1954): the p with (r - p)^2 <= t^2 (ux^2 + p^2 ub^2). With
 * g = (t ub)^2 < 1 they are an interval,
 *	[r -+ t sqrt((1 - g) ux^2 + r^2 ub^2)] / (1 - g).
 */
static void fieller_ends(const struct fieller *f, struct estimate *out)
{
	double t = student_quantile(out->level, welch_df(f));
	double g = t * f->ub * t * f->ub;
	double half;

	if (g >= 1) {
		out->warnings |= ESTIMATE_UNBOUNDED_RATIO;
		return;
	}
	half = t * hypot(sqrt(1 - g) * f->ux, f->r * f->ub);
	out->low = (f->r - half) / (1 - g);
	out->high = (f->r + half) / (1 - g);
	if (out->low == out->high)
		out->warnings |= ESTIMATE_ZERO_VARIANCE;
}

static int check(const double *x, size_t n, const double *base,
		 size_t n_base, double level, struct error *err)
{
	if (values_check_level(level, err) ||
	    values_check(x, n, "values", err) ||
	    values_check(base, n_base, "baseline", err))
		return -1;
	if (describe_mean(base, n_base) == 0)
		return error_set(err, ERROR_USAGE,
				 "the baseline's mean is 0, so there is no "
				 "ratio to it; look at the two means");
	return 0;
}

static int range_error(struct error *err)
{
	return error_set(err, ERROR_USAGE,
			 "the ratio to the baseline is beyond the range of "
			 "numbers; check that both are in one unit");
}

static double standard_error(const double *x, size_t n)
{
	return describe_sd(x, n) / sqrt((double)n);
}

int contrast_ratio(const double *x, size_t n, const double *base,
		   size_t n_base, double level, struct estimate *out,
		   struct error *err)
{
	struct fieller f = { .n = (double)n, .n_base = (double)n_base };
	size_t least = n < n_base ? n : n_base;
	double mean, mean_base;

	*out = (struct estimate)ESTIMATE_INIT;
	out->method = ESTIMATE_RATIO_FIELLER;
	out->level = level;
	out->n = n;
	out->n_base = n_base;
	if (check(x, n, base, n_base, level, err))
		return -1;
	mean = describe_mean(x, n);
	mean_base = describe_mean(base, n_base);
	f.r = mean / mean_base;
	if (!isfinite(f.r) || (mean != 0 && fabs(f.r) < DBL_MIN))
		return range_error(err);
	out->value = f.r;
	if (mean_base < 0)
		out->warnings |= ESTIMATE_NEGATIVE_BASE;
	if (least < 3)
		out->warnings |= least < 2 ? ESTIMATE_N_LT_2 : ESTIMATE_N_LT_3;
	if (least < 2)
		return 0;
	f.ux = standard_error(x, n) / fabs(mean_base);
	f.ub = standard_error(base, n_base) / fabs(mean_base);
	if (!isfinite(f.ux))
		return range_error(err);
	fieller_ends(&f, out);
	if (isinf(out->low) || isinf(out->high))
		return range_error(err);
	return 0;
}

int contrast_of_samples(const struct sample *x, const struct sample *base,
			double level, struct estimate *out,
			struct error *err)
{
	int rc = 0;

	if (x->n && base->n) {
		rc = contrast_ratio(x->value, x->n, base->value, base->n,
				    level, out, err);
	} else {
		*out = (struct estimate)ESTIMATE_INIT;
		out->method = ESTIMATE_RATIO_FIELLER;
		out->level = level;
		out->n = x->n;
		out->n_base = base->n;
	}
	if (x->n_censored || base->n_censored)
		out->warnings |= ESTIMATE_CENSORED;
	return rc;
}

size_t contrast_pairs(const struct design *d, const struct setting *baseline,
		      size_t n, struct contrast_pair **pairs)
{
	size_t n_pairs = 0, cap = 0;

	*pairs = NULL;
	for (size_t t = 0; n && t < d->n_treatments; t++) {
		size_t base = design_neighbour(d, t, baseline, n);

		if (base == t || base == d->n_treatments)
			continue;
		MEM_GROW(*pairs, n_pairs, cap);
		(*pairs)[n_pairs].treatment = t;
		(*pairs)[n_pairs].base = base;
		n_pairs++;
	}
	return n_pairs;
}

enum verdict contrast_verdict(const struct estimate *ratio,
			      enum better better, double margin)
{
	bool above = ratio->low > 1 + margin;
	bool below = ratio->high < 1 - margin;

	assert(margin >= 0);
	if (!isfinite(ratio->low) || !isfinite(ratio->high) ||
	    (ratio->warnings & ESTIMATE_NEGATIVE_BASE))
		return VERDICT_NONE;
	if (ratio->low >= 1 - margin && ratio->high <= 1 + margin)
		return VERDICT_EQUIVALENT;
	if (!above && !below)
		return VERDICT_INCONCLUSIVE;
	if (better == BETTER_UNSAID)
		return VERDICT_NONE;
	return above == (better == BETTER_HIGHER) ? VERDICT_IMPROVED
						  : VERDICT_REGRESSED;
}
