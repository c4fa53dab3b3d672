#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/variables.h"
#include "stats/design.h"

/* Who sets a variable: a factor, itself or by its levels. */
static const struct factor *owner_of(const struct experiment *e,
				     const struct map *owners,
				     const char *name)
{
	int i = factor_find(e->factors, e->n_factors, name);

	return i >= 0 ? &e->factors[i] : map_get(owners, name);
}

/* A variable that levels of two factors set would have two values at once. */
static void check_level(struct reading *r, size_t factor,
			size_t level, struct map *owners)
{
	const struct experiment *e = r->e;
	const struct factor *f = &e->factors[factor];
	const struct level *l = &f->levels[level];
	const struct level_use *u = e->uses[factor].levels;

	if (!u)
		return;
	u += level;
	for (size_t i = 0; i < u->n_vars; i++) {
		const char *name = u->vars[i].name;
		const struct factor *owner = owner_of(e, owners, name);

		if (!owner)
			map_put(owners, name, (void *)f);
		else if (!strcmp(owner->name, name))
			problems_add(r->problems, e->uses[factor].mark,
				     "level \"%s\" of factor \"%s\" sets "
				     "\"%s\", which is a factor itself",
				     l->name, f->name, name);
		else if (owner != f)
			problems_add(r->problems, e->uses[factor].mark,
				     "levels of both \"%s\" and \"%s\" set "
				     "\"%s\"; only one factor may",
				     owner->name, f->name, name);
	}
}

/* A value written down for what a factor varies: one of them would have no
 * effect, and its treatments would be the same. */
static void check_fixed(struct reading *r, struct mark at, const char *what,
			const char *name, const struct variable *given,
			size_t n, const struct map *owners)
{
	for (size_t i = 0; i < n; i++) {
		const struct factor *owner =
			owner_of(r->e, owners, given[i].name);

		/* a factor that hides its own treatment's parameter has
		 * been reported as that */
		if (owner && strcmp(owner->name, name))
			problems_add(r->problems, at,
				     "%s \"%s\" gives a value to \"%s\", "
				     "which factor \"%s\" varies; remove one "
				     "of them", what, name, given[i].name,
				     owner->name);
	}
}

static void check_factor(struct reading *r, size_t factor,
			 const struct map *owners)
{
	const struct factor *f = &r->e->factors[factor];
	const struct factor_use *u = &r->e->uses[factor];

	check_fixed(r, u->mark, "factor", f->name, u->treatment.params,
		    u->treatment.n_given, owners);
	for (size_t i = 0; u->levels && i < f->n_levels; i++) {
		const struct level_use *l = &u->levels[i];

		check_fixed(r, l->mark, "level", f->levels[i].name,
			    l->treatment.params, l->treatment.n_given, owners);
	}
}

static void check_benchmark(struct reading *r, const struct benchmark *b,
			    const struct map *owners)
{
	check_fixed(r, b->mark, "benchmark", b->name, b->params, b->n_given,
		    owners);
	for (size_t i = 0; i < b->n_monitors; i++)
		check_fixed(r, b->monitors[i].mark, "monitor",
			    b->monitors[i].name, b->monitors[i].params,
			    b->monitors[i].n_given, owners);
}

static void check_variables(struct reading *r)
{
	const struct experiment *e = r->e;
	struct map owners = MAP_INIT;

	for (size_t i = 0; i < e->n_factors; i++)
		for (size_t k = 0; k < e->factors[i].n_levels; k++)
			check_level(r, i, k, &owners);
	for (size_t i = 0; i < e->n_factors; i++)
		check_factor(r, i, &owners);
	for (size_t i = 0; i < e->n_setups; i++)
		check_fixed(r, e->setups[i].mark, "set-up", e->setups[i].name,
			    e->setups[i].treatment.params,
			    e->setups[i].treatment.n_given, &owners);
	for (size_t i = 0; i < e->n_benchmarks; i++)
		check_benchmark(r, &e->benchmarks[i], &owners);
	map_release(&owners);
}

static void warn_response(struct reading *r, const struct response *x)
{
	bool uom = !*x->uom, better = x->better == BETTER_UNSAID;

	if (uom || better)
		reading_warn(r, x->mark, "response \"%s\" has no %s%s%s",
			     x->name, uom ? "\"uom\" (unit of measure)" : "",
			     uom && better ? " and no " : "",
			     better ? "\"better\" (higher or lower)" : "");
}

static bool takes(const struct experiment *e, size_t factor, const char *name)
{
	const struct factor_use *u = &e->uses[factor];

	if (variables_find(u->treatment.params, u->treatment.n_params, name))
		return true;
	for (size_t i = 0; u->levels && i < e->factors[factor].n_levels; i++)
		if (variables_find(u->levels[i].treatment.params,
				   u->levels[i].treatment.n_params, name))
			return true;
	return false;
}

/* What a treatment works on, and the benchmark is told to work elsewhere. */
static void warn_param(struct reading *r, const struct benchmark *b,
		       const char *name, size_t factor)
{
	if (takes(r->e, factor, name))
		reading_warn(r, b->mark,
			     "benchmark \"%s\" gives a value to \"%s\", a "
			     "parameter of the treatment of factor \"%s\": is "
			     "it the same?", b->name, name,
			     r->e->factors[factor].name);
}

static void warn_benchmark(struct reading *r, const struct benchmark *b)
{
	const struct experiment *e = r->e;

	for (size_t i = 0; i < b->n_responses; i++)
		warn_response(r, &b->responses[i]);
	for (size_t i = 0; i < b->n_given; i++)
		for (size_t k = 0; k < e->n_factors; k++)
			warn_param(r, b, b->params[i].name, k);
}

static bool is_used(const struct experiment *e, size_t host)
{
	for (size_t i = 0; i < e->n_roles; i++)
		for (size_t k = 0; k < e->roles[i].n_hosts; k++)
			if (e->roles[i].hosts[k] == host)
				return true;
	return false;
}

static void warn_host(struct reading *r, size_t host)
{
	const struct host *h = &r->e->hosts[host];

	if (!is_used(r->e, host))
		reading_warn(r, h->mark, "host \"%s\" has no role: it is not "
			     "used", h->name);
	for (size_t i = 0; i < h->n_env; i++)
		if (factor_find(r->e->factors, r->e->n_factors,
				h->env[i].name) >= 0)
			reading_warn(r, h->mark,
				     "host \"%s\": the variable \"%s\" is not "
				     "used, the factor \"%s\" sets it",
				     h->name, h->env[i].name, h->env[i].name);
}

/* A variable for all scripts that none of them sees. */
static void warn_variables(struct reading *r)
{
	const struct experiment *e = r->e;

	for (size_t i = 0; i < e->n_variables; i++)
		if (factor_find(e->factors, e->n_factors,
				e->variables[i].name) >= 0)
			reading_warn(r, e->variables[i].mark,
				     "the variable \"%s\" is not used, the "
				     "factor \"%s\" sets it",
				     e->variables[i].name,
				     e->variables[i].name);
}

void experiment_check(struct reading *r)
{
	check_variables(r);
	lookups_check(r);
	variables_check(r);
	roles_check(r);
	absent_check(r);
	matrices_check(r);
	if (r->problems->total > r->before)
		return;
	matrices_warn(r);
	warn_variables(r);
	for (size_t i = 0; i < r->e->n_benchmarks; i++)
		warn_benchmark(r, &r->e->benchmarks[i]);
	for (size_t i = 0; i < r->e->n_hosts; i++)
		warn_host(r, i);
	roles_warn(r);
}
