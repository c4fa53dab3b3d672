#include "orchestrate/schedule/plots.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/design.h"
#include "stats/factor.h"
#include "stats/random.h"

/* Number of combinations of the hard factors' levels. */
static size_t count(const struct design *d)
{
	size_t n = 1;

	for (size_t f = 0; f < d->n_factors; f++)
		if (d->factors[f].hard)
			n *= d->factors[f].n_levels;
	return n;
}

static size_t plot_of(const struct design *d, size_t treatment)
{
	size_t plot = 0;

	for (size_t f = 0; f < d->n_factors; f++)
		if (d->factors[f].hard)
			plot = plot * d->factors[f].n_levels +
			       design_level(d, treatment, f);
	return plot;
}

void plots_build(struct plots *p, const struct design *d)
{
	p->n = count(d);
	p->of = mem_realloc(NULL, d->n_treatments, sizeof(*p->of));
	p->size = mem_zalloc(p->n, sizeof(*p->size));
	for (size_t t = 0; t < d->n_treatments; t++) {
		p->of[t] = (uint32_t)plot_of(d, t);
		p->size[p->of[t]]++;
	}
}

void plots_release(struct plots *p)
{
	free(p->of);
	free(p->size);
	memset(p, 0, sizeof(*p));
}

void plots_shuffle(const struct plots *p, struct random *r,
		   size_t n_treatments, uint32_t *items, size_t n)
{
	uint32_t *order = mem_realloc(NULL, p->n, sizeof(*order));
	size_t *start = mem_realloc(NULL, p->n, sizeof(*start));
	size_t each = n / n_treatments, at = 0;

	for (size_t i = 0; i < p->n; i++)
		order[i] = (uint32_t)i;
	random_shuffle(r, order, p->n);
	for (size_t i = 0; i < p->n; i++) {
		start[order[i]] = at;
		at += p->size[order[i]] * each;
	}
	for (size_t i = 0; i < n; i++)
		items[start[p->of[i % n_treatments]]++] = (uint32_t)i;
	/* start[] has moved to where each plot ends */
	for (size_t i = 0; i < p->n; i++) {
		size_t length = p->size[order[i]] * each;

		random_shuffle(r, items + start[order[i]] - length, length);
	}
	free(order);
	free(start);
}
