#include "orchestrate/spec/variables.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* The value's text as written; '' is one, nothing is not. */
static const char *value_text(struct reading *r, const struct yaml_pair *pair)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	if (pair->value->kind == YAML_SCALAR && !yaml_is_nothing(pair->value))
		return pair->value->text;
	problems_add(r->problems, pair->value->mark,
		     "\"%s\": expected text, got %s%s",
		     problem_quote(quoted, pair->key),
		     yaml_shape(pair->value),
		     yaml_is_nothing(pair->value) ?
			     "; write '' for an empty text" : "");
	return NULL;
}

static void append(struct variable *items, size_t *n, const char *name,
		   const char *value, struct mark mark)
{
	items[*n].name = mem_strdup(name);
	items[*n].value = mem_strdup(value);
	items[*n].mark = mark;
	(*n)++;
}

void variables_read(struct reading *r, const struct yaml_node *map,
		    const char *what, struct variable **out, size_t *n)
{
	size_t entries = reading_entries(r, map, "variables");

	*out = mem_zalloc(entries, sizeof(**out));
	*n = 0;
	for (size_t i = 0; i < entries; i++) {
		const struct yaml_pair *pair = &map->pairs[i];
		const char *text = value_text(r, pair);

		if (reading_variable(r, pair->mark, what, pair->key) && text)
			append(*out, n, pair->key, text, pair->value->mark);
	}
}

void given_add(struct given *g, const struct yaml_pair *pair)
{
	MEM_GROW(g->items, g->n, g->cap);
	g->items[g->n++] = pair;
}

void given_add_all(struct given *g, const struct yaml_node *map)
{
	for (size_t i = 0; i < map->n_pairs; i++)
		given_add(g, &map->pairs[i]);
}

void given_release(struct given *g)
{
	free(g->items);
	*g = (struct given){ .items = NULL };
}

static void unknown(struct reading *r, const struct declared *d,
		    const struct yaml_pair *pair)
{
	struct strlist names = STRLIST_INIT;

	parameters_names(d->params, d->n, &names);
	problems_add_undefined(r->problems, pair->mark, "parameter",
			       pair->key, d->of, &names);
	strlist_release(&names);
}

static void take_given(struct reading *r, const struct declared *d,
		       const struct yaml_pair *pair, struct variable *out,
		       size_t *n)
{
	const struct parameter *p =
		parameters_find(d->params, d->n, pair->key);
	const char *text = value_text(r, pair);

	if (!p) {
		unknown(r, d, pair);
	} else if (variables_find(out, *n, pair->key)) {
		problems_add(r->problems, pair->mark,
			     "parameter \"%s\" is given twice", pair->key);
	} else {
		append(out, n, pair->key, text ? text : "", pair->value->mark);
		if (text)
			parameter_check(r, d->of, p, &out[*n - 1]);
	}
}

void params_merge(struct reading *r, const struct declared *d,
		  const struct given *g, struct mark use,
		  struct variable **out, size_t *n, size_t *n_given)
{
	*out = mem_zalloc(g->n + d->n, sizeof(**out));
	*n = 0;
	for (size_t i = 0; i < g->n; i++)
		take_given(r, d, g->items[i], *out, n);
	*n_given = *n;
	for (size_t i = 0; i < d->n; i++) {
		const struct parameter *p = &d->params[i];

		if (variables_find(*out, *n_given, p->var.name))
			continue;
		if (!parameter_is_required(p))
			variable_copy(&(*out)[(*n)++], &p->var);
		else
			problems_add(r->problems, use,
				     "%s needs the parameter \"%s\"", d->of,
				     p->var.name);
	}
}
