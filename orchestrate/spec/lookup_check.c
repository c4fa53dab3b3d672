#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/variables.h"
#include "stats/factor.h"

#define LIST_NAMES 8

/* What a look-up may name: the levels of a factor, or hosts. */
static void names_of_levels(const struct factor *f, struct strlist *out)
{
	for (size_t i = 0; i < f->n_levels; i++)
		strlist_push(out, f->levels[i].name);
}

static void names_of_hosts(const struct experiment *e, const struct role *role,
			   struct strlist *out)
{
	for (size_t i = 0; i < role->n_hosts; i++)
		strlist_push(out, e->hosts[role->hosts[i]].name);
}

static int missing(struct reading *r, const struct lookup *l, const char *what,
		   const struct strlist *names)
{
	struct buf text = BUF_INIT;
	char quoted[PROBLEM_QUOTE_SIZE];
	size_t n = 0;

	for (size_t i = 0; i < names->n; i++) {
		if (variables_find(l->cases, l->n_cases, names->items[i]))
			continue;
		if (n++ < LIST_NAMES)
			buf_addf(&text, "%s%s", n > 1 ? ", " : "",
				 problem_quote(quoted, names->items[i]));
	}
	if (n > LIST_NAMES)
		buf_addf(&text, " and %zu more", n - LIST_NAMES);
	if (n)
		problems_add(r->problems, l->mark,
			     "\"%s\" by \"%s\" has no value for %s: add %s, "
			     "or an \"else\"", what, l->by, text.data,
			     n > 1 ? "them" : "it");
	buf_release(&text);
	return n ? -1 : 0;
}

static int check_cases(struct reading *r, const struct lookup *l,
		       const char *what, const char *kind, const char *of,
		       const struct strlist *names)
{
	int rc = 0;

	for (size_t i = 0; i < l->n_cases; i++) {
		const struct variable *v = &l->cases[i];

		if (strlist_has(names, v->name))
			continue;
		problems_add_undefined(r->problems, v->mark, kind, v->name, of,
				       names);
		rc = -1;
	}
	/* a misspelt case is not missing as well */
	if (!rc && !l->otherwise)
		rc = missing(r, l, what, names);
	return rc;
}

static int check_hosts(struct reading *r, const struct lookup *l,
		       const char *what, const struct role *hosts)
{
	struct strlist names = STRLIST_INIT;
	char *of = NULL;
	int rc;

	if (!hosts)
		return problems_add(r->problems, l->mark,
				    "\"%s\" cannot be looked up by host: all "
				    "hosts share it; use a factor", what);
	if (factor_find(r->e->factors, r->e->n_factors, LOOKUP_BY_HOST) >= 0)
		return problems_add(r->problems, l->mark,
				    "\"%s\" by \"host\": there is a factor of "
				    "that name as well; give the factor "
				    "another one", what);
	names_of_hosts(r->e, hosts, &names);
	if (hosts->name)
		of = mem_printf("role %s", hosts->name);
	rc = check_cases(r, l, what, "host", of, &names);
	free(of);
	strlist_release(&names);
	return rc;
}

int lookup_check(struct reading *r, const struct lookup *l, const char *what,
		 const struct role *hosts)
{
	struct experiment *e = r->e;
	struct strlist names = STRLIST_INIT;
	char *of;
	int f, rc;

	if (!strcmp(l->by, LOOKUP_BY_HOST))
		return check_hosts(r, l, what, hosts);
	f = find_factor(r, l->mark, l->by);
	if (f < 0)
		return -1;
	/* a factor without levels has been reported where it stands */
	if (!e->factors[f].n_levels)
		return -1;
	names_of_levels(&e->factors[f], &names);
	of = mem_printf("factor %s", e->factors[f].name);
	rc = check_cases(r, l, what, "level", of, &names);
	free(of);
	strlist_release(&names);
	return rc;
}

static void check_variables(struct reading *r, const struct variable *items,
			    size_t n, const struct role *hosts)
{
	for (size_t i = 0; i < n; i++)
		if (items[i].lookup)
			lookup_check(r, items[i].lookup, items[i].name, hosts);
}

static void check_treatment(struct reading *r, const struct treatment_use *u,
			    const struct role *hosts)
{
	check_variables(r, u->params, u->n_params, hosts);
}

static void check_factor(struct reading *r, size_t factor,
			 const struct role *hosts)
{
	const struct factor_use *u = &r->e->uses[factor];

	check_treatment(r, &u->treatment, hosts);
	for (size_t i = 0; u->levels && i < r->e->factors[factor].n_levels;
	     i++) {
		check_variables(r, u->levels[i].vars, u->levels[i].n_vars,
				hosts);
		check_treatment(r, &u->levels[i].treatment, hosts);
	}
}

static void check_benchmark(struct reading *r, const struct benchmark *b,
			    const struct role *hosts)
{
	check_variables(r, b->params, b->n_params, hosts);
	for (size_t i = 0; i < b->n_monitors; i++)
		check_variables(r, b->monitors[i].params,
				b->monitors[i].n_params, hosts);
}

static bool has_role(const struct experiment *e, size_t host)
{
	for (size_t i = 0; i < e->n_roles; i++)
		for (size_t k = 0; k < e->roles[i].n_hosts; k++)
			if (e->roles[i].hosts[k] == host)
				return true;
	return false;
}

/* All hosts that scripts can run on, as if they had one role without a
 * name. */
static void all_hosts(const struct experiment *e, struct role *out)
{
	*out = (struct role){ .name = NULL };
	out->hosts = mem_zalloc(e->n_hosts, sizeof(*out->hosts));
	for (size_t i = 0; i < e->n_hosts; i++)
		if (has_role(e, i))
			out->hosts[out->n_hosts++] = i;
}

void lookups_check(struct reading *r)
{
	const struct experiment *e = r->e;
	struct role hosts;

	all_hosts(e, &hosts);
	check_variables(r, e->variables, e->n_variables, &hosts);
	for (size_t i = 0; i < e->n_hosts; i++)
		check_variables(r, e->hosts[i].env, e->hosts[i].n_env, &hosts);
	for (size_t i = 0; i < e->n_factors; i++)
		check_factor(r, i, &hosts);
	for (size_t i = 0; i < e->n_setups; i++)
		check_treatment(r, &e->setups[i].treatment, &hosts);
	for (size_t i = 0; i < e->n_benchmarks; i++)
		check_benchmark(r, &e->benchmarks[i], &hosts);
	free(hosts.hosts);
}
