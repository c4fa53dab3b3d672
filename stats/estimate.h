#ifndef STATS_ESTIMATE_H
#define STATS_ESTIMATE_H

#include <math.h> /* NAN */
#include <stddef.h>

enum estimate_method {
	ESTIMATE_NONE = 0,
	ESTIMATE_MEAN_T,        /* arithmetic mean, t interval */
	ESTIMATE_MEDIAN_ORDER,  /* median, order-statistic interval */
	ESTIMATE_RATIO_FIELLER, /* ratio of means, Fieller with Welch df */
};

/* Warnings travel with the number; texts by estimate_warning_text(). */
enum estimate_warning {
	ESTIMATE_N_LT_2 = 1 << 0,           /* no interval */
	ESTIMATE_N_LT_3 = 1 << 1,           /* interval from two runs */
	ESTIMATE_MEDIAN_UNBOUNDED = 1 << 2, /* n < 6 at 95 % */
	ESTIMATE_ZERO_VARIANCE = 1 << 3,    /* the interval is a point */
	ESTIMATE_UNBOUNDED_RATIO = 1 << 4,  /* Fieller g >= 1: no ends */
	ESTIMATE_CENSORED = 1 << 5,         /* timed-out runs left out */
	ESTIMATE_SKEWED = 1 << 6,           /* mean: |G1| > 1, n < 30, and
	                                     * more than chance explains */
	ESTIMATE_NEGATIVE_BASE = 1 << 7,    /* ratio to a mean below 0 */
};

/*
 * A number that never travels alone: value, interval, level, n and method.
 * What is missing is NaN (never 0).
 */
struct estimate {
	double value;
	double low, high;  /* the interval's ends; NaN: none, +-INF: open */
	double sd;         /* of the runs; NaN for n < 2 and for ratios */
	double level;      /* two-sided confidence asked for, 0.95 */
	double coverage;   /* what the interval really covers when that is
	                    * known and not `level` (order statistics) */
	size_t n;          /* runs behind it */
	size_t n_base;     /* ratio: runs of the denominator, else 0 */
	unsigned warnings; /* enum estimate_warning, or-ed */
	enum estimate_method method;
};

#define ESTIMATE_INIT                                                        \
	{ .value = NAN, .low = NAN, .high = NAN, .sd = NAN, .coverage = NAN }

/*
 * "t interval of the mean" and the like, for captions (which put the level
 * in front: "95 % t interval of the mean").
 */
const char *estimate_method_text(enum estimate_method m);
/* Text of one warning bit, with its remedy; no full stop. */
const char *estimate_warning_text(enum estimate_warning w);
/* All bits in use: for (w = 1; w & ESTIMATE_WARNINGS; w <<= 1) */
#define ESTIMATE_WARNINGS 0xff

#endif
