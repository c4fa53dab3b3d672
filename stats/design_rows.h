#ifndef STATS_DESIGN_ROWS_H
#define STATS_DESIGN_ROWS_H

#include <stddef.h>
#include <stdint.h>

struct design;
struct design_options;
struct error;
struct factor;

/* The rows of a design while it is made. */
struct design_rows {
	const struct design_options *o;
	uint16_t *cells;
	size_t width;  /* factors */
	size_t n;
	size_t cap;
	size_t most;   /* more are refused */
};

void design_rows_init(struct design_rows *r, const struct design_options *o);
/* Moves them into the design, whatever they are by now. */
void design_rows_take(struct design_rows *r, struct design *d);

void design_rows_reserve(struct design_rows *r, size_t n);
/* ERROR_USAGE when they become too many. */
int design_rows_add(struct design_rows *r, const uint16_t *row,
		    struct error *err);
/* That error; `factor` is where the number was reached, or NULL. */
int design_rows_too_many(const struct design_rows *r,
			 const struct factor *factor, struct error *err);

/* By the numbers of the levels, first factor first; linear. */
void design_rows_sort(struct design_rows *r);
/* Drops those for which a rule of the options does not hold. */
int design_rows_filter(struct design_rows *r, struct error *err);

#endif
