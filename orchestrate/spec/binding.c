#include "orchestrate/spec/binding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "orchestrate/spec/binding_scope.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/parameter.h"

const char *binding_layer_name(enum binding_layer layer)
{
	static const char *const names[] = {
		[BINDING_LIBRARY] = "library",
		[BINDING_EXPERIMENT] = "experiment",
		[BINDING_HOST] = "host",
		[BINDING_FACTOR] = "factor",
		[BINDING_LEVEL] = "level",
		[BINDING_BENCHMARK] = "benchmark",
		[BINDING_RUN] = "run",
	};

	return names[layer];
}

void bindings_release(struct bindings *b)
{
	for (size_t i = 0; i < b->n; i++) {
		free(b->items[i].name);
		free(b->items[i].value);
		free(b->items[i].source);
	}
	free(b->items);
	*b = (struct bindings)BINDINGS_INIT;
}

const struct binding *bindings_find(const struct bindings *b,
				    const char *name)
{
	for (size_t i = b->n; i-- > 0;)
		if (!strcmp(b->items[i].name, name))
			return &b->items[i];
	return NULL;
}

static void add(struct scope *s, enum binding_layer layer,
		const struct variable *items, size_t n)
{
	const struct candidate like = { .layer = layer,
					.owner = SCOPE_NO_LAYER };

	scope_add(s, items, n, &like);
}

/* The level of a layer that is a factor's. */
static const char *level_of(const struct scope *s, size_t layer)
{
	const struct layer *l = &s->e->layers[layer];

	if (l->kind == LAYER_SETUP || s->run->levels[l->index] == DESIGN_ABSENT)
		return NULL;
	return s->e->factors[l->index].levels[s->run->levels[l->index]].name;
}

/*
 * The defaults of the parameters of a layer's treatment, or those given. The
 * layers above do not see them, but what its levels set is made of them.
 */
static void add_params(struct scope *s, size_t layer, bool given)
{
	const struct treatment_use *u =
		layer_treatment(s->e, layer, s->run->levels);
	const struct candidate like = {
		.layer = given ? BINDING_FACTOR : BINDING_LIBRARY,
		.owner = layer,
		.level = level_of(s, layer),
		.use = u,
		.silent = s->layer != SCOPE_NO_LAYER && layer < s->layer,
	};

	if (u && given)
		scope_add(s, u->params, u->n_given, &like);
	else if (u && u->n_params > u->n_given)
		scope_add(s, u->params + u->n_given, u->n_params - u->n_given,
			  &like);
}

static size_t layer_of(const struct experiment *e, size_t factor)
{
	for (size_t i = 0; i < e->n_layers; i++)
		if (e->layers[i].kind == LAYER_FACTOR &&
		    e->layers[i].index == factor)
			return i;
	return SCOPE_NO_LAYER;
}

/* $factor, and what its level sets. */
static void add_level(struct scope *s, size_t factor)
{
	const struct factor_use *u = &s->e->uses[factor];
	size_t level = s->run->levels[factor], layer = layer_of(s->e, factor);
	struct candidate like = { .layer = BINDING_LEVEL, .owner = layer };

	if (level == DESIGN_ABSENT)
		return;
	like.level = s->e->factors[factor].levels[level].name;
	if (layer != SCOPE_NO_LAYER)
		like.use = layer_treatment(s->e, layer, s->run->levels);
	scope_add_text(s, s->e->factors[factor].name, like.level,
		       u->levels ? u->levels[level].mark : u->mark, &like);
	if (u->levels)
		scope_add(s, u->levels[level].vars, u->levels[level].n_vars,
			  &like);
}

static void add_number(struct scope *s, const char *name, uint32_t value)
{
	const struct candidate like = { .layer = BINDING_RUN,
					.owner = SCOPE_NO_LAYER };
	char text[16];

	snprintf(text, sizeof(text), "%u", value);
	scope_add_text(s, name, text, (struct mark){ .line = 0 }, &like);
}

