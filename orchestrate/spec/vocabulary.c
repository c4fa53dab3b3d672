#include "orchestrate/spec/vocabulary.h"

#include <stdint.h>

#include "orchestrate/spec/experiment.h"

/* Made by assay itself, for a run or a layer of the stack. */
static const char *const own[] = { "level", "replicate", "repeat" };

struct walk {
	void (*each)(void *ctx, const struct variable *v);
	void *ctx;
};

static void walk_list(const struct walk *w, const struct variable *items,
		      size_t n)
{
	for (size_t i = 0; i < n; i++)
		w->each(w->ctx, &items[i]);
}

static void walk_factor(const struct walk *w, const struct factor *f,
			const struct factor_use *u)
{
	walk_list(w, u->treatment.params, u->treatment.n_params);
	for (size_t i = 0; u->levels && i < f->n_levels; i++) {
		const struct level_use *l = &u->levels[i];

		walk_list(w, l->treatment.params, l->treatment.n_params);
		walk_list(w, l->vars, l->n_vars);
	}
}

static void walk_benchmark(const struct walk *w, const struct benchmark *b)
{
	walk_list(w, b->params, b->n_params);
	for (size_t i = 0; i < b->n_monitors; i++)
		walk_list(w, b->monitors[i].params, b->monitors[i].n_params);
}

void variables_each(const struct experiment *e,
		    void (*each)(void *ctx, const struct variable *v),
		    void *ctx)
{
	const struct walk w = { each, ctx };

	walk_list(&w, e->variables, e->n_variables);
	for (size_t i = 0; i < e->n_hosts; i++)
		walk_list(&w, e->hosts[i].env, e->hosts[i].n_env);
	for (size_t i = 0; i < e->n_roles; i++)
		if (e->roles[i].count.name)
			each(ctx, &e->roles[i].count);
	for (size_t i = 0; i < e->n_factors; i++)
		walk_factor(&w, &e->factors[i], &e->uses[i]);
	for (size_t i = 0; i < e->n_setups; i++)
		walk_list(&w, e->setups[i].treatment.params,
			  e->setups[i].treatment.n_params);
	for (size_t i = 0; i < e->n_benchmarks; i++)
		walk_benchmark(&w, &e->benchmarks[i]);
}

static void add_name(struct vocabulary *v, const char *name)
{
	if (map_get(&v->indexes, name))
		return;
	strlist_push(&v->variables, name);
	map_put(&v->indexes, name, (void *)(uintptr_t)v->variables.n);
}

/* The `count` of a role has a place, but is no variable. */
static void add_variable(void *ctx, const struct variable *variable)
{
	struct vocabulary *v = ctx;

	for (size_t i = 0; i < v->e->n_roles; i++)
		if (&v->e->roles[i].count == variable)
			return;
	add_name(v, variable->name);
}

void vocabulary_init(struct vocabulary *v, const struct experiment *e)
{
	*v = (struct vocabulary){ .e = e };
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		add_name(v, own[i]);
	for (size_t i = 0; i < e->n_factors; i++) {
		const struct factor *f = &e->factors[i];

		add_name(v, f->name);
		for (size_t k = 0; k < f->n_levels; k++)
			map_put(&v->levels, f->levels[k].name,
				f->levels[k].name);
	}
	variables_each(e, add_variable, v);
}

void vocabulary_release(struct vocabulary *v)
{
	strlist_release(&v->variables);
	map_release(&v->indexes);
	map_release(&v->levels);
}

int vocabulary_variable(const struct vocabulary *v, const char *name)
{
	return (int)(uintptr_t)map_get(&v->indexes, name) - 1;
}

bool vocabulary_is_level(const struct vocabulary *v, const char *name)
{
	return map_get(&v->levels, name);
}

void vocabulary_names(const struct vocabulary *v, struct strlist *out)
{
	for (size_t i = 0; i < v->variables.n; i++)
		strlist_push(out, v->variables.items[i]);
	for (size_t i = 0; i < v->e->n_factors; i++)
		for (size_t k = 0; k < v->e->factors[i].n_levels; k++)
			strlist_push(out, v->e->factors[i].levels[k].name);
}
