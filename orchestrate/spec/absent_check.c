#include "orchestrate/spec/absence.h"

#include <string.h>

#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/filter.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/matrix.h"
#include "stats/factor.h"

bool may_be_absent(const struct experiment *e, const struct matrix *m,
		   size_t factor)
{
	if (!matrix_has_factor(m, factor))
		return true;
	for (size_t i = 0; i < m->n_existences; i++)
		if (m->existences[i].factor == factor)
			return true;
	for (size_t i = 0; m->list && i < m->n_list; i++)
		if (m->list[i * e->n_factors + factor] == DESIGN_ABSENT)
			return true;
	return false;
}

bool may_be_absent_for(const struct experiment *e, size_t benchmark,
		       size_t factor)
{
	for (size_t i = 0; i < e->n_matrices; i++)
		if ((benchmark == ANY_BENCHMARK ||
		     matrix_has_benchmark(&e->matrices[i], benchmark)) &&
		    may_be_absent(e, &e->matrices[i], factor))
			return true;
	return false;
}

static bool is_incomplete(const struct lookup *l)
{
	return l && !l->otherwise && strcmp(l->by, LOOKUP_BY_HOST);
}

static void check(struct reading *r, const struct lookup *l, const char *what,
		  const struct matrix *m)
{
	const struct experiment *e = r->e;
	int f = is_incomplete(l) ? factor_find(e->factors, e->n_factors, l->by)
				 : -1;

	if (f < 0 || !may_be_absent(e, m, (size_t)f))
		return;
	problems_add(r->problems, l->mark,
		     "\"%s\" by \"%s\" needs an \"else\": some runs%s%s%s "
		     "do not have the factor", what, l->by,
		     *m->name ? " of matrix \"" : "", m->name,
		     *m->name ? "\"" : "");
}

/* The role of a service or monitor, unless it is the benchmark's. */
static void check_role(struct reading *r, const struct benchmark *b,
		       const struct lookup *role_by, const struct matrix *m)
{
	if (role_by && b->role_by &&
	    role_by->mark.line == b->role_by->mark.line &&
	    role_by->mark.column == b->role_by->mark.column)
		return;
	check(r, role_by, "role", m);
}

static void check_benchmark(struct reading *r, const struct benchmark *b,
			    const struct matrix *m)
{
	check(r, b->role_by, "role", m);
	check(r, b->script_by, "script", m);
	for (size_t i = 0; i < b->n_services; i++) {
		check_role(r, b, b->services[i].role_by, m);
		check(r, b->services[i].script_by, "run", m);
	}
	for (size_t i = 0; i < b->n_monitors; i++)
		check_role(r, b, b->monitors[i].role_by, m);
}

static void never_absent(struct reading *r, struct mark at, size_t factor)
{
	problems_add(r->problems, at,
		     "\"%s\" stands for the absence of factor \"%s\", which "
		     "no treatment here lacks: name a level", ABSENT_NAME,
		     r->e->factors[factor].name);
}

static void check_filter(struct reading *r, const struct matrix *m,
			 const struct filter *f)
{
	struct mark at;

	for (size_t i = 0; f && i < m->n_factors; i++)
		if (filter_asks_absence(f, m->factors[i], &at) &&
		    !may_be_absent(r->e, m, m->factors[i]))
			never_absent(r, at, m->factors[i]);
}

static void check_filters(struct reading *r, const struct matrix *m)
{
	for (size_t i = 0; i < m->n_include; i++)
		check_filter(r, m, m->include[i]);
	for (size_t i = 0; i < m->n_exclude; i++)
		check_filter(r, m, m->exclude[i]);
	for (size_t i = 0; i < m->n_existences; i++)
		check_filter(r, m, m->existences[i].when);
}

static void check_conditions(struct reading *r, size_t benchmark,
			     const struct condition *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (c[i].level == DESIGN_ABSENT &&
		    !may_be_absent_for(r->e, benchmark, c[i].factor))
			never_absent(r, c[i].mark, c[i].factor);
}

/* What is said of factors' absence. */
static void check_absences(struct reading *r)
{
	const struct experiment *e = r->e;

	check_conditions(r, ANY_BENCHMARK, e->baseline, e->n_baseline);
	for (size_t i = 0; i < e->n_matrices; i++)
		check_filters(r, &e->matrices[i]);
	/* without one it is another problem, which has been reported */
	for (size_t i = 0; e->n_benchmarks && i < e->n_charts; i++)
		check_conditions(r, e->charts[i].benchmark,
				 e->charts[i].where, e->charts[i].n_where);
	for (size_t i = 0; e->n_benchmarks && i < e->n_tables; i++)
		check_conditions(r, e->tables[i].benchmark,
				 e->tables[i].where, e->tables[i].n_where);
}

void absent_check(struct reading *r)
{
	const struct experiment *e = r->e;

	for (size_t i = 0; i < e->n_matrices; i++) {
		const struct matrix *m = &e->matrices[i];

		for (size_t k = 0; k < m->n_benchmarks; k++)
			check_benchmark(r, &e->benchmarks[m->benchmarks[k]],
					m);
		for (size_t k = 0; k < e->n_roles; k++)
			check(r, e->roles[k].count.lookup, "count", m);
	}
	check_absences(r);
}