/* The defaults of a definition: what stands behind the given ones. */
static void add_rest(struct scope *s, const struct variable *params, size_t n,
		     size_t n_given)
{
	if (n > n_given)
		add(s, BINDING_LIBRARY, params + n_given, n - n_given);
}

/* All but what is nearer than a benchmark's `with`. `m` may be NULL. */
static void add_benchmark(struct scope *s, const struct monitor *m)
{
	const struct experiment *e = s->e;
	const struct benchmark *b = &e->benchmarks[s->run->benchmark];
	const struct host *h = &e->hosts[s->run->host];

	add_rest(s, b->params, b->n_params, b->n_given);
	if (m)
		add_rest(s, m->params, m->n_params, m->n_given);
	for (size_t i = 0; i < e->n_layers; i++)
		add_params(s, i, false);
	add(s, BINDING_EXPERIMENT, e->variables, e->n_variables);
	add(s, BINDING_HOST, h->env, h->n_env);
	for (size_t i = 0; i < e->n_layers; i++)
		add_params(s, i, true);
	for (size_t i = 0; i < e->n_factors; i++)
		add_level(s, i);
	add(s, BINDING_BENCHMARK, b->params, b->n_given);
	if (m)
		add(s, BINDING_BENCHMARK, m->params, m->n_given);
	add_number(s, "replicate", s->run->replicate);
	add_number(s, "repeat", 1);
}

static void add_own(struct scope *s, const struct layer *own, size_t layer)
{
	const struct candidate like = { .layer = BINDING_LEVEL,
					.owner = layer };
	const struct setup *setup;

	if (own->kind == LAYER_FACTOR) {
		scope_add_text(s, "level", level_of(s, layer),
			       s->e->uses[own->index].mark, &like);
		add_level(s, own->index);
		return;
	}
	setup = &s->e->setups[own->index];
	for (size_t i = 0; i < setup->n_per; i++)
		/* those in the stack are there already */
		if (layer_of(s->e, setup->per[i]) == SCOPE_NO_LAYER)
			add_level(s, setup->per[i]);
}

static void add_layer(struct scope *s, size_t layer)
{
	const struct experiment *e = s->e;
	const struct host *h = &e->hosts[s->run->host];

	for (size_t i = 0; i <= layer; i++)
		add_params(s, i, false);
	add(s, BINDING_EXPERIMENT, e->variables, e->n_variables);
	add(s, BINDING_HOST, h->env, h->n_env);
	for (size_t i = 0; i <= layer; i++)
		add_params(s, i, true);
	for (size_t i = 0; i < layer; i++)
		if (e->layers[i].kind == LAYER_FACTOR)
			add_level(s, e->layers[i].index);
	add_own(s, &e->layers[layer], layer);
}

/* As it is written, when that is not the value. */
static char *source_of(const struct candidate *c)
{
	const struct lookup *l = c->variable ? c->variable->lookup : NULL;
	bool plain = !c->text || !strcmp(c->text, c->value);

	if (!l)
		return plain ? NULL : mem_strdup(c->text);
	return plain ? mem_printf("by %s", l->by) :
		       mem_printf("by %s: %s", l->by, c->text);
}

static void publish(struct bindings *b, const struct candidate *c,
		    bool hidden)
{
	MEM_GROW(b->items, b->n, b->cap);
	b->items[b->n++] = (struct binding){
		.name = mem_strdup(c->name),
		.value = mem_strdup(c->value),
		.source = source_of(c),
		.layer = c->layer,
		.mark = c->mark,
		.hidden = hidden,
	};
}

/*
 * A hidden value may be impossible to compute here: it stands as it is
 * written then.
 */
static int settle(struct scope *s, struct candidate *c, bool hidden,
		  struct error *err)
{
	struct error ignored = ERROR_INIT;

	if (!hidden)
		return scope_compute(s, c, err);
	if (scope_compute(s, c, &ignored) < 0 && c->text) {
		c->state = CANDIDATE_DONE;
		c->value = mem_strdup(c->text);
	}
	return 0;
}

