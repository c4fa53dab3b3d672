#include "orchestrate/exec/environment.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/spec/binding.h"

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

/* Of several of one name the last one is the nearest. */
static void take(struct environment *env, const struct bindings *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (!b->items[i].hidden)
			environment_set(env, b->items[i].name,
					b->items[i].value);
}

int environment_benchmark(struct environment *env, const struct experiment *e,
			  const struct binding_run *run, struct error *err)
{
	struct bindings b = BINDINGS_INIT;
	int result = bindings_benchmark(&b, e, run, err);

	if (!result)
		take(env, &b);
	bindings_release(&b);
	return result;
}

int environment_layer(struct environment *env, const struct experiment *e,
		      const struct binding_run *run, size_t layer,
		      struct error *err)
{
	struct bindings b = BINDINGS_INIT;
	int result = bindings_layer(&b, e, run, layer, err);

	if (!result)
		take(env, &b);
	bindings_release(&b);
	return result;
}
