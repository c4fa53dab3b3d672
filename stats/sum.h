#ifndef STATS_SUM_H
#define STATS_SUM_H

#include <stddef.h>

/*
 * An exact sum of doubles: an expansion of non-overlapping parts, smallest
 * first, that loses nothing (Shewchuk 1997, "Adaptive precision
 * floating-point arithmetic", grow-expansion with zero elimination). Hence
 * the order of the terms never changes the result by a bit.
 *
 * Terms must be finite and so far from overflow that no partial sum
 * overflows; describe.c scales them. 2,098 bits of double's range need at
 * most 40 parts of 53 bits.
 */
#define SUM_PARTS 48

struct sum {
	double part[SUM_PARTS];
	size_t n;
};

static inline void sum_init(struct sum *s)
{
	s->n = 0;
}

void sum_add(struct sum *s, double x);
/* Adds a * b exactly (unless the product's tail underflows). */
void sum_add_product(struct sum *s, double a, double b);
/* The sum, rounded once, to nearest even; 0 when nothing was added. */
double sum_value(const struct sum *s);

#endif