/* Nearest first, so that what is hidden is known. */
static int settle_all(struct scope *s, bool *hidden, struct error *err)
{
	struct map seen = MAP_INIT;
	int rc = 0;

	for (size_t i = s->n; !rc && i-- > 0;) {
		struct candidate *c = &s->items[i];

		if (c->silent)
			continue;
		hidden[i] = map_get(&seen, c->name);
		rc = settle(s, c, hidden[i], err);
		if (!rc && c->state == CANDIDATE_DONE)
			map_put(&seen, c->name, c);
	}
	map_release(&seen);
	return rc;
}

/* Computes and publishes; releases the scope. */
static int finish(struct bindings *b, struct scope *s, struct error *err)
{
	bool *hidden = mem_zalloc(s->n + 1, sizeof(*hidden));
	int rc = settle_all(s, hidden, err);

	b->e = s->e;
	for (size_t i = 0; !rc && i < s->n; i++)
		if (s->items[i].state == CANDIDATE_DONE &&
		    !s->items[i].silent)
			publish(b, &s->items[i], hidden[i]);
	free(hidden);
	scope_release(s);
	return rc;
}

/* Whoever gave it and however it was computed: what the benchmark's script
 * sees as a parameter is what its definition takes. */
static int check_types(const struct bindings *b, const struct benchmark *bench,
		       struct error *err)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	for (size_t i = 0; i < bench->n_types; i++) {
		const struct parameter *p = &bench->types[i];
		const struct binding *x = bindings_find(b, p->var.name);
		struct buf wanted = BUF_INIT;

		if (!x || parameter_fits(p, x->value))
			continue;
		parameter_expects(p, &wanted);
		error_set(err, ERROR_USAGE, "%s:%u:%u: benchmark %s: parameter "
			  "\"%s\": expected %s, got \"%s\"",
			  x->mark.file ? x->mark.file : b->e->path,
			  x->mark.line, x->mark.column, bench->definition,
			  p->var.name, wanted.data,
			  problem_quote(quoted, x->value));
		buf_release(&wanted);
		return -1;
	}
	return 0;
}

int bindings_benchmark(struct bindings *b, const struct experiment *e,
		       const struct binding_run *run, struct error *err)
{
	struct scope s;

	scope_init(&s, e, run, SCOPE_NO_LAYER);
	add_benchmark(&s, NULL);
	if (finish(b, &s, err))
		return -1;
	return check_types(b, &e->benchmarks[run->benchmark], err);
}

int bindings_monitor(struct bindings *b, const struct experiment *e,
		     const struct binding_run *run, size_t monitor,
		     struct error *err)
{
	struct scope s;

	scope_init(&s, e, run, SCOPE_NO_LAYER);
	add_benchmark(&s, &e->benchmarks[run->benchmark].monitors[monitor]);
	return finish(b, &s, err);
}

int bindings_layer(struct bindings *b, const struct experiment *e,
		   const struct binding_run *run, size_t layer,
		   struct error *err)
{
	struct scope s;

	scope_init(&s, e, run, layer);
	if (layer_treatment(e, layer, run->levels))
		add_layer(&s, layer);
	return finish(b, &s, err);
}

int bindings_value(const struct bindings *b, const char *text,
		   struct mark mark, char **out, struct error *err)
{
	const struct binding_run nowhere = { .levels = NULL };
	struct scope s;
	int rc;

	/* a layer of its own: what is not there is absent */
	scope_init(&s, b->e, &nowhere, 0);
	for (size_t i = 0; i < b->n; i++) {
		const struct candidate like = { .layer = b->items[i].layer,
						.owner = SCOPE_NO_LAYER };

		if (!b->items[i].hidden)
			scope_add_text(&s, b->items[i].name,
				       b->items[i].value, b->items[i].mark,
				       &like);
	}
	rc = scope_text(&s, text, mark, -1, out, err);
	scope_release(&s);
	return rc;
}
