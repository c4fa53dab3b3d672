#include "orchestrate/schedule/partners.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/schedule/changes.h"
#include "orchestrate/schedule/role_choice.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/benchmark.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/treatment_def.h"

static bool layer_names_role(const struct experiment *e, size_t layer)
{
	const struct layer *l = &e->layers[layer];

	if (l->kind == LAYER_SETUP)
		return e->setups[l->index].treatment.def->applies_to;
	for (size_t i = 0; i < e->factors[l->index].n_levels; i++) {
		const struct treatment_use *u = factor_treatment(e, l->index,
								 i);

		if (u && u->def->applies_to)
			return true;
	}
	return false;
}

static size_t largest_pool(const struct experiment *e)
{
	size_t most = 1;

	for (size_t r = 0; r < e->n_roles; r++)
		if (e->roles[r].n_hosts > most)
			most = e->roles[r].n_hosts;
	return most;
}

static bool any_counts(const struct partners *p)
{
	for (size_t r = 0; r < p->s->experiment->n_roles; r++)
		if (p->counts.roles[r].plain != 1)
			return true;
	return false;
}

void partners_init(struct partners *p, const struct schedule *s,
		   struct problems *problems)
{
	const struct experiment *e = s->experiment;

	*p = (struct partners){
		.s = s,
		.needed = mem_zalloc(e->n_benchmarks, sizeof(*p->needed)),
		.levels = mem_zalloc(e->n_factors, sizeof(*p->levels)),
		.roles = mem_zalloc(e->n_roles, sizeof(*p->roles)),
		.hosts = mem_zalloc(e->n_hosts, sizeof(*p->hosts)),
		.pool = mem_zalloc(largest_pool(e), sizeof(*p->pool)),
		.wanted = mem_zalloc(e->n_layers, sizeof(*p->wanted)),
	};
	role_counts_init(&p->counts, s, problems);
	for (size_t l = 0; l < e->n_layers; l++)
		p->any_applies |= layer_names_role(e, l);
	for (size_t b = 0; b < e->n_benchmarks; b++)
		p->needed[b] = p->any_applies || any_counts(p) ||
			       e->benchmarks[b].n_services ||
			       e->benchmarks[b].n_monitors;
}

void partners_release(struct partners *p)
{
	role_counts_release(&p->counts);
	free(p->needed);
	free(p->levels);
	free(p->roles);
	free(p->hosts);
	free(p->pool);
	free(p->wanted);
	memset(p, 0, sizeof(*p));
}

static void add_host(struct partners *p, size_t host)
{
	for (size_t i = 0; i < p->n_hosts; i++)
		if (p->hosts[i] == host)
			return;
	p->hosts[p->n_hosts++] = host;
}

size_t partners_hosts(struct partners *p, size_t role)
{
	return schedule_hosts(p->s, p->run, p->s->experiment->roles[role].name,
			      role_counts_get(&p->counts, p->run, role),
			      p->pool);
}

static void add_role(struct partners *p, size_t role)
{
	size_t n;

	for (size_t i = 0; i < p->n_roles; i++)
		if (p->roles[i] == role)
			return;
	p->roles[p->n_roles++] = role;
	n = partners_hosts(p, role);
	for (size_t i = 0; i < n; i++)
		add_host(p, p->pool[i]);
}

/* NULL: none. */
static void add_named(struct partners *p, const char *role)
{
	uint32_t i = role ? role_index(p->s->experiment, role) : ROLE_NONE;

	if (i != ROLE_NONE)
		add_role(p, i);
}

/* The role that the layer applies to; NULL: the run's own. */
static const char *layer_role(const struct partners *p, size_t layer)
{
	const struct experiment *e = p->s->experiment;
	const struct treatment_def *def =
		changes_def(e, p->s->design, layer,
			    p->s->runs[p->run].treatment);

	return def ? def->applies_to : NULL;
}

void partners_list(struct partners *p, size_t run)
{
	const struct experiment *e = p->s->experiment;
	const struct run *r = &p->s->runs[run];
	const struct benchmark *b = &e->benchmarks[r->benchmark];

	p->run = run;
	p->n_hosts = p->n_roles = 0;
	for (size_t f = 0; f < e->n_factors; f++)
		p->levels[f] = design_level(p->s->design, r->treatment, f);
	add_host(p, r->host);
	add_role(p, schedule_role(p->s, run));
	for (size_t i = 0; i < b->n_services; i++)
		add_named(p, service_role(e, &b->services[i], p->levels));
	for (size_t i = 0; i < b->n_monitors; i++)
		add_named(p, monitor_role(e, &b->monitors[i], p->levels));
	for (size_t l = 0; p->any_applies && l < e->n_layers; l++)
		add_named(p, layer_role(p, l));
}

bool partners_find(struct partners *p, size_t run)
{
	if (!p->needed[p->s->runs[run].benchmark])
		return false;
	partners_list(p, run);
	return true;
}

static bool role_has_host(struct partners *p, size_t role, size_t host)
{
	size_t n = role == ROLE_NONE ? 0 : partners_hosts(p, role);

	for (size_t i = 0; i < n; i++)
		if (p->pool[i] == host)
			return true;
	return false;
}

bool partners_layers(struct partners *p, size_t k)
{
	const struct experiment *e = p->s->experiment;
	bool own = role_has_host(p, p->roles[0], p->hosts[k]);
	bool any = false;

	for (size_t l = 0; l < e->n_layers; l++) {
		const char *role = layer_role(p, l);

		p->wanted[l] = role ? role_has_host(p, role_index(e, role),
						    p->hosts[k])
				    : own;
		any |= p->wanted[l];
	}
	return any;
}

void partners_check(const struct schedule *s, struct problems *problems)
{
	struct partners p;

	partners_init(&p, s, problems);
	if (role_counts_depend(&p.counts))
		for (size_t i = 0; i < s->n_runs; i++)
			partners_list(&p, i);
	partners_release(&p);
}
