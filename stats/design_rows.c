#include "stats/design_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "stats/design.h"
#include "stats/design_make.h"
#include "stats/factor.h"

void design_rows_init(struct design_rows *r, const struct design_options *o)
{
	*r = (struct design_rows){
		.o = o,
		.width = o->n_factors,
		.most = o->most ? o->most : DESIGN_MAX_TREATMENTS,
	};
}

void design_rows_take(struct design_rows *r, struct design *d)
{
	if (r->n < r->cap)
		r->cells = mem_realloc(r->cells, r->n,
				       r->width * sizeof(*r->cells));
	d->cells = r->cells;
	d->n_treatments = r->n;
	r->cells = NULL;
	r->n = r->cap = 0;
}

void design_rows_reserve(struct design_rows *r, size_t n)
{
	r->cells = mem_realloc(r->cells, n, r->width * sizeof(*r->cells));
	r->cap = n;
}

int design_rows_too_many(const struct design_rows *r,
			 const struct factor *factor, struct error *err)
{
	if (factor)
		return design_refuse(r->o, DESIGN_PART_SIZE, 0, err,
				     "the design has more than %zu treatments "
				     "(reached at factor '%s'); leave out "
				     "factors or levels", r->most,
				     factor->name);
	return design_refuse(r->o, DESIGN_PART_SIZE, 0, err,
			     "the design has more than %zu treatments; leave "
			     "out factors or levels", r->most);
}

int design_rows_add(struct design_rows *r, const uint16_t *row,
		    struct error *err)
{
	if (r->n == r->most)
		return design_rows_too_many(r, NULL, err);
	if (r->n == r->cap)
		design_rows_reserve(r, r->cap ? 2 * r->cap : 64);
	for (size_t i = 0; i < r->width; i++)
		r->cells[r->n * r->width + i] = row[i];
	r->n++;
	return 0;
}

/* Numbers the rows in the order of one column, equal ones as they were. */
static void sort_by(const struct design_rows *r, size_t column, size_t n_levels,
		    const uint32_t *from, uint32_t *to)
{
	size_t *start = mem_zalloc(n_levels + 2, sizeof(*start));

	for (size_t i = 0; i < r->n; i++) {
		size_t level = r->cells[i * r->width + column];

		start[(level < n_levels ? level : n_levels) + 1]++;
	}
	for (size_t i = 1; i <= n_levels; i++)
		start[i] += start[i - 1];
	for (size_t i = 0; i < r->n; i++) {
		size_t level = r->cells[from[i] * r->width + column];

		to[start[level < n_levels ? level : n_levels]++] = from[i];
	}
	free(start);
}

/* Last column first, each time stable (least significant digit first). */
void design_rows_sort(struct design_rows *r)
{
	uint32_t *order = mem_realloc(NULL, r->n, sizeof(*order));
	uint32_t *next = mem_realloc(NULL, r->n, sizeof(*next));
	size_t bytes = r->width * sizeof(*r->cells);
	uint16_t *cells = mem_realloc(NULL, r->n, bytes);

	for (size_t i = 0; i < r->n; i++)
		order[i] = (uint32_t)i;
	for (size_t f = r->width; f-- > 0;) {
		uint32_t *sorted = next;

		sort_by(r, f, r->o->factors[f].n_levels, order, sorted);
		next = order;
		order = sorted;
	}
	for (size_t i = 0; i < r->n; i++)
		memcpy(cells + i * r->width, r->cells + order[i] * r->width,
		       bytes);
	free(r->cells);
	r->cells = cells;
	r->cap = r->n;
	free(order);
	free(next);
}

/* 1 when all rules hold, 0, -1 */
static int stays(const struct design_rows *r, const uint16_t *row,
		 struct error *err)
{
	for (size_t i = 0; i < r->o->n_rules; i++) {
		const struct design_rule *rule = &r->o->rules[i];
		int answer = rule->holds(rule->ctx, row, err);

		if (answer < 0)
			return design_blame(r->o, DESIGN_PART_RULE, i);
		if (answer)
			continue;
		if (r->o->dropped)
			r->o->dropped[i]++;
		return 0;
	}
	return 1;
}

int design_rows_filter(struct design_rows *r, struct error *err)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->n; i++) {
		const uint16_t *row = r->cells + i * r->width;
		int answer = stays(r, row, err);

		if (answer < 0)
			return -1;
		if (answer)
			memmove(r->cells + kept++ * r->width, row,
				r->width * sizeof(*row));
	}
	r->n = kept;
	return 0;
}
