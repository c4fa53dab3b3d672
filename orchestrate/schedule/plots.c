#include "orchestrate/schedule/plots.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/groups.h"
#include "stats/factor.h"
#include "stats/random.h"

/* Splits the plots by one more factor. */
static void split(struct plots *p, const struct expansion *x, size_t matrix,
		  size_t factor)
{
	size_t n = x->shares[matrix].n_treatments;
	struct groups groups = GROUPS_INIT;

	if (!p->of)
		p->of = mem_zalloc(n, sizeof(*p->of));
	for (size_t i = 0; i < n; i++) {
		size_t t = expansion_treatment(x, matrix, i);
		uint64_t level = design_level(&x->design, t, factor);

		p->of[i] = groups_id(&groups,
				     (uint64_t)p->of[i] << 16 | level);
	}
	p->n = groups.n;
	groups_release(&groups);
}

void plots_build(struct plots *p, const struct expansion *x, size_t matrix)
{
	size_t n = x->shares[matrix].n_treatments;

	*p = (struct plots){ .n = 1 };
	for (size_t f = 0; f < x->design.n_factors; f++)
		if (x->design.factors[f].hard)
			split(p, x, matrix, f);
	p->size = mem_zalloc(p->n, sizeof(*p->size));
	for (size_t i = 0; p->of && i < n; i++)
		p->size[p->of[i]]++;
	if (!p->of)
		p->size[0] = n;
}

void plots_release(struct plots *p)
{
	free(p->of);
	free(p->size);
	memset(p, 0, sizeof(*p));
}

static void shuffle_all(struct random *r, uint32_t *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		items[i] = (uint32_t)i;
	random_shuffle(r, items, n);
}

void plots_shuffle(const struct plots *p, struct random *r,
		   size_t n_treatments, uint32_t *items, size_t n)
{
	uint32_t *order = mem_realloc(NULL, p->n, sizeof(*order));
	size_t *start = mem_realloc(NULL, p->n, sizeof(*start));
	size_t each = n_treatments ? n / n_treatments : 0, at = 0, item = 0;

	shuffle_all(r, order, p->n);
	for (size_t i = 0; i < p->n; i++) {
		start[order[i]] = at;
		at += p->size[order[i]] * each;
	}
	for (size_t b = 0; b < each; b++)
		for (size_t i = 0; i < n_treatments; i++)
			items[start[p->of ? p->of[i] : 0]++] =
				(uint32_t)item++;
	/* start[] has moved to where each plot ends */
	for (size_t i = 0; i < p->n; i++) {
		size_t length = p->size[order[i]] * each;

		random_shuffle(r, items + start[order[i]] - length, length);
	}
	free(order);
	free(start);
}
