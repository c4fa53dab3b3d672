#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/recipe_feed.h"
#include "orchestrate/spec/treatment_def.h"

static void add_responses(struct hash *h, const struct benchmark *b)
{
	const void **order = feed_order(b->responses, b->n_responses,
				    sizeof(*b->responses));

	feed_tag(h, "responses", b->n_responses);
	for (size_t i = 0; i < b->n_responses; i++) {
		const struct response *x = order[i];

		hash_add_string(h, x->name);
		hash_add_string(h, x->kind == EXTRACT_JSON ? "json" : "regex");
		hash_add_string(h, x->pattern);
		hash_add_string(h, x->uom);
	}
	free(order);
}

static void add_services(struct hash *h, const struct benchmark *b)
{
	if (b->n_services)
		feed_tag(h, "services", b->n_services);
	for (size_t i = 0; i < b->n_services; i++) {
		const struct service *s = &b->services[i];

		hash_add_string(h, s->name);
		hash_add_string(h, s->role);
		feed_lookup(h, s->role_by);
		hash_add_string(h, s->script);
		feed_lookup(h, s->script_by);
		feed_tag(h, "ready", s->ready);
		hash_add_string(h, s->ready_value);
		feed_optional(h, "stop", s->stop);
	}
}

/* They do not measure, but take their share of the host. */
static void add_monitors(struct hash *h, const struct benchmark *b)
{
	const void **order = feed_order(b->monitors, b->n_monitors,
					sizeof(*b->monitors));

	if (b->n_monitors)
		feed_tag(h, "monitors", b->n_monitors);
	for (size_t i = 0; i < b->n_monitors; i++) {
		const struct monitor *m = order[i];

		hash_add_string(h, m->name);
		hash_add_string(h, m->role);
		feed_lookup(h, m->role_by);
		hash_add_string(h, m->script);
		feed_number(h, m->interval);
		feed_variables(h, m->params, m->n_params);
	}
	free(order);
}

/* All that a benchmark may have beside its script. */
static void add_parts(struct hash *h, const struct benchmark *b)
{
	if (b->script_by)
		feed_tag(h, "script", 1);
	feed_lookup(h, b->script_by);
	if (b->role_by)
		feed_tag(h, "role", 1);
	feed_lookup(h, b->role_by);
	if (b->warmup)
		feed_tag(h, "warmup", b->warmup);
	if (b->repeats != 1)
		feed_tag(h, "repeats", b->repeats);
	add_services(h, b);
	add_monitors(h, b);
}

static void add_benchmarks(struct hash *h, const struct experiment *e)
{
	const void **order = feed_order(e->benchmarks, e->n_benchmarks,
				    sizeof(*e->benchmarks));

	feed_tag(h, "benchmarks", e->n_benchmarks);
	for (size_t i = 0; i < e->n_benchmarks; i++) {
		const struct benchmark *b = order[i];

		hash_add_string(h, b->name);
		hash_add_string(h, b->script);
		hash_add_string(h, b->role);
		feed_number(h, b->timeout);
		feed_variables(h, b->params, b->n_params);
		add_responses(h, b);
		add_parts(h, b);
	}
	free(order);
}

static void add_definition(struct hash *h, const struct treatment_def *d)
{
	if (!d)
		return;
	hash_add_string(h, d->name);
	hash_add_string(h, d->save);
	hash_add_string(h, d->apply);
	hash_add_string(h, d->verify);
	hash_add_string(h, d->revert);
	feed_optional(h, "enter", d->enter);
	feed_optional(h, "applies_to", d->applies_to);
	if (d->reboot)
		feed_tag(h, "reboot", 1);
	if (d->n_set) {
		feed_tag(h, "set", d->n_set);
		feed_variables(h, d->set, d->n_set);
	}
}

