#include "stats/student.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>

/* Above it the expansion in 1/df is exact to double precision. */
#define LARGE_DF 1e4
#define MAX_STEPS 200

double student_two_sided(double t, double df)
{
	double square = t * t;

	/*
	 * Abramowitz and Stegun 26.7.1: I_x(df/2, 1/2) with x = df/(df + t^2),
	 * which is 1 - I_(1-x)(1/2, df/2). Whichever of x and 1 - x is small
	 * has kept its digits.
	 */
	if (square < df)
		return gsl_cdf_beta_Q(square / (df + square), 0.5, df / 2);
	return gsl_cdf_beta_P(df / (df + square), df / 2, 0.5);
}

/* P(|T| <= t), without taking a small one from 1. */
static double central(double t, double df)
{
	return gsl_cdf_beta_P(t * t / (df + t * t), 0.5, df / 2);
}

/*
 * Expansion of the quantile about the normal one, z (Fisher and Cornish 1960;
 * Abramowitz and Stegun 26.7.5).
 */
static double expansion(double z, double df)
{
	double y = z * z;
	double g1 = z * (y + 1) / 4;
	double g2 = z * ((5 * y + 16) * y + 3) / 96;
	double g3 = z * (((3 * y + 19) * y + 17) * y - 15) / 384;
	double g4 = z * ((((79 * y + 776) * y + 1482) * y - 1920) * y - 945) /
		    92160;

	return z + (g1 + (g2 + (g3 + g4 / df) / df) / df) / df;
}

/*
 * Newton's method for log P = log target in log t. Both log P(|T| > t) and
 * log P(|T| <= t) are concave in log t, so that every step but the first comes
 * nearer to the root from the same side, wherever it starts.
 */
static double solve(double level, double df, double t)
{
	bool tail = level >= 0.5;
	double target = tail ? 1 - level : level;

	for (int i = 0; i < MAX_STEPS; i++) {
		double p = tail ? student_two_sided(t, df) : central(t, df);
		double slope = 2 * gsl_ran_tdist_pdf(t, df) * t / p;
		double step = log(p / target) / (tail ? slope : -slope);

		t *= exp(step);
		if (fabs(step) <= 2 * DBL_EPSILON || !isfinite(t))
			break;
	}
	return t;
}

double student_quantile(double level, double df)
{
	double z;

	assert(level > 0 && level < 1 && df > 0);
	if (level < 1e-8) /* the density is flat there, to 1e-16 */
		return level / (2 * gsl_ran_tdist_pdf(0, df));
	z = gsl_cdf_ugaussian_Qinv((1 - level) / 2);
	if (df >= LARGE_DF)
		return expansion(z, df);
	return solve(level, df, z);
}
