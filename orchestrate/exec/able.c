#include "orchestrate/exec/able.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/problem.h"
#include "orchestrate/spec/treatment_def.h"

static void add(struct problems *p, struct mark at, const char *what,
		const char *name)
{
	problems_add(p, at, "%s%s%s%s is planned, but `assay run` cannot do it "
		     "yet", what, name ? " \"" : "", name ? name : "",
		     name ? "\"" : "");
}

static void check_benchmark(const struct benchmark *b, struct problems *p)
{
	for (size_t i = 0; i < b->n_services; i++)
		add(p, b->services[i].mark, "service", b->services[i].name);
	for (size_t i = 0; i < b->n_monitors; i++)
		add(p, b->monitors[i].mark, "monitor", b->monitors[i].name);
	if (b->artefacts.n)
		add(p, b->mark, "keeping files (`artefacts`) of benchmark",
		    b->name);
}

static bool has_text(const struct lookup *l, const char *text)
{
	for (size_t i = 0; i < l->n_cases; i++)
		if (l->cases[i].value && !strcmp(l->cases[i].value, text))
			return true;
	return l->otherwise && strcmp(l->otherwise, text) == 0;
}

/* Whether the role, under some levels, runs the benchmark. */
static bool may_run(const struct benchmark *b, const char *role)
{
	return b->role_by ? has_text(b->role_by, role) :
			    strcmp(b->role, role) == 0;
}

/* Whether the benchmark is, under some levels, run by another role. */
static bool may_run_elsewhere(const struct experiment *e,
			      const struct benchmark *b, const char *role)
{
	for (size_t i = 0; i < e->n_roles; i++)
		if (strcmp(e->roles[i].name, role) != 0 &&
		    may_run(b, e->roles[i].name))
			return true;
	return false;
}

static bool is_one(const char *text)
{
	return !text || strcmp(text, "1") == 0;
}

/* A count that has to be computed may be more than one. */
static bool is_always_one(const struct variable *count)
{
	const struct lookup *l = count->lookup;

	for (size_t i = 0; l && i < l->n_cases; i++)
		if (!is_one(l->cases[i].value))
			return false;
	return l ? is_one(l->otherwise) : is_one(count->value);
}

static void check_role(const struct experiment *e, const struct role *role,
		       struct problems *p)
{
	bool used = false;

	for (size_t i = 0; i < e->n_benchmarks; i++)
		used = used || may_run(&e->benchmarks[i], role->name);
	if (used && !is_always_one(&role->count))
		add(p, role->count.mark.line ? role->count.mark : role->mark,
		    "a run on several hosts of role", role->name);
}

static void check_matrix(const struct matrix *m, struct problems *p)
{
	struct mark at = m->replicates_mark.line ? m->replicates_mark :
			 m->kind_mark.line	 ? m->kind_mark :
						   m->mark;

	if (m->until.response)
		add(p, m->until.mark, "more runs until the interval is narrow "
		    "enough (`until`)", NULL);
	if (m->blocks == BLOCK_DAY)
		add(p, at, "spreading the blocks over days (`blocks`)", NULL);
}

static void check_definition(const struct experiment *e,
			     const struct treatment_def *def, struct mark at,
			     struct problems *p)
{
	bool elsewhere = false;

	if (!def)
		return;
	if (def->reboot)
		add(p, at, "restarting the host for treatment", def->name);
	for (size_t i = 0; def->applies_to && i < e->n_benchmarks; i++)
		elsewhere = elsewhere ||
			    may_run_elsewhere(e, &e->benchmarks[i],
					      def->applies_to);
	if (elsewhere) {
		char *what = mem_printf("applying treatment \"%s\" on the "
					"hosts of role", def->name);

		add(p, at, what, def->applies_to);
		free(what);
	}
}

/* Definitions of single levels are told at the level. */
static void check_factor(const struct experiment *e, size_t factor,
			 struct problems *p)
{
	const struct factor_use *u = &e->uses[factor];

	check_definition(e, u->treatment.def, u->mark, p);
	for (size_t l = 0; u->levels && l < e->factors[factor].n_levels; l++) {
		const struct level_use *level = &u->levels[l];

		check_definition(e, level->treatment.def,
				 level->mark.line ? level->mark : u->mark, p);
	}
}

void exec_check_able(const struct experiment *e, struct problems *p)
{
	for (size_t i = 0; i < e->n_roles; i++)
		check_role(e, &e->roles[i], p);
	for (size_t i = 0; i < e->n_factors; i++)
		check_factor(e, i, p);
	for (size_t i = 0; i < e->n_setups; i++)
		check_definition(e, e->setups[i].treatment.def,
				 e->setups[i].mark, p);
	for (size_t i = 0; i < e->n_matrices; i++)
		check_matrix(&e->matrices[i], p);
	for (size_t i = 0; i < e->n_benchmarks; i++)
		check_benchmark(&e->benchmarks[i], p);
}
