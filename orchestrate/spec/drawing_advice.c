#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/spec/drawing.h"
#include "orchestrate/spec/drawing_fraction.h"
#include "orchestrate/spec/filter.h"
#include "orchestrate/spec/matrix.h"

#define NONE LEVEL_UNKNOWN

static size_t level_in(const struct condition *c, size_t n, size_t factor)
{
	for (size_t i = 0; i < n; i++)
		if (c[i].factor == factor)
			return c[i].level;
	return NONE;
}

static bool drops(const struct matrix *m, const uint16_t *row)
{
	struct error ignored = ERROR_INIT;
	bool kept = !m->n_include;

	for (size_t i = 0; i < m->n_include; i++)
		kept |= filter_match(m->include[i], row, &ignored) > 0;
	for (size_t i = 0; i < m->n_exclude; i++)
		kept &= filter_match(m->exclude[i], row, &ignored) <= 0;
	return !kept;
}

static bool is_fixed_so(const struct drawing *d, const uint16_t *row)
{
	for (size_t i = 0; i < d->n_where; i++)
		if (row[d->where[i].factor] != d->where[i].level)
			return false;
	return true;
}

/* How many rows of the list are drawn at each level, then at none. */
static size_t *count_rows(const struct experiment *e, const struct matrix *m,
			  const struct drawing *d, size_t factor)
{
	size_t n_levels = e->factors[factor].n_levels;
	size_t *count = mem_zalloc(n_levels + 1, sizeof(*count));

	for (size_t i = 0; m->list && i < m->n_list; i++) {
		const uint16_t *row = m->list + i * e->n_factors;

		if (is_fixed_so(d, row) && !drops(m, row))
			count[row[factor] == DESIGN_ABSENT ? n_levels
							   : row[factor]]++;
	}
	return count;
}

/* The baseline's level if it is there, else the most frequent. */
static size_t level_of_list(const struct experiment *e, const struct matrix *m,
			    const struct drawing *d, size_t factor,
			    size_t baseline)
{
	size_t n_levels = e->factors[factor].n_levels, best = 0;
	size_t *count = count_rows(e, m, d, factor);

	for (size_t l = 1; l <= n_levels; l++)
		if (count[l] > count[best])
			best = l;
	if (baseline != NONE &&
	    count[baseline == DESIGN_ABSENT ? n_levels : baseline])
		best = baseline == DESIGN_ABSENT ? n_levels : baseline;
	if (!count[best])
		best = NONE;
	else if (best == n_levels)
		best = DESIGN_ABSENT;
	free(count);
	return best;
}

/* The level that a condition gives the factor, or one that goes along. */
static size_t level_linked(const struct matrix *m, const struct condition *c,
			   size_t n, size_t factor)
{
	size_t level = level_in(c, n, factor);

	for (size_t i = 0; i < m->n_zips && level == NONE; i++) {
		const struct zip *z = &m->zips[i];
		size_t others = NONE;
		bool has = false;

		for (size_t k = 0; k < z->n; k++) {
			has |= z->factors[k] == factor;
			if (others == NONE)
				others = level_in(c, n, z->factors[k]);
		}
		if (has)
			level = others;
	}
	return level == DESIGN_ABSENT ? NONE : level;
}

/* The centre's level. */
static size_t level_of_base(const struct experiment *e, const struct matrix *m,
			    size_t factor)
{
	size_t level = level_linked(m, m->base, m->n_base, factor);

	if (level == NONE)
		level = level_linked(m, e->baseline, e->n_baseline, factor);
	return level == NONE ? 0 : level;
}

/* One that goes with what is fixed, and with what is advised for the factors
 * before. */
static size_t level_of_fraction(const struct experiment *e,
				const struct matrix *m,
				const struct drawing *d, size_t factor)
{
	struct fraction_span s;
	size_t level = NONE;

	if (fraction_span_init(&s, e, m) < 0)
		goto out;
	for (size_t i = 0; i < d->n_where; i++)
		fraction_span_add(&s, d->where[i].factor, d->where[i].level);
	for (size_t f = 0; f <= factor; f++) {
		int told = fraction_span_level(&s, f);

		if (drawing_shows(d, (int)f))
			continue;
		level = level_in(e->baseline, e->n_baseline, f);
		if (told >= 0)
			level = (size_t)told;
		else if (level == NONE || level == DESIGN_ABSENT)
			level = 0;
		fraction_span_add(&s, f, level);
	}
out:
	fraction_span_release(&s);
	return level;
}

static bool is_conditional(const struct matrix *m, size_t factor)
{
	for (size_t i = 0; i < m->n_existences; i++)
		if (m->existences[i].factor == factor)
			return true;
	return false;
}

static bool is_filtered(const struct matrix *m, size_t factor)
{
	for (size_t i = 0; i < m->n_include; i++)
		if (filter_uses(m->include[i], factor))
			return true;
	for (size_t i = 0; i < m->n_exclude; i++)
		if (filter_uses(m->exclude[i], factor))
			return true;
	return false;
}

static size_t level_of_matrix(const struct experiment *e,
			      const struct matrix *m, const struct drawing *d,
			      size_t factor)
{
	size_t baseline = level_in(e->baseline, e->n_baseline, factor);

	if (m->kind == DESIGN_LIST)
		return level_of_list(e, m, d, factor, baseline);
	if (baseline == DESIGN_ABSENT)
		baseline = NONE;
	if (is_conditional(m, factor))
		return NONE;
	if (m->kind == DESIGN_ONE_AT_A_TIME)
		return level_of_base(e, m, factor);
	if (is_filtered(m, factor))
		return baseline;
	if (m->kind == DESIGN_FRACTIONAL)
		return level_of_fraction(e, m, d, factor);
	return baseline == NONE ? 0 : baseline;
}

/* Whether the matrix makes the benchmark and has all factors shown. */
static bool is_drawn(const struct experiment *e, const struct matrix *m,
		     const struct drawing *d)
{
	if (d->benchmark >= 0 &&
	    !matrix_has_benchmark(m, (size_t)d->benchmark))
		return false;
	for (size_t f = 0; f < e->n_factors; f++)
		if (drawing_shows(d, (int)f) && !matrix_has_factor(m, f))
			return false;
	return true;
}

size_t drawing_level(const struct experiment *e, const struct drawing *d,
		     size_t factor)
{
	size_t level = NONE;

	for (size_t i = 0; i < e->n_matrices; i++) {
		const struct matrix *m = &e->matrices[i];

		if (!is_drawn(e, m, d))
			continue;
		if (matrix_has_factor(m, factor))
			return level_of_matrix(e, m, d, factor);
		level = DESIGN_ABSENT;
	}
	return level;
}
