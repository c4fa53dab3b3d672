#ifndef SCHEDULE_LINT_PRIVATE_H
#define SCHEDULE_LINT_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"

struct buf;

/* At work on one matrix. */
struct lint {
	const struct experiment *e;
	const struct expansion *x;
	const struct schedule *s;
	struct strlist *warnings;
	size_t matrix;
	const struct matrix *m;
	size_t n;            /* its treatments */
};

/* One for each group of lints in lint.h; of the matrix at hand. */
void lint_balance(struct lint *l);
/* How many pairs are confounded. */
size_t lint_pairs(struct lint *l);
void lint_rank(struct lint *l);
void lint_alias(struct lint *l);
void lint_hosts(struct lint *l);
/* Of the whole experiment. */
void lint_unused_levels(struct lint *l);
void lint_baseline(struct lint *l);
void lint_changes(struct lint *l);
void lint_drawings(struct lint *l);

/* Adds a line; of the matrix at hand, which is named when there are more. */
void lint_warn(struct lint *l, struct mark at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void lint_warn_matrix(struct lint *l, struct mark at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The first of these that is a place in a file; else the file's start. */
struct mark lint_mark(const struct lint *l, struct mark a, struct mark b);

/* Level of the factor in the i-th treatment of the matrix. */
static inline size_t lint_level(const struct lint *l, size_t i, size_t factor)
{
	size_t t = expansion_treatment(l->x, l->matrix, i);

	return l->x->design.cells[t * l->x->design.n_factors + factor];
}

/* In how many of the matrix's treatments each level of the factor is, then,
 * last, in how many it is absent; the caller frees it. */
size_t *lint_count(const struct lint *l, size_t factor);
/* Levels that occur. */
size_t lint_occurring(const struct lint *l, const size_t *count,
		      size_t factor);

#endif
