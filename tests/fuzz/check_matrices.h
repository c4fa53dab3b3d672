#ifndef FUZZ_CHECK_MATRICES_H
#define FUZZ_CHECK_MATRICES_H

#include <assert.h>
#include <stddef.h>

#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/matrix.h"
#include "stats/fraction.h"

/* The matrices of an experiment that was read: no index dangles. */
#ifndef MUST
#define MUST(condition) assert(condition)
#endif

static inline void check_indexes(const size_t *items, size_t n, size_t below)
{
	for (size_t i = 0; i < n; i++)
		MUST(items[i] < below && (!i || items[i] > items[i - 1]));
}

static inline void check_generators(const struct experiment *e,
				    const struct matrix *m)
{
	for (size_t i = 0; i < m->n_generators; i++) {
		const struct generator *g = &m->generators[i];

		MUST(matrix_has_factor(m, g->factor) && g->n > 1);
		for (size_t k = 0; k < g->n; k++)
			MUST(matrix_has_factor(m, g->of[k]));
		MUST(e->factors[g->factor].n_levels == 2);
	}
}

static inline void check_list(const struct experiment *e,
			      const struct matrix *m)
{
	for (size_t i = 0; i < m->n_list * e->n_factors; i++) {
		size_t f = i % e->n_factors;

		MUST(m->list[i] == DESIGN_ABSENT ||
		     (m->list[i] < e->factors[f].n_levels &&
		      matrix_has_factor(m, f)));
	}
}

static inline void check_side(const struct matrix *m, int side)
{
	MUST(side >= 0 ? matrix_has_factor(m, (size_t)side) :
	     side == LATIN_HOST || side == LATIN_ROUND);
}

static inline void check_kind(const struct experiment *e,
			      const struct matrix *m)
{
	MUST((m->kind == DESIGN_LIST) == (m->n_list > 0));
	MUST((m->kind == DESIGN_FRACTIONAL) == (m->n_generators > 0));
	MUST(!m->n_base || m->kind == DESIGN_ONE_AT_A_TIME);
	for (size_t i = 0; i < m->n_base; i++) {
		MUST(matrix_has_factor(m, m->base[i].factor));
		MUST(m->base[i].level <
		     e->factors[m->base[i].factor].n_levels);
	}
	if (m->kind != DESIGN_LATIN_SQUARE)
		return;
	check_side(m, m->latin.rows);
	check_side(m, m->latin.columns);
	MUST(matrix_has_factor(m, (size_t)m->latin.letters));
}

static inline void check_axes(const struct experiment *e,
			      const struct matrix *m)
{
	for (size_t i = 0; i < m->n_zips; i++) {
		const struct zip *z = &m->zips[i];

		MUST(z->n > 1);
		for (size_t k = 0; k < z->n; k++) {
			MUST(matrix_has_factor(m, z->factors[k]));
			MUST(e->factors[z->factors[k]].n_levels ==
			     e->factors[z->factors[0]].n_levels);
		}
	}
	for (size_t i = 0; i < m->n_existences; i++) {
		MUST(matrix_has_factor(m, m->existences[i].factor));
		MUST(m->existences[i].when);
	}
	for (size_t i = 0; i < m->n_include; i++)
		MUST(m->include[i]);
	for (size_t i = 0; i < m->n_exclude; i++)
		MUST(m->exclude[i]);
}

static inline void check_matrices(const struct experiment *e)
{
	MUST(e->n_matrices);
	for (size_t i = 0; i < e->n_matrices; i++) {
		const struct matrix *m = &e->matrices[i];

		check_indexes(m->factors, m->n_factors, e->n_factors);
		check_indexes(m->benchmarks, m->n_benchmarks, e->n_benchmarks);
		MUST(m->n_benchmarks && m->replicates && m->rounds_a_day);
		MUST(m->replicates_max >= m->replicates);
		MUST(m->until.response ||
		     m->replicates_max == m->replicates);
		check_kind(e, m);
		check_generators(e, m);
		check_list(e, m);
		check_axes(e, m);
	}
}

#endif
