#ifndef STATS_FRACTION_H
#define STATS_FRACTION_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct error;
struct factor;

/*
 * Regular fractional factorial designs 2^(k-p): p of k two-level factors are
 * products of the others (Box, Hunter, Hunter, Statistics for Experimenters,
 * chapter 6; Montgomery, Design and Analysis of Experiments, chapter 8).
 */
struct generator {
	size_t factor;     /* index into the factors: = [-] the product of */
	size_t *of;        /* these */
	size_t n;
	bool negative;
};

#endif
