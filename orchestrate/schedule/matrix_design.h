#ifndef SCHEDULE_MATRIX_DESIGN_H
#define SCHEDULE_MATRIX_DESIGN_H

#include <stddef.h>

struct design;
struct expansion;
struct experiment;
struct matrix;
struct problems;

/*
 * The design of one matrix, over all factors of the experiment. `most`: runs
 * that it may make at most. What filters dropped is added to x->n_excluded and
 * x->effects. Returns 0, or -1 after reporting what is wrong where it is
 * written; the design must be released in both cases.
 */
int matrix_design(struct design *d, struct expansion *x,
		  const struct matrix *m, size_t most, struct problems *p);

/* Runs that each treatment of the matrix makes. */
size_t matrix_runs_each(const struct experiment *e, const struct matrix *m);

#endif
