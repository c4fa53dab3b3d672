#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "stats/axes.h"
#include "stats/design_kinds.h"
#include "stats/design_make.h"
#include "stats/design_rows.h"
#include "stats/factor.h"
#include "stats/fraction.h"

static int refuse_others(const struct design_options *o, struct error *err)
{
	if (o->n_zips)
		return design_refuse(o, DESIGN_PART_ZIP, 0, err,
				     "a fractional design has no place for "
				     "linked factors; leave out `zip`");
	if (o->n_existences)
		return design_refuse(o, DESIGN_PART_EXISTENCE, 0, err,
				     "a fractional design needs factors that "
				     "always exist: '%s' does not",
				     o->factors[o->existences[0].factor].name);
	return 0;
}

/* Bits of the factors that are not generated. */
static uint64_t basic_factors(const struct fraction *f)
{
	uint64_t basic = 0;

	for (size_t i = 0; i < f->k; i++)
		if (f->columns[i].factors == (uint64_t)1 << i)
			basic |= (uint64_t)1 << i;
	return basic;
}

/* Spreads the bits of `number` over the basic factors, the last of them has
 * the lowest; returns the factors that are at their low level. */
static uint64_t low_factors(const struct fraction *f, uint64_t basic,
			    uint64_t number)
{
	uint64_t low = 0;

	for (size_t i = f->k; i-- > 0;) {
		if (!(basic >> i & 1))
			continue;
		if (!(number & 1))
			low |= (uint64_t)1 << i;
		number >>= 1;
	}
	return low;
}

static void set_levels(const struct fraction *f, uint64_t low,
		       uint16_t *levels)
{
	for (size_t i = 0; i < f->k; i++) {
		const struct word *w = &f->columns[i];
		bool minus = __builtin_parityll(w->factors & low);

		levels[f->of[i]] = minus == w->negative;
	}
}

static int add_rows(struct design_rows *r, const struct fraction *f,
		    struct error *err)
{
	size_t k = f->k - f->p;
	uint16_t *levels;
	int rc = 0;

	if (k >= 63 || (size_t)1 << k > r->most)
		return design_rows_too_many(r, NULL, err);
	levels = mem_realloc(NULL, r->width, sizeof(*levels));
	for (size_t i = 0; i < r->width; i++)
		levels[i] = DESIGN_ABSENT;
	design_rows_reserve(r, (size_t)1 << k);
	for (size_t i = 0; i < (size_t)1 << k && !rc; i++) {
		set_levels(f, low_factors(f, basic_factors(f), i), levels);
		rc = design_rows_add(r, levels, err);
	}
	free(levels);
	return rc;
}

int design_fractional(struct design *d, const struct design_options *o,
		      const struct axes *axes, struct error *err)
{
	struct design_rows rows;
	struct fraction f = { .of = NULL };
	int rc = -1;

	(void)axes;
	design_rows_init(&rows, o);
	if (refuse_others(o, err))
		goto out;
	if (fraction_make(&f, o->factors, o->n_factors, o->part,
			  o->generators, o->n_generators, err)) {
		design_blame(o, o->n_generators && f.generators ?
			     DESIGN_PART_GENERATOR : DESIGN_PART_WHOLE, f.bad);
		goto out;
	}
	if (!add_rows(&rows, &f, err))
		rc = design_rows_filter(&rows, err);
out:
	fraction_release(&f);
	design_rows_take(&rows, d);
	return rc;
}
