#include "stats/factorial.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "stats/design.h"
#include "stats/factor.h"

static int check_factor(const struct design *d, size_t i, struct error *err)
{
	const struct factor *f = &d->factors[i];

	if (!f->n_levels)
		return error_set(err, ERROR_USAGE,
				 "factor '%s' has no levels; give it at "
				 "least one", f->name);
	if (f->n_levels > (size_t)UINT16_MAX + 1)
		return error_set(err, ERROR_USAGE,
				 "factor '%s' has %zu levels; at most 65536 "
				 "are possible", f->name, f->n_levels);
	if (factor_find(d->factors, i, f->name) >= 0)
		return error_set(err, ERROR_USAGE,
				 "two factors are named '%s'; rename one",
				 f->name);
	return 0;
}

static int count(struct design *d, struct error *err)
{
	size_t n = 1;

	for (size_t i = 0; i < d->n_factors; i++) {
		if (check_factor(d, i, err))
			return -1;
		n *= d->factors[i].n_levels;
		if (n > DESIGN_MAX_TREATMENTS)
			return error_set(err, ERROR_USAGE,
					 "the design has more than %d "
					 "treatments (reached at factor '%s'); "
					 "leave out factors or levels",
					 DESIGN_MAX_TREATMENTS,
					 d->factors[i].name);
	}
	d->n_treatments = n;
	return 0;
}

/* The row after `row`: one step of the odometer. */
static void step(const struct design *d, uint16_t *row)
{
	for (size_t i = d->n_factors; i-- > 0;) {
		if (++row[i] < d->factors[i].n_levels)
			return;
		row[i] = 0;
	}
}

int factorial_fill(struct design *d, struct error *err)
{
	size_t width = d->n_factors * sizeof(*d->cells);

	if (count(d, err))
		return -1;
	d->cells = mem_zalloc(d->n_treatments, width);
	for (size_t t = 1; t < d->n_treatments; t++) {
		uint16_t *row = d->cells + t * d->n_factors;

		memcpy(row, row - d->n_factors, width);
		step(d, row);
	}
	return 0;
}

/* How far apart the treatments are that differ by 1 in `factor`. */
static size_t stride(const struct design *d, size_t factor)
{
	size_t n = 1;

	for (size_t i = factor + 1; i < d->n_factors; i++)
		n *= d->factors[i].n_levels;
	return n;
}

size_t factorial_neighbour(const struct design *d, size_t treatment,
			   const struct setting *settings, size_t n)
{
	size_t t = treatment;

	for (size_t i = 0; i < n; i++) {
		const struct setting *s = &settings[i];

		assert(s->level < d->factors[s->factor].n_levels);
		t -= design_level(d, t, s->factor) * stride(d, s->factor);
		t += s->level * stride(d, s->factor);
	}
	return t;
}
