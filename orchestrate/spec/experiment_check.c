#include <inttypes.h>
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
	const struct level_use *u = &e->uses[factor].levels[level];

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
		check_fixed(r, e->uses[i].mark, "factor", e->factors[i].name,
			    e->uses[i].treatment.params,
			    e->uses[i].treatment.n_given, &owners);
	for (size_t i = 0; i < e->n_setups; i++)
		check_fixed(r, e->setups[i].mark, "set-up", e->setups[i].name,
			    e->setups[i].treatment.params,
			    e->setups[i].treatment.n_given, &owners);
	for (size_t i = 0; i < e->n_benchmarks; i++)
		check_benchmark(r, &e->benchmarks[i], &owners);
	map_release(&owners);
}

static void check_size(struct reading *r, struct mark at)
{
	const struct experiment *e = r->e;
	uint64_t treatments = 1, runs;

	for (size_t i = 0; i < e->n_factors; i++) {
		treatments *= e->factors[i].n_levels ?
			      e->factors[i].n_levels : 1;
		if (treatments <= DESIGN_MAX_TREATMENTS)
			continue;
		problems_add(r->problems, at,
			     "too many treatments: the levels of the first "
			     "%zu factors alone combine to %" PRIu64
			     ", at most %d are possible", i + 1, treatments,
			     DESIGN_MAX_TREATMENTS);
		return;
	}
	runs = treatments * e->matrices[0].replicates;
	if (e->n_benchmarks && runs > EXPERIMENT_MAX_RUNS / e->n_benchmarks)
		problems_add(r->problems, at,
			     "too many runs: %" PRIu64 " treatments x %" PRIu32
			     " replicates x %zu benchmarks, at most %d are "
			     "possible", treatments, e->matrices[0].replicates,
			     e->n_benchmarks, EXPERIMENT_MAX_RUNS);
}

static void warn_replicates(struct reading *r, struct mark at)
{
	if (r->e->matrices[0].replicates == 1)
		reading_warn(r, at,
			     "1 replicate: no interval can be given for any "
			     "result; 5 or more is usual");
	else if (r->e->matrices[0].replicates == 2)
		reading_warn(r, at,
			     "2 replicates: intervals will be very wide; 5 or "
			     "more is usual");
}

static void warn_factors(struct reading *r)
{
	const struct experiment *e = r->e;

	for (size_t i = 0; i < e->n_factors; i++)
		if (e->factors[i].n_levels == 1)
			reading_warn(r, e->uses[i].mark,
				     "factor \"%s\" has one level: nothing is "
				     "compared", e->factors[i].name);
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

/* What a treatment works on, and the benchmark is told to work elsewhere. */
static void warn_param(struct reading *r, const struct benchmark *b,
		       const char *name, size_t factor)
{
	const struct factor_use *u = &r->e->uses[factor];

	if (variables_find(u->treatment.params, u->treatment.n_params, name))
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

void experiment_check(struct reading *r, const struct yaml_node *root)
{
	const struct yaml_pair *design = yaml_get(root, "design");
	const struct yaml_pair *factors = yaml_get(root, "factors");
	const struct yaml_pair *replicates =
		design ? yaml_get(design->value, "replicates") : NULL;
	struct mark at = replicates ? replicates->mark :
			 design ? design->mark : root->mark;

	check_variables(r);
	lookups_check(r);
	roles_check(r);
	absent_check(r);
	check_size(r, factors ? factors->mark : at);
	if (r->problems->total > r->before)
		return;
	warn_replicates(r, at);
	warn_factors(r);
	for (size_t i = 0; i < r->e->n_benchmarks; i++)
		warn_benchmark(r, &r->e->benchmarks[i]);
	for (size_t i = 0; i < r->e->n_hosts; i++)
		warn_host(r, i);
	roles_warn(r);
}
