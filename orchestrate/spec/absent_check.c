#include <string.h>

#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/filter.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/matrix.h"
#include "stats/factor.h"

/*
 * A factor may be absent: a matrix does not vary it, or its axis exists under
 * some levels only. What is looked up by it needs an `else` then.
 */
static bool may_be_absent(const struct experiment *e, const struct matrix *m,
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
}
