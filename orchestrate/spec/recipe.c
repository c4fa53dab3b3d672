#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/treatment_def.h"

/*
 * Every part is a tagged list of texts, each with its end, and every list
 * starts with its length: no two experiments feed the same bytes. What the
 * file says in any order (hosts, benchmarks, responses, variables) is fed by
 * name; factors are fed as written, since they stand on each other.
 */
static int by_name(const void *a, const void *b)
{
	const char *const *const *x = a;
	const char *const *const *y = b;

	/* every item starts with its name */
	return strcmp(**x, **y);
}

/* Pointers to the items, ordered by name; caller frees. */
static const void **sorted(const void *items, size_t n, size_t size)
{
	const void **out = mem_zalloc(n, sizeof(*out));

	for (size_t i = 0; i < n; i++)
		out[i] = (const char *)items + i * size;
	qsort(out, n, sizeof(*out), by_name);
	return out;
}

static void add_tag(struct hash *h, const char *tag, size_t n)
{
	char text[64];

	snprintf(text, sizeof(text), "%s %zu", tag, n);
	hash_add_string(h, text);
}

static void add_number(struct hash *h, double v)
{
	char text[32];

	/* in whole microseconds: the same text in every locale */
	snprintf(text, sizeof(text), "%" PRId64, (int64_t)(v * 1e6 + 0.5));
	hash_add_string(h, text);
}

static void add_variables(struct hash *h, const struct variable *items,
			  size_t n)
{
	const void **order = sorted(items, n, sizeof(*items));

	add_tag(h, "variables", n);
	for (size_t i = 0; i < n; i++) {
		const struct variable *v = order[i];

		hash_add_string(h, v->name);
		hash_add_string(h, v->value);
	}
	free(order);
}

static void add_responses(struct hash *h, const struct benchmark *b)
{
	const void **order = sorted(b->responses, b->n_responses,
				    sizeof(*b->responses));

	add_tag(h, "responses", b->n_responses);
	for (size_t i = 0; i < b->n_responses; i++) {
		const struct response *x = order[i];

		hash_add_string(h, x->name);
		hash_add_string(h, x->kind == EXTRACT_JSON ? "json" : "regex");
		hash_add_string(h, x->pattern);
		hash_add_string(h, x->uom);
	}
	free(order);
}

static void add_benchmarks(struct hash *h, const struct experiment *e)
{
	const void **order = sorted(e->benchmarks, e->n_benchmarks,
				    sizeof(*e->benchmarks));

	add_tag(h, "benchmarks", e->n_benchmarks);
	for (size_t i = 0; i < e->n_benchmarks; i++) {
		const struct benchmark *b = order[i];

		hash_add_string(h, b->name);
		hash_add_string(h, b->script);
		hash_add_string(h, b->role);
		add_number(h, b->timeout);
		add_variables(h, b->params, b->n_params);
		add_responses(h, b);
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
}

/*
 * A level that sets variables is more than its name, which is all that a
 * treatment's key holds; one that sets none is just its name, and may come
 * and go.
 */
static void add_levels(struct hash *h, const struct factor *f,
		       const struct factor_use *u)
{
	const void **order = sorted(f->levels, f->n_levels, sizeof(*f->levels));

	for (size_t i = 0; i < f->n_levels; i++) {
		const struct level *l = order[i];
		const struct level_use *use = &u->levels[l - f->levels];

		if (!use->n_vars)
			continue;
		hash_add_string(h, l->name);
		add_variables(h, use->vars, use->n_vars);
	}
	free(order);
}

static void add_factors(struct hash *h, const struct experiment *e)
{
	add_tag(h, "factors", e->n_factors);
	for (size_t i = 0; i < e->n_factors; i++) {
		const struct factor_use *u = &e->uses[i];

		hash_add_string(h, e->factors[i].name);
		add_tag(h, "definition", u->treatment.def ? 1 : 0);
		add_definition(h, u->treatment.def);
		add_variables(h, u->treatment.params, u->treatment.n_params);
		add_levels(h, &e->factors[i], u);
	}
}

static void add_hosts(struct hash *h, const struct experiment *e)
{
	const void **order = sorted(e->hosts, e->n_hosts, sizeof(*e->hosts));

	add_tag(h, "hosts", e->n_hosts);
	for (size_t i = 0; i < e->n_hosts; i++) {
		const struct host *x = order[i];

		hash_add_string(h, x->name);
		hash_add_string(h, x->local ? "local" : "ssh");
		hash_add_string(h, x->ssh);
		hash_add_string(h, x->address);
		add_tag(h, "port", (size_t)x->port);
		add_variables(h, x->env, x->n_env);
	}
	free(order);
}

void experiment_recipe(const struct experiment *e, char hex[65])
{
	struct hash *h = hash_new();

	hash_add_string(h, "assay recipe 1");
	add_benchmarks(h, e);
	add_factors(h, e);
	add_hosts(h, e);
	hash_finish(h, hex);
	hash_free(h);
}
