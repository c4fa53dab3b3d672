#include "orchestrate/spec/experiment.h"

#include <stdlib.h>

#include "orchestrate/spec/benchmark.h"
#include "orchestrate/spec/binder.h"
#include "orchestrate/spec/matrix.h"
#include "orchestrate/spec/role.h"
#include "orchestrate/spec/treatment_def.h"
#include "orchestrate/spec/variables.h"

static void host_release(struct host *h)
{
	free(h->name);
	free(h->ssh);
	free(h->address);
	free(h->user);
	free(h->key);
	free(h->known_hosts);
	free(h->config);
	free(h->shares);
	variables_release(h->env, h->n_env);
}

static void treatment_use_release(struct treatment_use *u)
{
	treatment_def_free(u->def);
	variables_release(u->params, u->n_params);
}

static void factor_use_release(struct factor_use *u, size_t n_levels)
{
	free(u->definition);
	treatment_use_release(&u->treatment);
	for (size_t i = 0; u->levels && i < n_levels; i++) {
		variables_release(u->levels[i].vars, u->levels[i].n_vars);
		treatment_use_release(&u->levels[i].treatment);
	}
	free(u->levels);
}

static void factors_release(struct experiment *e)
{
	for (size_t i = 0; i < e->n_factors; i++) {
		factor_use_release(&e->uses[i], e->factors[i].n_levels);
		factor_release(&e->factors[i]);
	}
	free(e->factors);
	free(e->uses);
	variables_release(e->variables, e->n_variables);
	for (size_t i = 0; i < e->n_setups; i++) {
		free(e->setups[i].name);
		free(e->setups[i].per);
		treatment_use_release(&e->setups[i].treatment);
	}
	free(e->setups);
	free(e->layers);
}

static void hosts_release(struct experiment *e)
{
	for (size_t i = 0; i < e->n_hosts; i++)
		host_release(&e->hosts[i]);
	free(e->hosts);
	for (size_t i = 0; i < e->n_roles; i++)
		role_release(&e->roles[i]);
	free(e->roles);
}

static void drawings_release(struct experiment *e)
{
	for (size_t i = 0; i < e->n_charts; i++) {
		free(e->charts[i].name);
		localized_release(&e->charts[i].title);
		free(e->charts[i].where);
	}
	free(e->charts);
	for (size_t i = 0; i < e->n_tables; i++) {
		free(e->tables[i].name);
		localized_release(&e->tables[i].title);
		free(e->tables[i].rows);
		free(e->tables[i].where);
	}
	free(e->tables);
}

void experiment_release(struct experiment *e)
{
	binder_free(e->binder);
	free(e->path);
	free(e->dir);
	free(e->name);
	localized_release(&e->title);
	localized_release(&e->description);
	hosts_release(e);
	factors_release(e);
	for (size_t i = 0; i < e->n_matrices; i++)
		matrix_release(&e->matrices[i]);
	free(e->matrices);
	for (size_t i = 0; i < e->n_benchmarks; i++)
		benchmark_release(&e->benchmarks[i]);
	free(e->benchmarks);
	free(e->baseline);
	drawings_release(e);
	free(e->report_template);
	free(e->report_language);
	strlist_release(&e->profiles);
	strlist_release(&e->profile_names);
	strlist_release(&e->only);
	strlist_release(&e->skip);
	strlist_release(&e->tags);
	for (size_t i = 0; i < e->n_facts; i++) {
		free(e->facts[i].host);
		free(e->facts[i].fact);
		free(e->facts[i].value);
	}
	free(e->facts);
	strlist_release(&e->files);
	strlist_release(&e->warnings);
	*e = (struct experiment){ .path = NULL };
}
