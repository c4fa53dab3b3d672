#include "orchestrate/spec/layers.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"

bool factor_is_treated(const struct experiment *e, size_t factor)
{
	const struct factor_use *u = &e->uses[factor];

	if (u->treatment.def)
		return true;
	for (size_t l = 0; u->levels && l < e->factors[factor].n_levels; l++)
		if (u->levels[l].treatment.def)
			return true;
	return false;
}

static void add(struct experiment *e, enum layer_kind kind, size_t index)
{
	e->layers[e->n_layers++] =
		(struct layer){ .kind = kind, .index = index };
}

/* The set-ups whose last factor is this one; n_factors: that have none. */
static void add_setups(struct experiment *e, size_t last)
{
	for (size_t i = 0; i < e->n_setups; i++) {
		const struct setup *s = &e->setups[i];

		if ((s->n_per ? s->per[s->n_per - 1] : e->n_factors) == last)
			add(e, LAYER_SETUP, i);
	}
}

void layers_build(struct experiment *e)
{
	free(e->layers);
	e->layers = mem_zalloc(e->n_factors + e->n_setups,
			       sizeof(*e->layers));
	e->n_layers = 0;
	add_setups(e, e->n_factors);
	for (size_t f = 0; f < e->n_factors; f++) {
		if (factor_is_treated(e, f))
			add(e, LAYER_FACTOR, f);
		add_setups(e, f);
	}
}

const struct treatment_use *factor_treatment(const struct experiment *e,
					     size_t factor, size_t level)
{
	const struct factor_use *u = &e->uses[factor];

	if (u->levels && u->levels[level].treatment.def)
		return &u->levels[level].treatment;
	return u->treatment.def ? &u->treatment : NULL;
}

const struct treatment_use *layer_treatment(const struct experiment *e,
					    size_t layer, const size_t *levels)
{
	const struct layer *l = &e->layers[layer];

	if (l->kind == LAYER_SETUP)
		return &e->setups[l->index].treatment;
	if (levels[l->index] == DESIGN_ABSENT)
		return NULL;
	return factor_treatment(e, l->index, levels[l->index]);
}

bool layer_differs(const struct experiment *e, size_t layer,
		   const size_t *from, const size_t *to)
{
	const struct layer *l = &e->layers[layer];
	const struct setup *s;

	if (l->kind == LAYER_FACTOR)
		return from[l->index] != to[l->index];
	s = &e->setups[l->index];
	for (size_t i = 0; i < s->n_per; i++)
		if (from[s->per[i]] != to[s->per[i]])
			return true;
	return false;
}

size_t layers_lowest_change(const struct experiment *e, const size_t *from,
			    const size_t *to)
{
	size_t i = 0;

	while (from && i < e->n_layers && !layer_differs(e, i, from, to))
		i++;
	return i;
}

const char *layer_name(const struct experiment *e, size_t layer)
{
	const struct layer *l = &e->layers[layer];

	return l->kind == LAYER_SETUP ? e->setups[l->index].name
				      : e->factors[l->index].name;
}

static void add_level(const struct experiment *e, size_t factor, size_t level,
		      struct buf *out)
{
	buf_adds(out, level == DESIGN_ABSENT
			      ? "-"
			      : e->factors[factor].levels[level].name);
}

void layer_level(const struct experiment *e, size_t layer,
		 const size_t *levels, struct buf *out)
{
	const struct layer *l = &e->layers[layer];
	const struct setup *s;

	if (l->kind == LAYER_FACTOR) {
		add_level(e, l->index, levels[l->index], out);
		return;
	}
	s = &e->setups[l->index];
	if (!s->n_per)
		buf_addc(out, '-');
	for (size_t i = 0; i < s->n_per; i++) {
		buf_addf(out, "%s%s=", i ? "," : "",
			 e->factors[s->per[i]].name);
		add_level(e, s->per[i], levels[s->per[i]], out);
	}
}