static void add_treatment(struct hash *h, const struct treatment_use *u)
{
	feed_tag(h, "definition", u->def ? 1 : 0);
	add_definition(h, u->def);
	feed_variables(h, u->params, u->n_params);
}

/*
 * A level that sets variables, or has a definition of its own, is more than
 * its name, which is all that a treatment's key holds; any other is just its
 * name, and may come and go. What a definition sets is fed with it.
 */
static void add_levels(struct hash *h, const struct factor *f,
		       const struct factor_use *u)
{
	const void **order;

	if (!u->levels)
		return;
	order = feed_order(f->levels, f->n_levels, sizeof(*f->levels));
	for (size_t i = 0; i < f->n_levels; i++) {
		const struct level *l = order[i];
		const struct level_use *use = &u->levels[l - f->levels];

		if (!use->n_given && !use->treatment.def)
			continue;
		hash_add_string(h, l->name);
		feed_variables(h, use->vars, use->n_given);
		if (use->treatment.def)
			add_treatment(h, &use->treatment);
	}
	free(order);
}

static void add_factors(struct hash *h, const struct experiment *e)
{
	feed_tag(h, "factors", e->n_factors);
	for (size_t i = 0; i < e->n_factors; i++) {
		const struct factor_use *u = &e->uses[i];

		hash_add_string(h, e->factors[i].name);
		add_treatment(h, &u->treatment);
		add_levels(h, &e->factors[i], u);
	}
}

static void add_hosts(struct hash *h, const struct experiment *e)
{
	const void **order = feed_order(e->hosts, e->n_hosts, sizeof(*e->hosts));

	feed_tag(h, "hosts", e->n_hosts);
	for (size_t i = 0; i < e->n_hosts; i++) {
		const struct host *x = order[i];

		hash_add_string(h, x->name);
		hash_add_string(h, x->local ? "local" : "ssh");
		hash_add_string(h, x->ssh);
		hash_add_string(h, x->address);
		feed_tag(h, "port", (size_t)x->port);
		feed_variables(h, x->env, x->n_env);
	}
	free(order);
}

static void add_setups(struct hash *h, const struct experiment *e)
{
	if (e->n_setups)
		feed_tag(h, "setups", e->n_setups);
	for (size_t i = 0; i < e->n_setups; i++) {
		const struct setup *s = &e->setups[i];

		hash_add_string(h, s->name);
		feed_tag(h, "per", s->n_per);
		for (size_t k = 0; k < s->n_per; k++)
			hash_add_string(h, e->factors[s->per[k]].name);
		add_treatment(h, &s->treatment);
	}
}

static bool takes_one_host(const struct role *role)
{
	return !role->count.lookup && !strcmp(role->count.value, "1");
}

/* Which hosts play a single role is what the hosts say. */
static void add_roles(struct hash *h, const struct experiment *e)
{
	const void **order;

	if (!e->n_roles || (e->n_roles == 1 && takes_one_host(e->roles)))
		return;
	order = feed_order(e->roles, e->n_roles, sizeof(*e->roles));
	feed_tag(h, "roles", e->n_roles);
	for (size_t i = 0; i < e->n_roles; i++) {
		const struct role *role = order[i];

		hash_add_string(h, role->name);
		feed_tag(h, "pool", role->n_hosts);
		for (size_t k = 0; k < role->n_hosts; k++)
			hash_add_string(h, e->hosts[role->hosts[k]].name);
		feed_variables(h, &role->count, 1);
	}
	free(order);
}

void experiment_recipe(const struct experiment *e, char hex[65])
{
	struct hash *h = hash_new();

	hash_add_string(h, "assay recipe 1");
	add_benchmarks(h, e);
	add_factors(h, e);
	add_setups(h, e);
	add_hosts(h, e);
	add_roles(h, e);
	if (e->n_variables) {
		feed_tag(h, "experiment", 1);
		feed_variables(h, e->variables, e->n_variables);
	}
	hash_finish(h, hex);
	hash_free(h);
}
