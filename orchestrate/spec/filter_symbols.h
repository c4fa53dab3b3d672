#ifndef SPEC_FILTER_SYMBOLS_H
#define SPEC_FILTER_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "orchestrate/spec/expr.h"
#include "orchestrate/spec/reading.h"

/*
 * What a filter's expression can name: factors, and variables that their
 * levels set. The value of a name is a look-up in a table by level.
 */
struct filter_table {
	size_t factor;
	struct expr_value *values; /* by level; EXPR_ABSENT: not set there */
};

/* Of a name: the last table that has a value wins. */
struct filter_column {
	char *name;
	struct filter_table *tables;
	size_t n;
};

struct filter_symbols {
	struct filter_column *columns; /* an expression's variables */
	size_t n_columns, cap_columns;
	/* while it is compiled */
	struct reading *r;
	const bool *factors;           /* it may name; NULL: all */
	struct map texts;              /* to their number */
	uint32_t n_texts;
};

/* *out makes names of `s`, which must stay where it is. */
void filter_symbols_init(struct filter_symbols *s, struct reading *r,
			 const bool *factors, struct expr_symbols *out);
/* Forgets what only compiling needs. */
void filter_symbols_done(struct filter_symbols *s);
void filter_symbols_release(struct filter_symbols *s);

/* A factor is compared with texts that are no level of it: reported, -1. */
int filter_symbols_check(struct filter_symbols *s, const struct expr *x);

/* Reports that the factor is not of the matrix; returns -1. */
int filter_not_varied(struct reading *r, struct mark at, const char *factor);

#endif
