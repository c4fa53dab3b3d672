#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/library/definition.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/parameter.h"

/* A parameter while it is read, and where its keys stand. */
struct declaring {
	struct parameter *p;
	bool has_type;
	struct mark choices_mark, min_mark, max_mark;
};

static void read_doc(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct declaring *d = into;

	(void)r;
	d->p->doc = mem_strdup(value->text);
}

static void read_default(struct reading *r, void *into,
			 const struct yaml_node *value)
{
	struct declaring *d = into;

	text_or_lookup_read(r, value, "default", &d->p->var.value,
			    &d->p->var.lookup);
	d->p->var.mark = value->mark;
	d->p->var.text_at = value->text_at;
}

static void read_type(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct declaring *d = into;
	struct strlist names = STRLIST_INIT;

	for (int t = 0; t <= PARAMETER_CHOICE; t++) {
		const char *name = parameter_type_name((enum parameter_type)t);

		strlist_push(&names, name);
		if (strcmp(name, value->text))
			continue;
		d->p->type = (enum parameter_type)t;
		d->has_type = true;
	}
	if (!d->has_type)
		problems_add_undefined(r->problems, value->mark, "type",
				       value->text, NULL, &names);
	strlist_release(&names);
}

static void read_choices(struct reading *r, void *into,
			 const struct yaml_node *value)
{
	struct declaring *d = into;

	d->choices_mark = value->mark;
	reading_texts(r, value, "choices", &d->p->choices);
	if (!d->has_type)
		d->p->type = PARAMETER_CHOICE;
	if (!value->n_items)
		problems_add(r->problems, value->mark, "\"choices\" is empty");
	else if (d->p->type != PARAMETER_CHOICE)
		problems_add(r->problems, value->mark,
			     "\"choices\" needs \"type: choice\", not \"%s\"",
			     parameter_type_name(d->p->type));
}

/* Takes the bound when it is one of the type. */
static void read_bound(struct reading *r, struct declaring *d,
		       const char *key, const struct yaml_node *value,
		       char **out)
{
	struct parameter free_of_bounds = { .type = d->p->type };
	struct buf wanted = BUF_INIT;
	char quoted[PROBLEM_QUOTE_SIZE];

	parameter_expects(&free_of_bounds, &wanted);
	if (!parameter_type_is_ordered(d->p->type))
		problems_add(r->problems, value->mark,
			     "\"%s\" needs a type with an order: integer, "
			     "number, size or duration", key);
	else if (!parameter_fits(&free_of_bounds, value->text))
		problems_add(r->problems, value->mark,
			     "\"%s\": expected %s, got \"%s\"", key,
			     wanted.data, problem_quote(quoted, value->text));
	else
		*out = mem_strdup(value->text);
	buf_release(&wanted);
}

static void read_min(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct declaring *d = into;

	read_bound(r, d, "min", value, &d->p->min);
}

static void read_max(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct declaring *d = into;

	read_bound(r, d, "max", value, &d->p->max);
	if (d->p->max && d->p->min && !parameter_fits(d->p, d->p->min))
		problems_add(r->problems, value->mark,
			     "\"max\" is below \"min\"");
}

#define BY(function, shape) \
	.kind = VALUE_CUSTOM, .read = (function), .shapes = (shape)

static const struct form a_text = { .kind = FORM_TEXT };
static const struct form a_type = {
	.kind = FORM_TEXT,
	.pattern = "text|integer|number|size|duration|boolean|path|choice",
};
static const struct form texts = { .kind = FORM_LIST, .item = &a_text,
				   .min = 1 };

/* `type` first: the others build on it. */
static const struct key keys[] = {
	{ .name = "type", BY(read_type, SHAPE_TEXT), .form = &a_type,
	  .fallback = "text; choice when there are choices",
	  .example = "type: integer",
	  .doc = "what it takes: text, integer, number, size, duration, "
		 "boolean, path or choice; what is given is checked" },
	{ .name = "doc", BY(read_doc, SHAPE_TEXT), .form = &a_text,
	  .fallback = "nothing", .example = "doc: requests in flight",
	  .doc = "what it means" },
	{ .name = "default", BY(read_default, SHAPE_TEXT | SHAPE_MAPPING),
	  .form = &value_form, .table = &lookup_keys,
	  .example = "default: 1",
	  .doc = "its value when none is given; without it one must be" },
	{ .name = "choices", BY(read_choices, SHAPE_LIST), .form = &texts,
	  .example = "choices: [read, write]",
	  .doc = "all that it may be, for type choice" },
	{ .name = "min", BY(read_min, SHAPE_TEXT), .form = &a_text,
	  .fallback = "no bound", .example = "min: 1",
	  .doc = "the least it may be" },
	{ .name = "max", BY(read_max, SHAPE_TEXT), .form = &a_text,
	  .fallback = "no bound", .example = "max: 1024",
	  .doc = "the most it may be" },
};

const struct key_table param_keys = KEY_TABLE("a parameter", keys);

static void finish(struct reading *r, const struct parameter *p,
		   struct mark at, size_t before)
{
	if (p->type == PARAMETER_CHOICE && !p->choices.n &&
	    r->problems->total == before)
		problems_add(r->problems, at,
			     "parameter \"%s\" needs the key \"choices\"",
			     p->var.name);
	else if (r->problems->total == before)
		parameter_check(r, NULL, p, &p->var);
}

void declarations_read(struct reading *r, const struct yaml_node *map,
		       struct parameter **params, size_t *n)
{
	size_t entries = reading_entries(r, map, "parameters");

	*params = mem_zalloc(entries, sizeof(**params));
	*n = 0;
	for (size_t i = 0; i < entries; i++) {
		const struct yaml_pair *pair = &map->pairs[i];
		struct declaring d = { .p = &(*params)[*n] };
		size_t before = r->problems->total;

		reading_variable(r, pair->mark, "parameter", pair->key);
		if (!reading_mapping(r, pair->value, pair->key))
			continue;
		d.p->var.name = mem_strdup(pair->key);
		keys_read(r, &param_keys, pair->mark, pair->value, &d);
		finish(r, d.p, pair->mark, before);
		(*n)++;
	}
}
