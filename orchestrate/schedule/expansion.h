#ifndef SCHEDULE_EXPANSION_H
#define SCHEDULE_EXPANSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchestrate/spec/problem.h"
#include "stats/design.h"

struct error;
struct experiment;
struct fraction;

/*
 * The treatments that an experiment asks for: those of every matrix, each
 * treatment once, over all factors (those that a matrix does not have are
 * absent). A file with one matrix of all factors has its design itself.
 */
/* How many combinations a filter dropped that those before it had left; one
 * that several matrices share is there once. */
struct filter_effect {
	struct mark mark;
	size_t dropped;
};

struct expansion {
	struct design design;      /* of kind DESIGN_LIST when there is more
	                            * than one matrix */
	struct matrix_share {
		uint32_t *treatments; /* indexes into the design, in the
		                       * matrix's order; NULL: all of it */
		size_t n_treatments;
	} *shares;                 /* one for each matrix */
	size_t n_shares;
	struct filter_effect *effects; /* of `include` and `exclude` */
	size_t n_effects, cap_effects;
	size_t n_excluded;         /* combinations that filters dropped;
	                            * SIZE_MAX: more than can be counted */
	const struct experiment *experiment; /* borrowed */
};

/*
 * Linear in the number of combinations. Returns 0, or -1 with problems where
 * they stand in the file: nothing left, too many, an expression without a value,
 * a factor that exists nowhere, and what design_make() refuses. A Latin square is
 * drawn from the seed in the file (0 when there is none there): it belongs to the
 * design, an order drawn from another seed does not change it. A matrix without
 * benchmarks among others has no treatment.
 * The experiment is borrowed. Must be released in both cases.
 */
int expansion_make(struct expansion *x, const struct experiment *e,
		   struct problems *p);
void expansion_release(struct expansion *x);

/* The matrix's i-th treatment. */
size_t expansion_treatment(const struct expansion *x, size_t matrix, size_t i);

/* Whether any matrix that makes the benchmark varies the factor. */
bool expansion_varies(const struct expansion *x, size_t benchmark,
		      size_t factor);
/*
 * For each treatment of the design whether some matrix measures the benchmark
 * at it; the caller frees it. In a file with one matrix: all of them, or
 * none.
 */
bool *expansion_measures(const struct expansion *x, size_t benchmark);

/*
 * The treatment that all others of a one-at-a-time matrix differ from in one
 * factor. False when the matrix is of another kind, or filters drop it.
 */
bool expansion_centre(const struct expansion *x, size_t matrix,
		      size_t *treatment);

/*
 * The confounding in a matrix of kind DESIGN_FRACTIONAL. 0, since
 * expansion_make() went well. Must be released with fraction_release().
 */
int expansion_fraction(const struct expansion *x, size_t matrix,
		       struct fraction *f, struct error *err);

#endif
