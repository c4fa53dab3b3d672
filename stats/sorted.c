#include "stats/sorted.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	if (x != y)
		return x < y ? -1 : 1;
	return !!signbit(y) - !!signbit(x);
}

double *sorted_copy(const double *x, size_t n)
{
	double *copy = mem_realloc(NULL, n, sizeof(*copy));

	if (n) {
		memcpy(copy, x, n * sizeof(*copy));
		qsort(copy, n, sizeof(*copy), compare);
	}
	return copy;
}

/* Hyndman and Fan 1996, definition 7: h = (n - 1) p, counted from 0. */
double sorted_quantile(const double *sorted, size_t n, double p)
{
	double h = (double)(n - 1) * p;
	size_t below = (size_t)h;
	double part = h - (double)below;
	double a, b;

	assert(n > 0 && p >= 0 && p <= 1);
	if (below + 1 >= n)
		return sorted[n - 1];
	a = sorted[below];
	b = sorted[below + 1];
	if (isinf(b - a))
		return (1 - part) * a + part * b;
	return a + part * (b - a);
}
