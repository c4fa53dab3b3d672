#ifndef STATS_ORDER_H
#define STATS_ORDER_H

#include <stddef.h>

/*
 * Ranks (1 .. n) of the order statistics that hold the p-quantile between
 * them with at least `level`, whatever the distribution (David and Nagaraja
 * 2003, section 7.1): `low` is the largest l with P(Bin(n,p) <= l-1) <= a/2,
 * `high` the smallest u with P(Bin(n,p) <= u-1) >= 1 - a/2, a = 1 - level.
 * Rank 0 and n + 1 are open ends.
 */
struct order_interval {
	size_t low, high;
	double coverage; /* what the pair really covers */
};

/* 0 < p < 1, 0 < level < 1. */
struct order_interval order_interval(size_t n, double p, double level);

#endif
