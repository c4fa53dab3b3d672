#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "stats/axes.h"
#include "stats/design_kinds.h"
#include "stats/design_make.h"
#include "stats/factor.h"
#include "stats/factorial.h"
#include "stats/random.h"

struct square {
	size_t factors[3];      /* rows, columns, letters */
	size_t n;               /* levels of each */
	uint32_t *row, *column; /* which line of the cyclic square */
	uint32_t *letter;
};

static bool square_uses(void *ctx, size_t factor)
{
	const struct square *s = ctx;

	return factor == s->factors[0] || factor == s->factors[1] ||
	       factor == s->factors[2];
}

/* Whether the letter is the one that stands there. */
static int square_holds(void *ctx, const uint16_t *levels, struct error *err)
{
	const struct square *s = ctx;
	size_t row = s->row[levels[s->factors[0]]];
	size_t column = s->column[levels[s->factors[1]]];

	(void)err;
	return levels[s->factors[2]] == s->letter[(row + column) % s->n];
}

static uint32_t *permutation(struct random *r, size_t n)
{
	uint32_t *items = mem_realloc(NULL, n, sizeof(*items));

	for (size_t i = 0; i < n; i++)
		items[i] = (uint32_t)i;
	random_shuffle(r, items, n);
	return items;
}

static void draw(struct square *s, uint64_t seed)
{
	struct random r;

	random_seed(&r, seed);
	s->row = permutation(&r, s->n);
	s->column = permutation(&r, s->n);
	s->letter = permutation(&r, s->n);
}

/* The factor takes part, always and on its own. */
static int check_factor(const struct design_options *o, const struct axes *axes,
			size_t factor, struct error *err)
{
	if (!design_takes_part(o, factor))
		return design_refuse(o, DESIGN_PART_LATIN, 0, err,
				     "factor '%s' of the Latin square is not "
				     "varied here", o->factors[factor].name);
	for (size_t i = 0; i < axes->n; i++) {
		const struct axis *a = &axes->items[i];

		for (size_t k = 0; k < a->n; k++)
			if (a->factors[k] == factor &&
			    (a->n > 1 || a->conditional))
				return design_refuse(o, DESIGN_PART_LATIN, 0,
						     err, "factor '%s' of the "
						     "Latin square can neither "
						     "be linked nor exist "
						     "under some levels only",
						     o->factors[factor].name);
	}
	return 0;
}

static int check(const struct design_options *o, const struct axes *axes,
		 const struct square *s, struct error *err)
{
	const struct factor *f[3];

	for (size_t i = 0; i < 3; i++) {
		f[i] = &o->factors[s->factors[i]];
		if (check_factor(o, axes, s->factors[i], err))
			return -1;
	}
	if (f[0] == f[1] || f[0] == f[2] || f[1] == f[2])
		return design_refuse(o, DESIGN_PART_LATIN, 0, err,
				     "rows, columns and letters of a Latin "
				     "square are three different factors");
	if (f[0]->n_levels != f[1]->n_levels ||
	    f[0]->n_levels != f[2]->n_levels)
		return design_refuse(o, DESIGN_PART_LATIN, 0, err,
				     "a Latin square needs equally many rows, "
				     "columns and letters: '%s' has %zu "
				     "levels, '%s' %zu, '%s' %zu", f[0]->name,
				     f[0]->n_levels, f[1]->name,
				     f[1]->n_levels, f[2]->name,
				     f[2]->n_levels);
	return 0;
}

int design_latin_square(struct design *d, const struct design_options *o,
			const struct axes *axes, struct error *err)
{
	const struct design_latin *l = &o->latin;
	struct square s = { .row = NULL };
	const struct design_rule rule = { .holds = square_holds,
					  .uses = square_uses, .ctx = &s };
	int rc;

	if (l->rows < 0 || l->columns < 0 || l->letters < 0)
		return design_full(d, o, axes, err);
	s.factors[0] = (size_t)l->rows;
	s.factors[1] = (size_t)l->columns;
	s.factors[2] = (size_t)l->letters;
	s.n = o->factors[s.factors[0]].n_levels;
	if (check(o, axes, &s, err))
		return -1;
	draw(&s, o->seed);
	rc = factorial_fill(d, o, axes, &rule, 1, err);
	free(s.row);
	free(s.column);
	free(s.letter);
	return rc;
}
