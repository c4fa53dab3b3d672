#include "orchestrate/exec/environment.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"

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

	environment_set(env, f->name, f->levels[level].name);
	if (u)
		set_all(env, u[level].vars, u[level].n_vars);
}

static void set_defaults(struct environment *env,
			 const struct treatment_use *u)
{
	set_all(env, u->params + u->n_given, u->n_params - u->n_given);
}

void environment_benchmark(struct environment *env,
			   const struct experiment *e, size_t host,
			   const size_t *levels, const struct benchmark *b)
{
	const struct host *h = &e->hosts[host];

	set_all(env, b->params + b->n_given, b->n_params - b->n_given);
	for (size_t i = 0; i < e->n_factors; i++)
		set_defaults(env, &e->uses[i].treatment);
	set_all(env, h->env, h->n_env);
	for (size_t i = 0; i < e->n_factors; i++)
		set_all(env, e->uses[i].treatment.params,
			e->uses[i].treatment.n_given);
	for (size_t i = 0; i < e->n_factors; i++)
		set_level(env, e, i, levels[i]);
	set_all(env, b->params, b->n_given);
}

void environment_treatment(struct environment *env,
			   const struct experiment *e, size_t host,
			   const size_t *levels, size_t factor)
{
	const struct host *h = &e->hosts[host];
	const struct treatment_use *u = &e->uses[factor].treatment;
	const struct factor *own = &e->factors[factor];

	set_defaults(env, u);
	set_all(env, h->env, h->n_env);
	set_all(env, u->params, u->n_given);
	for (size_t i = 0; i < factor; i++)
		if (e->uses[i].treatment.def)
			set_level(env, e, i, levels[i]);
	environment_set(env, "level", own->levels[levels[factor]].name);
	set_level(env, e, factor, levels[factor]);
}
