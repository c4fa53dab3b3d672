#include "stats/factorial.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "stats/axes.h"
#include "stats/design.h"
#include "stats/design_make.h"
#include "stats/design_rows.h"
#include "stats/factor.h"

/* A rule, asked once the first `after` axes have their levels. */
struct check {
	const struct design_rule *rule;
	size_t after;
	size_t *dropped;  /* NULL: not counted */
	size_t index;     /* of the rule in the options */
};

/* A walk through all combinations, axis by axis. */
struct walk {
	const struct design_options *o;
	const struct axes *axes;
	struct design_rows *rows;
	struct check *checks;  /* sorted by `after` */
	size_t *first;         /* axis -> its first check; n_axes + 2 */
	size_t *below;         /* axis -> combinations of it and those after
	                        * it; 0: that depends on what exists */
	bool *exists;          /* one for each factor, axis by axis */
	size_t *exists_of;     /* axis -> where its part begins */
	uint16_t *levels;
	size_t steps;
};

static size_t add(size_t a, size_t b)
{
	return a > SIZE_MAX - b ? SIZE_MAX : a + b;
}

static size_t multiply(size_t a, size_t b)
{
	return b && a > SIZE_MAX / b ? SIZE_MAX : a * b;
}

/* How many axes have their levels when the rule can be asked. */
static size_t asked_after(const struct axes *a, const struct design_rule *r)
{
	size_t after = r->uses ? 0 : a->n;

	for (size_t i = 0; r->uses && i < a->n; i++)
		for (size_t k = 0; k < a->items[i].n; k++)
			if (r->uses(r->ctx, a->items[i].factors[k]))
				after = i + 1;
	return after;
}

/* The checks that are asked after each axis, in the order of the rules. */
static void place_checks(struct walk *w, const struct design_rule *first,
			 size_t n_first)
{
	const struct design_options *o = w->o;
	size_t n = n_first + o->n_rules, at = 0, least = 0;
	struct check *all = mem_zalloc(n, sizeof(*all));

	for (size_t i = 0; i < n; i++) {
		size_t k = i - n_first;

		all[i].rule = i < n_first ? &first[i] : &o->rules[k];
		all[i].after = asked_after(w->axes, all[i].rule);
		/* only what is a combination can be dropped */
		if (i < n_first && all[i].after > least)
			least = all[i].after;
		if (all[i].after < least)
			all[i].after = least;
		all[i].index = i < n_first ? 0 : k;
		if (i >= n_first && o->dropped)
			all[i].dropped = &o->dropped[k];
	}
	w->checks = mem_zalloc(n, sizeof(*w->checks));
	w->first = mem_zalloc(w->axes->n + 2, sizeof(*w->first));
	for (size_t after = 0; after <= w->axes->n; after++) {
		w->first[after] = at;
		for (size_t i = 0; i < n; i++)
			if (all[i].after == after)
				w->checks[at++] = all[i];
	}
	w->first[w->axes->n + 1] = at;
	free(all);
}

static void count_below(struct walk *w)
{
	const struct axes *a = w->axes;
	size_t factors = 0;

	w->below = mem_zalloc(a->n + 1, sizeof(*w->below));
	w->below[a->n] = 1;
	for (size_t i = a->n; i-- > 0;)
		if (!a->items[i].conditional)
			w->below[i] = multiply(w->below[i + 1],
					       a->items[i].n_levels);
	w->exists_of = mem_zalloc(a->n + 1, sizeof(*w->exists_of));
	for (size_t i = 0; i < a->n; i++) {
		w->exists_of[i] = factors;
		factors += a->items[i].n;
	}
	w->exists = mem_zalloc(factors, sizeof(*w->exists));
	for (size_t i = 0; i < factors; i++)
		w->exists[i] = true;
}

static int step(struct walk *w, struct error *err)
{
	if (++w->steps <= DESIGN_MAX_STEPS)
		return 0;
	return design_refuse(w->o, DESIGN_PART_STEPS, 0, err,
			     "there are more than %d combinations to look "
			     "through; leave out factors or levels",
			     DESIGN_MAX_STEPS);
}

/* Levels that the axis goes through here: one when none of its factors
 * exists. 0 is an error. */
