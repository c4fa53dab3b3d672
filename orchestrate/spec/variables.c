#include "orchestrate/spec/variables.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/lookup.h"

int variable_read(struct reading *r, const struct yaml_pair *pair,
		  struct variable *out)
{
	*out = (struct variable){ .mark = pair->value->mark,
				  .text_at = pair->value->text_at };
	if (text_or_lookup_read(r, pair->value, pair->key, &out->value,
				&out->lookup) < 0)
		return -1;
	out->name = mem_strdup(pair->key);
	return 0;
}

void variables_read(struct reading *r, const struct yaml_node *map,
		    const char *what, struct variable **out, size_t *n)
{
	size_t entries = reading_entries(r, map, "variables");

	*out = mem_zalloc(entries, sizeof(**out));
	*n = 0;
	for (size_t i = 0; i < entries; i++) {
		const struct yaml_pair *pair = &map->pairs[i];

		if (variable_read(r, pair, &(*out)[*n]) < 0)
			continue;
		if (reading_variable(r, pair->mark, what, pair->key))
			++*n;
		else
			variable_release(&(*out)[*n]);
	}
}

void variables_read_section(struct reading *r, void *into,
			    const struct yaml_node *value)
{
	struct experiment *e = into;

	variables_read(r, value, "variable", &e->variables, &e->n_variables);
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

/* All texts of a look-up must be of the parameter's type. */
static void check_type(struct reading *r, const char *of,
		       const struct parameter *p, const struct variable *v)
{
	const struct lookup *l = v->lookup;

	parameter_check(r, of, p, v);
	for (size_t i = 0; l && i < l->n_cases; i++)
		parameter_check(r, of, p, &l->cases[i]);
	if (l)
		parameter_check(r, of, p, &(struct variable){
			.value = l->otherwise, .mark = l->otherwise_mark });
}

static void take_given(struct reading *r, const struct declared *d,
		       const struct yaml_pair *pair, struct variable *out,
		       size_t *n)
{
	const struct parameter *p =
		parameters_find(d->params, d->n, pair->key);
	struct variable v;
	int rc = variable_read(r, pair, &v);

	if (!p) {
		unknown(r, d, pair);
	} else if (variables_find(out, *n, pair->key)) {
		problems_add(r->problems, pair->mark,
			     "parameter \"%s\" is given twice", pair->key);
	} else if (rc < 0) {
		/* it is there, though: not missing as well */
		out[(*n)++] = (struct variable){
			.name = mem_strdup(pair->key),
			.value = mem_strdup(""),
			.mark = pair->value->mark,
		};
	} else {
		check_type(r, d->of, p, &v);
		out[(*n)++] = v;
		return;
	}
	if (!rc)
		variable_release(&v);
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
