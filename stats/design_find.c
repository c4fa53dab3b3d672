#include "stats/design.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/factor.h"
#include "stats/factorial.h"
#include "stats/row_index.h"

size_t design_find(const struct design *d, const uint16_t *levels)
{
	size_t found;

	if (d->odometer)
		return factorial_find(d, levels);
	assert(d->index);
	if (d->index->n < d->n_treatments)
		row_index_fill(d->index, d->cells, d->n_factors,
			       d->n_treatments);
	found = row_index_find(d->index, d->cells, d->n_factors, levels);
	return found == ROW_INDEX_NONE ? d->n_treatments : found;
}

/* Factors tried for absence: 2 to their number combinations of them. */
#define MOST_CONDITIONAL 16

static bool is_set(const struct setting *settings, size_t n, size_t factor)
{
	for (size_t i = 0; i < n; i++)
		if (settings[i].factor == factor)
			return true;
	return false;
}

/* The factors that may have to be absent in a row like this. */
static size_t may_be_absent(const struct design *d, const uint16_t *row,
			    const struct setting *settings, size_t n,
			    size_t factors[MOST_CONDITIONAL])
{
	size_t found = 0;

	for (size_t f = 0; d->conditional && f < d->n_factors; f++) {
		if (!d->conditional[f] || row[f] == DESIGN_ABSENT ||
		    is_set(settings, n, f))
			continue;
		if (found == MOST_CONDITIONAL)
			return 0;
		factors[found++] = f;
	}
	return found;
}

static bool in_one_part(const struct design *d, size_t a, size_t b)
{
	return !d->origins || (d->origins[a] & d->origins[b]);
}

/*
 * The row without some of its conditional factors. There is at most one:
 * existences do not depend on themselves, so of two rows with the same levels,
 * those that are absent apart, the first difference would be one of two
 * answers to the same question.
 */
static size_t find_without(const struct design *d, size_t treatment,
			   uint16_t *row, const size_t *factors, size_t n)
{
	uint16_t levels[MOST_CONDITIONAL];

	for (size_t i = 0; i < n; i++)
		levels[i] = row[factors[i]];
	for (uint32_t absent = 1; absent < 1u << n; absent++) {
		size_t found;

		for (size_t i = 0; i < n; i++)
			row[factors[i]] = absent >> i & 1 ? DESIGN_ABSENT
							  : levels[i];
		found = design_find(d, row);
		if (found < d->n_treatments &&
		    in_one_part(d, treatment, found))
			return found;
	}
	return d->n_treatments;
}

static size_t neighbour(const struct design *d, size_t treatment,
			const struct setting *settings, size_t n,
			uint16_t *row)
{
	size_t factors[MOST_CONDITIONAL], found;

	memcpy(row, d->cells + treatment * d->n_factors,
	       d->n_factors * sizeof(*row));
	for (size_t i = 0; i < n; i++) {
		assert(settings[i].level == DESIGN_ABSENT ||
		       settings[i].level <
			       d->factors[settings[i].factor].n_levels);
		if (row[settings[i].factor] == DESIGN_ABSENT &&
		    settings[i].level != DESIGN_ABSENT)
			return d->n_treatments;
		row[settings[i].factor] = (uint16_t)settings[i].level;
	}
	found = design_find(d, row);
	if (found < d->n_treatments)
		return found;
	return find_without(d, treatment, row, factors,
			    may_be_absent(d, row, settings, n, factors));
}

size_t design_neighbour(const struct design *d, size_t treatment,
			const struct setting *settings, size_t n)
{
	uint16_t *row;
	size_t found;

	assert(treatment < d->n_treatments);
	if (design_has(d, treatment, settings, n))
		return treatment;
	row = mem_realloc(NULL, d->n_factors, sizeof(*row));
	found = neighbour(d, treatment, settings, n, row);
	free(row);
	return found;
}
