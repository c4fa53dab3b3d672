#ifndef SCHEDULE_MATRIX_DESIGN_H
#define SCHEDULE_MATRIX_DESIGN_H

#include <stddef.h>

struct design;
struct experiment;
struct matrix;
struct problems;

/*
 * The design of one matrix, over all factors of the experiment. `most`: runs
 * that it may make at most. Adds to *n_excluded the combinations that filters
 * dropped. Returns 0, or -1 after reporting what is wrong where it is
 * written; the design must be released in both cases.
 */
int matrix_design(struct design *d, const struct experiment *e,
		  const struct matrix *m, size_t most, size_t *n_excluded,
		  struct problems *p);

/* Runs that each treatment of the matrix makes. */
size_t matrix_runs_each(const struct experiment *e, const struct matrix *m);

#endif
