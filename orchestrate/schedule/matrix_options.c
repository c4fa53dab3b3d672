#include "orchestrate/schedule/matrix_options.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/filter.h"

static int filter_holds(void *ctx, const uint16_t *levels, struct error *err)
{
	return filter_match(ctx, levels, err);
}

static bool filter_needs(void *ctx, size_t factor)
{
	return filter_uses(ctx, factor);
}

static int excluded(void *ctx, const uint16_t *levels, struct error *err)
{
	int answer = filter_match(ctx, levels, err);

	return answer < 0 ? -1 : !answer;
}

static int included(void *ctx, const uint16_t *levels, struct error *err)
{
	struct matrix_options *k = ctx;

	for (size_t i = 0; i < k->m->n_include; i++) {
		int answer = filter_match(k->m->include[i], levels, err);

		if (answer < 0)
			k->include_fault = filter_mark(k->m->include[i]);
		if (answer)
			return answer;
	}
	return 0;
}

static bool include_needs(void *ctx, size_t factor)
{
	const struct matrix_options *k = ctx;

	for (size_t i = 0; i < k->m->n_include; i++)
		if (filter_uses(k->m->include[i], factor))
			return true;
	return false;
}

static void take_part(struct matrix_options *k)
{
	k->part = mem_zalloc(k->e->n_factors, sizeof(*k->part));
	for (size_t i = 0; i < k->m->n_factors; i++)
		k->part[k->m->factors[i]] = true;
	k->o.part = k->m->n_factors < k->e->n_factors ? k->part : NULL;
}

/* Links between factors of this matrix: the design may be one for several. */
static void take_zips(struct matrix_options *k)
{
	k->zips = mem_zalloc(k->m->n_zips, sizeof(*k->zips));
	k->zip_marks = mem_zalloc(k->m->n_zips, sizeof(*k->zip_marks));
	for (size_t i = 0; i < k->m->n_zips; i++) {
		const struct zip *z = &k->m->zips[i];
		size_t *factors = mem_zalloc(z->n, sizeof(*factors)), n = 0;

		for (size_t f = 0; f < z->n; f++)
			if (k->part[z->factors[f]])
				factors[n++] = z->factors[f];
		if (n < 2) {
			free(factors);
			continue;
		}
		k->zip_marks[k->o.n_zips] = z->mark;
		k->zips[k->o.n_zips++] = (struct design_zip){ factors, n };
	}
	k->o.zips = k->zips;
}

static void take_existences(struct matrix_options *k)
{
	size_t n = k->m->n_existences;

	k->existences = mem_zalloc(n, sizeof(*k->existences));
	for (size_t i = 0; i < n; i++) {
		const struct existence *x = &k->m->existences[i];

		if (!k->part[x->factor])
			continue;
		k->existences[k->o.n_existences++] = (struct design_existence){
			.factor = x->factor,
			.when = { .holds = filter_holds, .uses = filter_needs,
				  .ctx = x->when },
		};
	}
	k->o.existences = k->existences;
}

static void take_rules(struct matrix_options *k)
{
	const struct matrix *m = k->m;
	size_t n = m->n_exclude + 1;

	k->rules = mem_zalloc(n, sizeof(*k->rules));
	k->rule_marks = mem_zalloc(n, sizeof(*k->rule_marks));
	k->dropped = mem_zalloc(n, sizeof(*k->dropped));
	n = 0;
	if (m->n_include) {
		k->rule_marks[n] = filter_mark(m->include[0]);
		k->rules[n++] = (struct design_rule){
			included, include_needs, k };
	}
	for (size_t i = 0; i < m->n_exclude; i++) {
		k->rule_marks[n] = filter_mark(m->exclude[i]);
		k->rules[n++] = (struct design_rule){
			excluded, filter_needs, m->exclude[i] };
	}
	k->o.rules = k->rules;
	k->o.n_rules = n;
	k->o.dropped = k->dropped;
}

static bool zip_has(const struct design_zip *z, size_t factor)
{
	for (size_t i = 0; i < z->n; i++)
		if (z->factors[i] == factor)
			return true;
	return false;
}

bool matrix_options_linked(const struct matrix_options *k, size_t a, size_t b)
{
	for (size_t i = 0; i < k->o.n_zips; i++)
		if (zip_has(&k->zips[i], a) && zip_has(&k->zips[i], b))
			return true;
	return a == b;
}

/* Whether the base says where the factor, or one linked with it, stands. */
static bool has_base(const struct matrix_options *k, size_t factor)
{
	for (size_t i = 0; i < k->m->n_base; i++)
		if (matrix_options_linked(k, k->m->base[i].factor, factor))
			return true;
	return false;
}

/* The centre as it is given; a factor it leaves out has its baseline. */
static void take_base(struct matrix_options *k)
{
	const struct matrix *m = k->m;
	const struct experiment *e = k->e;
	size_t n = 0;

	k->base = mem_zalloc(m->n_base + e->n_baseline, sizeof(*k->base));
	for (size_t i = 0; i < m->n_base; i++)
		k->base[n++] = (struct setting){ m->base[i].factor,
						 m->base[i].level };
	for (size_t i = 0; i < e->n_baseline; i++)
		if (e->baseline[i].level != DESIGN_ABSENT &&
		    !has_base(k, e->baseline[i].factor))
			k->base[n++] = (struct setting){
				e->baseline[i].factor, e->baseline[i].level };
	k->o.base = k->base;
	k->o.n_base = n;
}

void matrix_options_init(struct matrix_options *k, const struct experiment *e,
			 const struct matrix *m, struct problems *p)
{
	*k = (struct matrix_options){ .e = e, .m = m, .p = p };
	k->o = (struct design_options){
		.kind = m->kind,
		.factors = e->factors,
		.n_factors = e->n_factors,
		.generators = m->generators,
		.n_generators = m->n_generators,
		.latin = { m->latin.rows, m->latin.columns, m->latin.letters },
		.seed = e->seed_given ? e->seed : 0,
		.list = m->list,
		.n_list = m->n_list,
		.fault = &k->fault,
	};
	take_part(k);
	take_zips(k);
	take_existences(k);
	take_rules(k);
	take_base(k);
}

void matrix_options_release(struct matrix_options *k)
{
	free(k->part);
	for (size_t i = 0; i < k->o.n_zips; i++)
		free((size_t *)k->zips[i].factors);
	free(k->zips);
	free(k->zip_marks);
	free(k->existences);
	free(k->rules);
	free(k->rule_marks);
	free(k->base);
	free(k->dropped);
}
