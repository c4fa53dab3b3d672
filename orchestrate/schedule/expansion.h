#ifndef SCHEDULE_EXPANSION_H
#define SCHEDULE_EXPANSION_H

#include <stddef.h>
#include <stdint.h>

#include "stats/design.h"

struct experiment;
struct problems;

/*
 * The treatments that an experiment asks for: those of every matrix, each
 * treatment once, over all factors (those that a matrix does not have are
 * absent). A file with one matrix of all factors has its design itself.
 */
struct expansion {
	struct design design;      /* of kind DESIGN_LIST when there is more
	                            * than one matrix */
	struct matrix_share {
		uint32_t *treatments; /* indexes into the design, in the
		                       * matrix's order; NULL: all of it */
		size_t n_treatments;
	} *shares;                 /* one for each matrix */
	size_t n_shares;
	size_t n_excluded;         /* combinations that filters dropped */
};

/*
 * Linear in the number of combinations. Returns 0, or -1 with problems where
 * they stand in the file: nothing left, too many, an expression without a value.
 * The experiment is borrowed. Must be released in both cases.
 */
int expansion_make(struct expansion *x, const struct experiment *e,
		   struct problems *p);
void expansion_release(struct expansion *x);

/* The matrix's i-th treatment. */
size_t expansion_treatment(const struct expansion *x, size_t matrix, size_t i);

#endif
