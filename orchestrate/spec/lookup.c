#include "orchestrate/spec/lookup.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/experiment.h"
#include "stats/design.h"
#include "stats/factor.h"

/* The value's text as written; '' is one, nothing is not. */
static const char *case_text(struct reading *r, const char *name,
			     const struct yaml_node *value)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	if (value->kind == YAML_SCALAR && !yaml_is_nothing(value))
		return value->text;
	problems_add(r->problems, value->mark,
		     "\"%s\": expected text, got %s%s",
		     problem_quote(quoted, name), yaml_shape(value),
		     yaml_is_nothing(value) ?
			     "; write '' for an empty text" : "");
	return NULL;
}

static void read_by(struct reading *r, void *into,
		    const struct yaml_node *value)
{
	struct lookup *l = into;

	(void)r;
	l->by = mem_strdup(value->text);
	l->mark = value->mark;
}

static void read_values(struct reading *r, void *into,
			const struct yaml_node *value)
{
	struct lookup *l = into;
	size_t entries = reading_entries(r, value, "values");

	l->cases = mem_zalloc(entries, sizeof(*l->cases));
	if (!value->n_pairs)
		problems_add(r->problems, value->mark,
			     "a look-up without values: write the value "
			     "itself in its place");
	for (size_t i = 0; i < entries; i++) {
		const struct yaml_pair *pair = &value->pairs[i];
		const char *text = case_text(r, pair->key, pair->value);

		if (!text)
			continue;
		l->cases[l->n_cases++] = (struct variable){
			.name = mem_strdup(pair->key),
			.value = mem_strdup(text),
			.mark = pair->value->mark,
			.text_at = pair->value->text_at,
		};
	}
}

static void read_else(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct lookup *l = into;

	(void)r;
	l->otherwise = mem_strdup(value->text);
	l->otherwise_mark = value->mark;
	l->otherwise_at = value->text_at;
}

static const struct form name_form = {
	.kind = FORM_TEXT, .what = "a factor's name, or host",
};
static const struct form text_form = { .kind = FORM_TEXT };
static const struct form cases_form = {
	.kind = FORM_MAP, .what = "a level (or host)", .min = 1,
	.item = &text_form,
};

static const struct key keys[] = {
	{ .name = "by", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_by, .required = true, .form = &name_form,
	  .doc = "the factor whose level chooses the value, or host",
	  .example = "by: platform" },
	{ .name = "values", .kind = VALUE_CUSTOM, .shapes = SHAPE_MAPPING,
	  .read = read_values, .required = true, .form = &cases_form,
	  .doc = "the value for each level",
	  .example = "values: {docker: 5002, lxc: 5003}" },
	{ .name = "else", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_else, .form = &text_form,
	  .doc = "the value for the levels that \"values\" does not name, "
		 "and where the factor is absent; needed unless it names all "
		 "of them",
	  .example = "else: 5000" },
};

const struct key_table lookup_keys = KEY_TABLE("a look-up", keys);

static const struct form lookup_form = {
	.kind = FORM_OBJECT, .table = &lookup_keys,
};
static const struct form shell_form = { .kind = FORM_SCRIPT };
static const struct form *const value_forms[] = {
	&text_form, &lookup_form, NULL,
};
static const struct form *const script_forms[] = {
	&shell_form, &lookup_form, NULL,
};
const struct form value_form = { .kind = FORM_ANY, .any = value_forms };
const struct form script_form = { .kind = FORM_ANY, .any = script_forms };

int lookup_read(struct reading *r, const struct yaml_node *node,
		const char *what, struct lookup **out)
{
	struct lookup *l = mem_zalloc(1, sizeof(*l));
	size_t before = r->problems->total;

	*out = NULL;
	if (reading_mapping(r, node, what))
		keys_read(r, &lookup_keys, node->mark, node, l);
	if (r->problems->total > before) {
		lookup_free(l);
		return -1;
	}
	*out = l;
	return 0;
}

int text_or_lookup_read(struct reading *r, const struct yaml_node *node,
			const char *what, char **text, struct lookup **by)
{
	const char *found;

	*text = NULL;
	*by = NULL;
	if (node->kind == YAML_MAPPING)
		return lookup_read(r, node, what, by);
	found = case_text(r, what, node);
	*text = found ? mem_strdup(found) : NULL;
	return found ? 0 : -1;
}

const char *lookup_at(const struct experiment *e, const struct lookup *l,
		      const size_t *levels, size_t host, struct mark *mark)
{
	const char *level = NULL;
	struct mark ignored;
	int f;

	if (!strcmp(l->by, LOOKUP_BY_HOST))
		return lookup_text(l, e->hosts[host].name,
				   mark ? mark : &ignored);
	f = factor_find(e->factors, e->n_factors, l->by);
	if (f >= 0 && levels[f] != DESIGN_ABSENT)
		level = e->factors[f].levels[levels[f]].name;
	return lookup_text(l, level, mark ? mark : &ignored);
}
