#include "orchestrate/exec/environment.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/spec/binding.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"

void environment_set(struct environment *e, const char *name,
		     const char *value)
{
	for (size_t i = 0; i < e->n; i++)
		if (strcmp(e->vars[i].name, name) == 0) {
			free(e->vars[i].value);
			e->vars[i].value = mem_strdup(value);
			return;
		}
	MEM_GROW(e->vars, e->n, e->cap);
	e->vars[e->n].name = mem_strdup(name);
	e->vars[e->n].value = mem_strdup(value);
	e->n++;
}

void environment_release(struct environment *e)
{
	for (size_t i = 0; i < e->n; i++) {
		free(e->vars[i].name);
		free(e->vars[i].value);
	}
	free(e->vars);
	*e = (struct environment)ENVIRONMENT_INIT;
}

void environment_write(const struct environment *e, struct buf *out)
{
	for (size_t i = 0; i < e->n; i++) {
		buf_addf(out, "export %s=", e->vars[i].name);
		buf_add_shell(out, e->vars[i].value);
		buf_addc(out, '\n');
	}
}

/* A required parameter that nothing gave has no value: nothing to set. */
static void set_all(struct environment *env, const struct variable *vars,
		    size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (vars[i].value)
			environment_set(env, vars[i].name, vars[i].value);
}

static void set_level(struct environment *env, const struct experiment *e,
		      size_t factor, size_t level)
{
	const struct factor *f = &e->factors[factor];
	const struct level_use *u = e->uses[factor].levels;

	if (level == DESIGN_ABSENT)
		return;
	environment_set(env, f->name, f->levels[level].name);
	if (u)
		set_all(env, u[level].vars, u[level].n_vars);
}

static void set_defaults(struct environment *env,
			 const struct treatment_use *u)
{
	if (u)
		set_all(env, u->params + u->n_given,
			u->n_params - u->n_given);
}

static void set_given(struct environment *env, const struct treatment_use *u)
{
	if (u)
		set_all(env, u->params, u->n_given);
}

int environment_benchmark(struct environment *env, const struct experiment *e,
			  const struct binding_run *run, struct error *err)
{
	const struct host *h = &e->hosts[run->host];
	const struct benchmark *b = &e->benchmarks[run->benchmark];

	(void)err;
	set_all(env, b->params + b->n_given, b->n_params - b->n_given);
	for (size_t i = 0; i < e->n_layers; i++)
		set_defaults(env, layer_treatment(e, i, run->levels));
	set_all(env, h->env, h->n_env);
	for (size_t i = 0; i < e->n_layers; i++)
		set_given(env, layer_treatment(e, i, run->levels));
	for (size_t i = 0; i < e->n_factors; i++)
		set_level(env, e, i, run->levels[i]);
	set_all(env, b->params, b->n_given);
	environment_set(env, "repeat", "1");
	return 0;
}

static void set_own(struct environment *env, const struct experiment *e,
		    size_t layer, const size_t *levels)
{
	const struct layer *l = &e->layers[layer];
	const struct setup *s;

	if (l->kind == LAYER_FACTOR) {
		environment_set(env, "level",
				e->factors[l->index].levels[levels[l->index]]
					.name);
		set_level(env, e, l->index, levels[l->index]);
		return;
	}
	s = &e->setups[l->index];
	for (size_t i = 0; i < s->n_per; i++)
		set_level(env, e, s->per[i], levels[s->per[i]]);
}

int environment_layer(struct environment *env, const struct experiment *e,
		      const struct binding_run *run, size_t layer,
		      struct error *err)
{
	const struct host *h = &e->hosts[run->host];
	const struct treatment_use *u = layer_treatment(e, layer, run->levels);

	(void)err;
	set_defaults(env, u);
	set_all(env, h->env, h->n_env);
	set_given(env, u);
	for (size_t i = 0; i < layer; i++)
		if (e->layers[i].kind == LAYER_FACTOR)
			set_level(env, e, e->layers[i].index,
				  run->levels[e->layers[i].index]);
	set_own(env, e, layer, run->levels);
	return 0;
}
