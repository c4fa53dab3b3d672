#include "orchestrate/spec/experiment.h"

#include <stdlib.h>

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

static void benchmark_release(struct benchmark *b)
{
	free(b->name);
	localized_release(&b->label);
	free(b->definition);
	free(b->definition_file);
	free(b->script);
	free(b->role);
	variables_release(b->params, b->n_params);
	strlist_release(&b->needs);
	responses_release(b->responses, b->n_responses);
}

static void use_release(struct factor_use *u)
{
	free(u->definition);
	treatment_def_free(u->def);
	variables_release(u->params, u->n_params);
}

static void hosts_release(struct experiment *e)
{
	for (size_t i = 0; i < e->n_hosts; i++)
		host_release(&e->hosts[i]);
	free(e->hosts);
	for (size_t i = 0; i < e->n_roles; i++) {
		free(e->roles[i].name);
		free(e->roles[i].hosts);
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
	for (size_t i = 0; i < e->n_factors; i++) {
		factor_release(&e->factors[i]);
		use_release(&e->uses[i]);
	}
	free(e->factors);
	free(e->uses);
	for (size_t i = 0; i < e->n_benchmarks; i++)
		benchmark_release(&e->benchmarks[i]);
	free(e->benchmarks);
	free(e->baseline);
	drawings_release(e);
	free(e->report_template);
	free(e->report_language);
	strlist_release(&e->files);
	strlist_release(&e->warnings);
	*e = (struct experiment){ .path = NULL };
}
