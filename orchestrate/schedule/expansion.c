#include "orchestrate/schedule/expansion.h"

#include <stdlib.h>

#include "base/mem.h"
#include "orchestrate/schedule/matrix_design.h"
#include "orchestrate/schedule/matrix_options.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/matrix.h"
#include "stats/fraction.h"

/* One matrix is the design itself, nothing is copied. */
static int make_only(struct expansion *x, size_t *left, struct problems *p)
{
	const struct matrix *m = &x->experiment->matrices[0];

	if (matrix_design(&x->design, x, m, *left, p))
		return -1;
	x->shares[0].n_treatments = x->design.n_treatments;
	return 0;
}

static int add_matrix(struct expansion *x, size_t i, size_t *left,
		      struct problems *p)
{
	const struct experiment *e = x->experiment;
	const struct matrix *m = &e->matrices[i];
	struct matrix_share *share = &x->shares[i];
	struct design part;
	int rc = -1;

	if (!m->n_benchmarks) {
		share->treatments = mem_zalloc(0, sizeof(uint32_t));
		return 0;
	}
	if (!matrix_design(&part, x, m, *left, p)) {
		share->n_treatments = part.n_treatments;
		share->treatments = mem_realloc(NULL, part.n_treatments,
						sizeof(uint32_t));
		design_add(&x->design, &part, i, share->treatments);
		*left -= part.n_treatments * matrix_runs_each(e, m);
		rc = 0;
	}
	design_release(&part);
	return rc;
}

int expansion_make(struct expansion *x, const struct experiment *e,
		   struct problems *p)
{
	size_t left = EXPERIMENT_MAX_RUNS;
	int rc = 0;

	*x = (struct expansion){ .experiment = e, .n_shares = e->n_matrices };
	x->shares = mem_zalloc(e->n_matrices, sizeof(*x->shares));
	if (e->n_matrices == 1)
		return make_only(x, &left, p);
	design_init(&x->design, e->factors, e->n_factors);
	for (size_t i = 0; i < e->n_matrices; i++)
		rc |= add_matrix(x, i, &left, p);
	return rc;
}

void expansion_release(struct expansion *x)
{
	for (size_t i = 0; x->shares && i < x->n_shares; i++)
		free(x->shares[i].treatments);
	free(x->shares);
	free(x->effects);
	design_release(&x->design);
	*x = (struct expansion){ .shares = NULL };
}

size_t expansion_treatment(const struct expansion *x, size_t matrix, size_t i)
{
	const struct matrix_share *s = &x->shares[matrix];

	return s->treatments ? s->treatments[i] : i;
}

bool expansion_varies(const struct expansion *x, size_t benchmark,
		      size_t factor)
{
	const struct experiment *e = x->experiment;

	for (size_t i = 0; i < e->n_matrices; i++)
		if (matrix_has_benchmark(&e->matrices[i], benchmark) &&
		    matrix_has_factor(&e->matrices[i], factor))
			return true;
	return false;
}

bool *expansion_measures(const struct expansion *x, size_t benchmark)
{
	const struct experiment *e = x->experiment;
	bool *measures = mem_zalloc(x->design.n_treatments,
				    sizeof(*measures));

	for (size_t i = 0; i < e->n_matrices; i++) {
		if (!matrix_has_benchmark(&e->matrices[i], benchmark))
			continue;
		for (size_t t = 0; t < x->shares[i].n_treatments; t++)
			measures[expansion_treatment(x, i, t)] = true;
	}
	return measures;
}

/* Linked factors have the level of the one that is written. */
static size_t base_level(const struct matrix_options *k, size_t factor)
{
	const struct design_options *o = &k->o;

	for (size_t i = 0; i < o->n_base; i++)
		if (matrix_options_linked(k, o->base[i].factor, factor))
			return o->base[i].level;
	return 0;
}

/* The centre is the first; what filters leave is not, when it is dropped. */
bool expansion_centre(const struct expansion *x, size_t matrix,
		      size_t *treatment)
{
	const struct matrix *m = &x->experiment->matrices[matrix];
	bool is_centre = true;
	struct matrix_options k;

	if (m->kind != DESIGN_ONE_AT_A_TIME || !x->shares[matrix].n_treatments)
		return false;
	*treatment = expansion_treatment(x, matrix, 0);
	matrix_options_init(&k, x->experiment, m, NULL);
	for (size_t f = 0; f < x->experiment->n_factors; f++) {
		size_t level = design_level(&x->design, *treatment, f);

		if (level != DESIGN_ABSENT && level != base_level(&k, f))
			is_centre = false;
	}
	matrix_options_release(&k);
	return is_centre;
}

int expansion_fraction(const struct expansion *x, size_t matrix,
		       struct fraction *f, struct error *err)
{
	const struct experiment *e = x->experiment;
	const struct matrix *m = &e->matrices[matrix];
	bool *part = mem_zalloc(e->n_factors, sizeof(*part));
	int rc;

	for (size_t i = 0; i < m->n_factors; i++)
		part[m->factors[i]] = true;
	rc = fraction_make(f, e->factors, e->n_factors, part, m->generators,
			   m->n_generators, err);
	free(part);
	return rc;
}
