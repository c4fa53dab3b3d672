#include "orchestrate/schedule/changes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/schedule/cost.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/treatment_def.h"

#define NOTHING UINT32_MAX

void changes_init(struct changes *c, const struct experiment *e,
		  const struct design *d, struct layer_cost *counts,
		  const double *seconds)
{
	size_t n = e->n_hosts * e->n_layers;

	*c = (struct changes){
		.e = e,
		.d = d,
		.seconds = seconds,
		.counts = counts,
		.in_force = mem_realloc(NULL, n + 1, sizeof(*c->in_force)),
	};
	for (size_t i = 0; i < n; i++)
		c->in_force[i] = NOTHING;
}

void changes_release(struct changes *c)
{
	free(c->in_force);
	memset(c, 0, sizeof(*c));
}

const struct treatment_def *changes_def(const struct experiment *e,
					const struct design *d, size_t layer,
					size_t treatment)
{
	const struct layer *l = &e->layers[layer];
	const struct treatment_use *u;
	size_t level;

	if (l->kind == LAYER_SETUP)
		return e->setups[l->index].treatment.def;
	level = design_level(d, treatment, l->index);
	if (level == DESIGN_ABSENT)
		return NULL;
	u = factor_treatment(e, l->index, level);
	return u ? u->def : NULL;
}

static bool factor_differs(const struct design *d, size_t factor, size_t from,
			   size_t to)
{
	return design_level(d, from, factor) != design_level(d, to, factor);
}

/* Like layer_differs(), of two treatments of the design. */
static bool differs(const struct changes *c, size_t layer, size_t from,
		    size_t to)
{
	const struct layer *l = &c->e->layers[layer];
	const struct setup *s;

	if (l->kind == LAYER_FACTOR)
		return factor_differs(c->d, l->index, from, to);
	s = &c->e->setups[l->index];
	for (size_t i = 0; i < s->n_per; i++)
		if (factor_differs(c->d, s->per[i], from, to))
			return true;
	return false;
}

static double take(struct changes *c, size_t layer,
		   const struct treatment_def *def)
{
	if (c->seconds && !isnan(c->seconds[layer]))
		return c->seconds[layer];
	return def->cost;
}

/* From what is in force to `to`; either may be NULL. */
static double change(struct changes *c, size_t layer,
		     const struct treatment_def *from,
		     const struct treatment_def *to)
{
	struct layer_cost *count = &c->counts[layer];
	double seconds;

	if (!from && !to)
		return 0;
	count->reverted += from != NULL;
	count->applied += to != NULL;
	count->reboots += (from && from->reboot) + (to && to->reboot);
	seconds = take(c, layer, to ? to : from);
	count->seconds += seconds;
	return seconds;
}

static const struct treatment_def *def_of(const struct changes *c,
					  size_t layer, size_t treatment)
{
	return treatment == NOTHING
		       ? NULL
		       : changes_def(c->e, c->d, layer, treatment);
}

/* The layer's treatment that is wanted there, or NOTHING. */
static uint32_t target(size_t layer, size_t treatment, const bool *wanted)
{
	return !wanted || wanted[layer] ? (uint32_t)treatment : NOTHING;
}

static size_t lowest_change(const struct changes *c, const uint32_t *in_force,
			    size_t treatment, const bool *wanted)
{
	size_t l = 0;

	for (; l < c->e->n_layers; l++) {
		uint32_t to = target(l, treatment, wanted);

		if ((in_force[l] == NOTHING) != (to == NOTHING) ||
		    (to != NOTHING && differs(c, l, in_force[l], to)))
			break;
	}
	return l;
}

double changes_apply(struct changes *c, size_t host, size_t treatment,
		     const bool *wanted)
{
	uint32_t *in_force = c->in_force + host * c->e->n_layers;
	double seconds = 0;

	for (size_t l = lowest_change(c, in_force, treatment, wanted);
	     l < c->e->n_layers; l++) {
		uint32_t to = target(l, treatment, wanted);

		seconds += change(c, l, def_of(c, l, in_force[l]),
				  def_of(c, l, to));
		in_force[l] = to;
	}
	return seconds;
}

double changes_revert(struct changes *c, size_t host)
{
	uint32_t *in_force = c->in_force + host * c->e->n_layers;
	double seconds = 0;

	for (size_t l = 0; l < c->e->n_layers; l++) {
		seconds += change(c, l, def_of(c, l, in_force[l]), NULL);
		in_force[l] = NOTHING;
	}
	return seconds;
}
