#include "orchestrate/schedule/partners.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/schedule/changes.h"
#include "orchestrate/schedule/role_choice.h"
#include "orchestrate/schedule/schedule.h"
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

static bool any_counts(const struct experiment *e)
{
	for (size_t r = 0; r < e->n_roles; r++)
		if (e->roles[r].count.value)
			return true;
	return false;
}

void partners_init(struct partners *p, const struct schedule *s)
{
	const struct experiment *e = s->experiment;

	*p = (struct partners){
		.s = s,
		.needed = mem_zalloc(e->n_benchmarks, sizeof(*p->needed)),
		.hosts = mem_zalloc(e->n_hosts, sizeof(*p->hosts)),
		.pool = mem_zalloc(largest_pool(e), sizeof(*p->pool)),
		.wanted = mem_zalloc(e->n_layers, sizeof(*p->wanted)),
	};
	for (size_t l = 0; l < e->n_layers; l++)
		p->any_applies |= layer_names_role(e, l);
	for (size_t b = 0; b < e->n_benchmarks; b++)
		p->needed[b] = p->any_applies || any_counts(e) ||
			       e->benchmarks[b].n_services ||
			       e->benchmarks[b].n_monitors;
}

void partners_release(struct partners *p)
{
	free(p->needed);
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

/* The role's `count` where it is a plain number, else 1. */
static size_t plain_count(const struct experiment *e, const char *role)
{
	uint32_t i = role_index(e, role);
	const char *text = i == ROLE_NONE ? NULL : e->roles[i].count.value;
	char *end;
	unsigned long n;

	if (!text)
		return 1;
	n = strtoul(text, &end, 10);
	return *end || !n ? 1 : n;
}

static size_t role_hosts(struct partners *p, const char *role)
{
	return schedule_hosts(p->s, p->run, role,
			      plain_count(p->s->experiment, role), p->pool);
}

static void add_role(struct partners *p, const char *role)
{
	size_t n = role ? role_hosts(p, role) : 0;

	for (size_t i = 0; i < n; i++)
		add_host(p, p->pool[i]);
}

/* The service's role in this run; NULL: none. */
static const char *service_role(const struct partners *p,
				const struct service *service)
{
	const struct experiment *e = p->s->experiment;
	const struct lookup *by = service->role_by;
	struct mark mark;
	size_t level;
	int f;

	if (!by)
		return service->role;
	f = factor_find(e->factors, e->n_factors, by->by);
	if (f < 0)
		return NULL;
	level = design_level(p->s->design, p->s->runs[p->run].treatment,
			     (size_t)f);
	return lookup_text(by, level == DESIGN_ABSENT
				       ? NULL
				       : e->factors[f].levels[level].name,
			   &mark);
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

bool partners_find(struct partners *p, size_t run)
{
	const struct experiment *e = p->s->experiment;
	const struct benchmark *b = &e->benchmarks[p->s->runs[run].benchmark];

	if (!p->needed[p->s->runs[run].benchmark])
		return false;
	p->run = run;
	p->n_hosts = 0;
	add_host(p, p->s->runs[run].host);
	add_role(p, e->roles[schedule_role(p->s, run)].name);
	for (size_t i = 0; i < b->n_services; i++)
		add_role(p, service_role(p, &b->services[i]));
	for (size_t i = 0; i < b->n_monitors; i++)
		add_role(p, b->monitors[i].role);
	for (size_t l = 0; p->any_applies && l < e->n_layers; l++)
		add_role(p, layer_role(p, l));
	return true;
}

static bool role_has_host(struct partners *p, const char *role, size_t host)
{
	size_t n = role_hosts(p, role);

	for (size_t i = 0; i < n; i++)
		if (p->pool[i] == host)
			return true;
	return false;
}

bool partners_layers(struct partners *p, size_t k)
{
	const struct experiment *e = p->s->experiment;
	size_t host = p->hosts[k];
	bool any = false;

	for (size_t l = 0; l < e->n_layers; l++) {
		const char *role = layer_role(p, l);

		p->wanted[l] = role ? role_has_host(p, role, host) : !k;
		any |= p->wanted[l];
	}
	return any;
}

