#ifndef PLOT_CHART_TICKS_H
#define PLOT_CHART_TICKS_H

#include <stddef.h>

#include "plot/chart/scale.h"

#define TICKS_MIN 4
#define TICKS_MAX 7
#define TICKS_LABEL_SIZE 40

/*
 * The marks of a linear axis: multiples of 1, 2, 2.5 or 5 times a power of
 * ten. Labels have the same number of decimals, a true minus sign, thin spaces
 * between groups of three from 10,000 on, and say value / 10^exponent:
 * the exponent is 0 unless they would be long (from a million on, or below
 * a thousandth). They do not depend on the locale.
 */
struct ticks {
	double value[TICKS_MAX];
	char label[TICKS_MAX][TICKS_LABEL_SIZE];
	size_t n;
	int exponent;
	struct range axis; /* the data and the outer ticks */
};

/* `data` finite, lo < hi, neither beyond 1e300; about `wanted` ticks. */
void ticks_choose(struct ticks *t, const struct range *data, unsigned wanted);

/* "×10⁻⁶", or "" when the exponent is 0; returns `text`. */
char *ticks_factor(const struct ticks *t, char text[TICKS_LABEL_SIZE]);

#endif
