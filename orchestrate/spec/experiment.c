#include "orchestrate/spec/experiment.h"

#include <stdlib.h>

#include "orchestrate/spec/matrix.h"
#include "orchestrate/spec/responses.h"
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

static void service_release(struct service *s)
{
	free(s->name);
	free(s->role);
	lookup_free(s->role_by);
	free(s->script);
	lookup_free(s->script_by);
	free(s->ready_value);
	free(s->stop);
}

static void monitor_release(struct monitor *m)
{
	free(m->name);
	free(m->definition);
	free(m->role);
	free(m->script);
	variables_release(m->params, m->n_params);
	responses_release(m->responses, m->n_responses);
	strlist_release(&m->needs);
}

static void benchmark_release(struct benchmark *b)
{
	free(b->name);
	localized_release(&b->label);
	free(b->definition);
	free(b->definition_file);
	free(b->script);
	lookup_free(b->script_by);
	free(b->role);
	lookup_free(b->role_by);
	strlist_release(&b->tags);
	strlist_release(&b->artefacts);
	for (size_t i = 0; i < b->n_services; i++)
		service_release(&b->services[i]);
	free(b->services);
	for (size_t i = 0; i < b->n_monitors; i++)
		monitor_release(&b->monitors[i]);
	free(b->monitors);
	variables_release(b->params, b->n_params);
	strlist_release(&b->needs);
	responses_release(b->responses, b->n_responses);
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
	for (size_t i = 0; i < e->n_roles; i++) {
		free(e->roles[i].name);
		free(e->roles[i].hosts);
		variable_release(&e->roles[i].count);
	}
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
