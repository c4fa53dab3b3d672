#ifndef SCHEDULE_MATRIX_OPTIONS_H
#define SCHEDULE_MATRIX_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "orchestrate/spec/problem.h"
#include "stats/design_make.h"

struct experiment;
struct matrix;

/* A matrix in the words of stats/, and where its parts are written. */
struct matrix_options {
	const struct experiment *e;
	const struct matrix *m;
	struct problems *p; /* for what is wrong */
	struct design_options o;
	struct design_fault fault;
	bool *part;
	struct design_zip *zips;
	struct mark *zip_marks;
	struct design_existence *existences;
	struct design_rule *rules;
	struct mark *rule_marks;
	struct mark include_fault; /* the one that has no value */
	struct setting *base;
	size_t *dropped;
};

/*
 * Several matrices may have one design in common: links and conditions of
 * factors that this one does not vary are left out. A base that is not
 * written whole has the baseline's levels for the rest (linked factors go along
 * with what is written), else the first ones. The experiment is borrowed; `k` must stay where it is.
 */
void matrix_options_init(struct matrix_options *k, const struct experiment *e,
			 const struct matrix *m, struct problems *p);
/* Whether the two go along, or are one. */
bool matrix_options_linked(const struct matrix_options *k, size_t a, size_t b);
void matrix_options_release(struct matrix_options *k);

#endif
