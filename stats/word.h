#ifndef STATS_WORD_H
#define STATS_WORD_H

#include <stddef.h>

#include "stats/fraction.h"

static inline size_t word_length(struct word w)
{
	return (size_t)__builtin_popcountll(w.factors);
}

/* The square of a factor is 1. */
static inline struct word word_product(struct word a, struct word b)
{
	return (struct word){ a.factors ^ b.factors, a.negative != b.negative };
}

/* By length, then in the order of the factors: ab, ac, bc, abc. */
static inline int word_compare(struct word a, struct word b)
{
	uint64_t differ = a.factors ^ b.factors;
	size_t na = word_length(a), nb = word_length(b);

	if (na != nb)
		return na < nb ? -1 : 1;
	if (!differ)
		return 0;
	return a.factors & differ & -differ ? -1 : 1;
}

#endif
