#include "orchestrate/schedule/lint_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/schedule/cost.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/treatment_def.h"

#define LONG_CHANGE 30.0 /* seconds: more than a run's own preparation */

static bool def_is_slow(const struct treatment_def *def)
{
	return def && (def->reboot || def->cost >= LONG_CHANGE);
}

static bool layer_is_slow(const struct experiment *e, size_t layer)
{
	const struct layer *l = &e->layers[layer];

	if (l->kind == LAYER_SETUP)
		return def_is_slow(e->setups[l->index].treatment.def);
	for (size_t i = 0; i < e->factors[l->index].n_levels; i++) {
		const struct treatment_use *u = factor_treatment(e, l->index,
								 i);

		if (u && def_is_slow(u->def))
			return true;
	}
	return false;
}

/* The factors that change the layer; returns their number. */
static size_t factors_of(const struct experiment *e, size_t layer,
			 const size_t **factors)
{
	const struct layer *l = &e->layers[layer];

	if (l->kind == LAYER_SETUP) {
		*factors = e->setups[l->index].per;
		return e->setups[l->index].n_per;
	}
	*factors = &l->index;
	return 1;
}

/* Marks in `hard` those of the layer that are not yet; whether there were. */
static bool make_hard(const struct experiment *e, size_t layer,
		      struct factor *hard)
{
	const size_t *factors;
	size_t n = factors_of(e, layer, &factors);
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const struct factor *f = &e->factors[factors[i]];

		if (f->hard || f->n_levels < 2)
			continue;
		hard[factors[i]].hard = true;
		any = true;
	}
	return any;
}

static void add_names(struct buf *out, const struct experiment *e,
		      size_t layer)
{
	const size_t *factors;
	size_t n = factors_of(e, layer, &factors);
	const char *separator = "";

	for (size_t i = 0; i < n; i++) {
		const struct factor *f = &e->factors[factors[i]];

		if (f->hard || f->n_levels < 2)
			continue;
		buf_addf(out, "%s\"%s\"", separator, f->name);
		separator = " and ";
	}
}

static void add_time(struct buf *out, double seconds)
{
	char text[CLOCK_TEXT_SIZE];

	if (seconds > 0)
		buf_addf(out, " (about %s)",
			 clock_duration((int64_t)(seconds * 1e9), text));
}

static void warn(struct lint *l, size_t layer, const struct layer_cost *now,
		 const struct layer_cost *grouped)
{
	const struct layer *at = &l->e->layers[layer];
	bool is_setup = at->kind == LAYER_SETUP;
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s \"%s\" %s %zu times in this order",
		 is_setup ? "set-up" : "factor", now->name,
		 now->reboots ? "restarts hosts" :
		 is_setup     ? "is made" : "is set",
		 now->reboots ? now->reboots : now->applied);
	add_time(&text, now->seconds);
	buf_adds(&text, "; \"change: hard\" on ");
	add_names(&text, l->e, layer);
	buf_addf(&text, " makes that %zu",
		 now->reboots ? grouped->reboots : grouped->applied);
	add_time(&text, grouped->seconds);
	lint_warn(l,
		  is_setup ? l->e->setups[at->index].mark
			   : l->e->uses[at->index].mark,
		  "%s: runs at one level are kept together in each round",
		  text.data);
	buf_release(&text);
}

/* What the same plan would cost if these factors were hard. */
static int plan_grouped(struct cost *c, const struct lint *l,
			struct factor *factors)
{
	const struct cost_times unknown = { .runs = NULL };
	struct experiment e = *l->e;
	struct expansion x = *l->x;
	struct error err = ERROR_INIT;
	struct schedule s;

	e.factors = factors;
	x.design.factors = factors;
	if (schedule_plan(&s, &e, &x, l->s->seed, &err))
		return -1;
	cost_of_runs(c, &s, NULL, 0, &unknown);
	schedule_release(&s);
	return 0;
}

static bool any_random(const struct experiment *e)
{
	for (size_t m = 0; m < e->n_matrices; m++)
		if (e->matrices[m].order == ORDER_RANDOMIZED)
			return true;
	return false;
}

/* A quarter less is worth a word. */
static bool is_worth(size_t now, size_t grouped)
{
	return 4 * grouped <= 3 * now;
}

void lint_changes(struct lint *l)
{
	const struct cost_times unknown = { .runs = NULL };
	const struct experiment *e = l->e;
	struct factor *factors = mem_zalloc(e->n_factors, sizeof(*factors));
	bool *slow = mem_zalloc(e->n_layers, sizeof(*slow)), any = false;
	struct cost now, grouped;

	if (e->n_factors)
		memcpy(factors, e->factors, e->n_factors * sizeof(*factors));
	for (size_t i = 0; i < e->n_layers && any_random(e); i++) {
		slow[i] = layer_is_slow(e, i) && make_hard(e, i, factors);
		any |= slow[i];
	}
	if (any && !plan_grouped(&grouped, l, factors)) {
		cost_of_runs(&now, l->s, NULL, 0, &unknown);
		for (size_t i = 0; i < e->n_layers; i++)
			if (slow[i] && is_worth(now.layers[i].applied,
						grouped.layers[i].applied))
				warn(l, i, &now.layers[i], &grouped.layers[i]);
		cost_release(&now);
		cost_release(&grouped);
	}
	free(factors);
	free(slow);
}
