#include "orchestrate/schedule/occurrence.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/experiment.h"

static int compare(const void *a, const void *b, void *width)
{
	const uint16_t *x = a, *y = b;

	for (size_t i = 0; i < *(const size_t *)width; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

static bool has(const struct design *d, size_t treatment,
		const struct condition *where, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (design_level(d, treatment, where[i].factor) !=
		    where[i].level)
			return false;
	return true;
}

/* A row is one longer than wide, so that it is never empty. */
static size_t row_size(const struct occurrences *o)
{
	return o->width + 1;
}

static void add(struct occurrences *o, size_t *cap, const struct design *d,
		size_t treatment, const size_t *factors)
{
	uint16_t *row;

	if (o->n == *cap) {
		*cap = *cap ? 2 * *cap : 64;
		o->levels = mem_realloc(o->levels, *cap * row_size(o),
					sizeof(*o->levels));
	}
	row = o->levels + o->n * row_size(o);
	for (size_t i = 0; i < o->width; i++)
		row[i] = (uint16_t)design_level(d, treatment, factors[i]);
	row[o->width] = 0;
	/* neighbours are often the same */
	if (!o->n || compare(row - row_size(o), row, &o->width))
		o->n++;
}

static void sort(struct occurrences *o)
{
	size_t size = row_size(o), n = 0;

	if (!o->n)
		return;
	qsort_r(o->levels, o->n, size * sizeof(*o->levels), compare,
		&o->width);
	for (size_t i = 1; i < o->n; i++)
		if (compare(o->levels + n * size, o->levels + i * size,
			    &o->width))
			memmove(o->levels + ++n * size, o->levels + i * size,
				size * sizeof(*o->levels));
	o->n = n + 1;
}

void occurrences_make(struct occurrences *o, const struct design *d,
		      const bool *measured, const size_t *factors,
		      size_t n_factors, const struct condition *where,
		      size_t n_where)
{
	size_t cap = 0;

	*o = (struct occurrences){ .width = n_factors };
	for (size_t t = 0; t < d->n_treatments; t++)
		if ((!measured || measured[t]) && has(d, t, where, n_where))
			add(o, &cap, d, t, factors);
	sort(o);
}

void occurrences_release(struct occurrences *o)
{
	free(o->levels);
	*o = (struct occurrences){ .levels = NULL };
}

const uint16_t *occurrences_at(const struct occurrences *o, size_t i)
{
	return o->levels + i * row_size(o);
}

bool occurrences_has(const struct occurrences *o, const uint16_t *levels)
{
	size_t low = 0, high = o->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int c = compare(occurrences_at(o, middle), levels,
				(void *)&o->width);

		if (!c)
			return true;
		if (c < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}