static size_t axis_levels(struct walk *w, size_t axis, struct error *err)
{
	const struct axis *a = &w->axes->items[axis];
	int n = 1;

	if (a->conditional)
		n = axis_exist(a, w->o, w->levels,
			       w->exists + w->exists_of[axis], err);
	if (n < 0)
		return 0;
	return n ? a->n_levels : 1;
}

static void put(struct walk *w, size_t axis, size_t level)
{
	const struct axis *a = &w->axes->items[axis];

	if (a->n == 1 && !a->conditional)
		w->levels[a->factors[0]] = (uint16_t)level;
	else
		axis_put(a, w->exists + w->exists_of[axis], (uint16_t)level,
			 w->levels);
}

/* Adds to *n the combinations of what comes from this axis on. */
static int count(struct walk *w, size_t axis, size_t *n, struct error *err)
{
	size_t levels;

	if (w->below[axis]) {
		*n = add(*n, w->below[axis]);
		return step(w, err);
	}
	levels = axis_levels(w, axis, err);
	for (size_t i = 0; i < levels; i++) {
		put(w, axis, i);
		if (count(w, axis + 1, n, err))
			return -1;
	}
	return levels ? 0 : -1;
}

/* Asks what can be asked after so many axes: 1 all hold, 0, -1. */
static int check(struct walk *w, size_t after, struct error *err)
{
	for (size_t i = w->first[after]; i < w->first[after + 1]; i++) {
		const struct check *c = &w->checks[i];
		int answer = c->rule->holds(c->rule->ctx, w->levels, err);

		if (answer < 0)
			return design_blame(w->o, DESIGN_PART_RULE, c->index);
		if (answer)
			continue;
		if (!c->dropped)
			return step(w, err);
		return count(w, after, c->dropped, err);
	}
	return 1;
}

static int walk(struct walk *w, size_t axis, struct error *err)
{
	size_t levels;
	int answer = check(w, axis, err);

	if (answer <= 0)
		return answer;
	if (axis == w->axes->n) {
		if (step(w, err))
			return -1;
		return design_rows_add(w->rows, w->levels, err);
	}
	levels = axis_levels(w, axis, err);
	for (size_t i = 0; i < levels; i++) {
		put(w, axis, i);
		if (walk(w, axis + 1, err))
			return -1;
	}
	return levels ? 0 : -1;
}

/* For an exact answer before any memory is taken. */
static int check_size(const struct walk *w, struct error *err)
{
	const struct axes *a = w->axes;
	size_t n = 1;

	if (w->first[a->n + 1] || !w->below[0])
		return 0;
	for (size_t i = 0; i < a->n; i++) {
		n = multiply(n, a->items[i].n_levels);
		if (n > w->rows->most)
			return design_rows_too_many(
				w->rows, &w->o->factors[a->items[i].factors[0]],
				err);
	}
	design_rows_reserve(w->rows, n);
	return 0;
}

int factorial_fill(struct design *d, const struct design_options *o,
		   const struct axes *axes, const struct design_rule *first,
		   size_t n_first, struct error *err)
{
	struct design_rows rows;
	struct walk w = { .o = o, .axes = axes, .rows = &rows };
	int rc;

	design_rows_init(&rows, o);
	w.levels = mem_zalloc(o->n_factors, sizeof(*w.levels));
	for (size_t i = 0; i < o->n_factors; i++)
		w.levels[i] = DESIGN_ABSENT;
	place_checks(&w, first, n_first);
	count_below(&w);
	rc = check_size(&w, err);
	if (!rc)
		rc = walk(&w, 0, err);
	if (!rc && !axes->sorted)
		design_rows_sort(&rows);
	design_rows_take(&rows, d);
	free(w.checks);
	free(w.first);
	free(w.below);
	free(w.exists);
	free(w.exists_of);
	free(w.levels);
	return rc;
}

size_t factorial_find(const struct design *d, const uint16_t *levels)
{
	size_t t = 0;

	for (size_t i = 0; i < d->n_factors; i++) {
		if (levels[i] >= d->factors[i].n_levels)
			return d->n_treatments;
		t = t * d->factors[i].n_levels + levels[i];
	}
	return t;
}
