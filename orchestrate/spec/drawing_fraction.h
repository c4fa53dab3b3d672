#ifndef SPEC_DRAWING_FRACTION_H
#define SPEC_DRAWING_FRACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/fraction.h"

struct experiment;
struct matrix;

/*
 * What follows in a fraction from the levels of some of its factors. Each
 * factor is a product of basic ones, so that levels given are equations modulo
 * 2 between those; they are kept in echelon form.
 */
struct fraction_span {
	struct fraction fraction;
	uint64_t rows[FRACTION_MAX_FACTORS]; /* with bit i as their highest */
	bool signs[FRACTION_MAX_FACTORS];
};

/* -1 when the matrix has no right fraction: that is reported elsewhere. Must be
 * released in both cases. */
int fraction_span_init(struct fraction_span *s, const struct experiment *e,
		       const struct matrix *m);
void fraction_span_release(struct fraction_span *s);

/* Gives the factor a level; what contradicts others is ignored. */
void fraction_span_add(struct fraction_span *s, size_t factor, size_t level);
/* The only level that the factor has together with those given, or -1: both. */
int fraction_span_level(const struct fraction_span *s, size_t factor);

#endif
