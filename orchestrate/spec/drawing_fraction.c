#include "orchestrate/spec/drawing_fraction.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"

int fraction_span_init(struct fraction_span *s, const struct experiment *e,
		       const struct matrix *m)
{
	bool *part = mem_zalloc(e->n_factors, sizeof(*part));
	struct error ignored = ERROR_INIT;
	int rc;

	*s = (struct fraction_span){ .rows = { 0 } };
	for (size_t i = 0; i < m->n_factors; i++)
		part[m->factors[i]] = true;
	rc = fraction_make(&s->fraction, e->factors, e->n_factors, part,
			   m->generators, m->n_generators, &ignored);
	free(part);
	return rc;
}

void fraction_span_release(struct fraction_span *s)
{
	fraction_release(&s->fraction);
}

/* The factor's column, or NULL when it is none of the fraction's. */
static const struct word *column(const struct fraction_span *s, size_t factor)
{
	for (size_t i = 0; i < s->fraction.k; i++)
		if (s->fraction.of[i] == factor)
			return &s->fraction.columns[i];
	return NULL;
}

static int highest(uint64_t row)
{
	return 63 - __builtin_clzll(row);
}

/* What is left of the row after those that are there. */
static void reduce(const struct fraction_span *s, uint64_t *row, bool *sign)
{
	for (int i = FRACTION_MAX_FACTORS; i-- > 0;) {
		if (!(*row >> i & 1) || !s->rows[i])
			continue;
		*row ^= s->rows[i];
		*sign ^= s->signs[i];
	}
}

void fraction_span_add(struct fraction_span *s, size_t factor, size_t level)
{
	const struct word *w = column(s, factor);
	uint64_t row;
	bool sign;

	if (!w)
		return;
	row = w->factors;
	sign = w->negative != (level == 0);
	reduce(s, &row, &sign);
	if (!row)
		return;
	s->rows[highest(row)] = row;
	s->signs[highest(row)] = sign;
}

int fraction_span_level(const struct fraction_span *s, size_t factor)
{
	const struct word *w = column(s, factor);
	uint64_t row;
	bool sign;

	if (!w)
		return -1;
	row = w->factors;
	sign = w->negative;
	reduce(s, &row, &sign);
	return row ? -1 : !sign;
}
