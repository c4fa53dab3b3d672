#ifndef STATS_RANDOM_H
#define STATS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/*
 * xoshiro256** 1.0 (Blackman and Vigna, 2018) seeded by SplitMix64: our own
 * copy, so that an order drawn from a seed never changes with a library's
 * version. Not for secrets.
 */
struct random {
	uint64_t s[4];
};

void random_seed(struct random *r, uint64_t seed);
uint64_t random_next(struct random *r);

/* Uniform on 0 .. n-1 without modulo bias (rejection); n > 0. */
uint64_t random_below(struct random *r, uint64_t n);

/* Fisher-Yates, from the end: for i = n-1 .. 1 swap(i, random_below(i+1)). */
void random_shuffle(struct random *r, uint32_t *items, size_t n);

#endif
