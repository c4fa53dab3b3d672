#include "orchestrate/spec/schema.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/mem.h"
#include "orchestrate/spec/grammar.h"

static void put_form(struct json *j, const struct form *f, bool removable);

static void put_scalar(struct json *j)
{
	json_key(j, "type");
	json_array(j);
	json_string(j, "string");
	json_string(j, "number");
	json_string(j, "boolean");
	json_array_end(j);
}

/* The schema of a scalar that is a number or a text of that pattern. */
static void put_quantity(struct json *j, const char *pattern, double below)
{
	json_key(j, "anyOf");
	json_array(j);
	json_object(j);
	json_put_string(j, "type", "number");
	json_put_int(j, "minimum", 0);
	if (below > 0)
		json_put_double(j, "exclusiveMaximum", below);
	json_object_end(j);
	json_object(j);
	json_put_string(j, "type", "string");
	json_put_string(j, "pattern", pattern);
	json_object_end(j);
	json_array_end(j);
}

static void put_count(struct json *j, const struct form *f)
{
	json_put_string(j, "type", "integer");
	json_put_int(j, "minimum", f->min);
	if (f->max && f->max < UINT32_MAX)
		json_put_int(j, "maximum", f->max);
}

static void put_choice(struct json *j, const struct choice *choices)
{
	json_key(j, "enum");
	json_array(j);
	for (const struct choice *c = choices; c->name; c++)
		if (c->value != CHOICE_LATER)
			json_string(j, c->name);
	json_array_end(j);
}

static void put_localized(struct json *j)
{
	json_key(j, "anyOf");
	json_array(j);
	json_object(j);
	put_scalar(j);
	json_object_end(j);
	json_object(j);
	json_put_string(j, "type", "object");
	json_key(j, "propertyNames");
	json_object(j);
	json_put_string(j, "pattern", "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$");
	json_object_end(j);
	json_key(j, "additionalProperties");
	json_object(j);
	put_scalar(j);
	json_object_end(j);
	json_object_end(j);
	json_array_end(j);
}

/* A form's pattern is that of the whole text. */
static void put_pattern(struct json *j, const char *pattern)
{
	char *whole = mem_printf("^(?:%s)$", pattern);

	json_put_string(j, "pattern", whole);
	free(whole);
}

static void put_list(struct json *j, const struct form *f)
{
	json_put_string(j, "type", "array");
	if (f->min)
		json_put_int(j, "minItems", f->min);
	json_key(j, "items");
	put_form(j, f->item, false);
}

static void put_map(struct json *j, const struct form *f, bool removable)
{
	json_put_string(j, "type", "object");
	if (f->min)
		json_put_int(j, "minProperties", f->min);
	if (f->pattern) {
		json_key(j, "propertyNames");
		json_object(j);
		put_pattern(j, f->pattern);
		json_object_end(j);
	}
	json_key(j, "additionalProperties");
	put_form(j, f->item, removable);
}

static void put_reference(struct json *j, const struct key_table *t,
			  bool partial)
{
	struct buf text = BUF_INIT;

	buf_adds(&text, partial ? "#/$defs/partial-" : "#/$defs/");
	grammar_name(t, &text);
	json_put_string(j, "$ref", text.data);
	buf_release(&text);
}

static void put_any(struct json *j, const struct form *f, bool removable)
{
	json_key(j, "anyOf");
	json_array(j);
	for (size_t i = 0; f->any[i]; i++)
		put_form(j, f->any[i], removable);
	json_array_end(j);
}

static void put_body(struct json *j, const struct form *f, bool partial)
{
	switch (f->kind) {
	case FORM_TEXT:
		put_scalar(j);
		if (f->pattern)
			put_pattern(j, f->pattern);
		else if (f->min)
			json_put_int(j, "minLength", f->min);
		break;
	case FORM_SCRIPT:
		json_put_string(j, "type", "string");
		json_put_string(j, "pattern", "[^ \\t\\n]");
		break;
	case FORM_COUNT:
		put_count(j, f);
		break;
	case FORM_NUMBER:
		json_put_string(j, "type", "number");
		break;
	case FORM_BOOL:
		json_put_string(j, "type", "boolean");
		break;
	case FORM_DURATION:
		put_quantity(j, "^[0-9]+(\\.[0-9]+)?(ms|s|m|min|h)?$", 0);
		break;
	case FORM_SHARE:
		put_quantity(j, "^([0-9]{1,2}(\\.[0-9]+)? ?%|0\\.[0-9]+)$", 1);
		break;
	case FORM_CHOICE:
		put_choice(j, f->choices);
		break;
	case FORM_LOCALIZED:
		put_localized(j);
		break;
	case FORM_LIST:
		put_list(j, f);
		break;
	case FORM_MAP:
		put_map(j, f, partial);
		break;
	case FORM_OBJECT:
		put_reference(j, f->table, partial);
		break;
	case FORM_ANY:
		put_any(j, f, partial);
		break;
	}
}

/* `removable`: nothing may stand there in place of the value. */
static void put_form(struct json *j, const struct form *f, bool removable)
{
	json_object(j);
	if (removable) {
		json_key(j, "anyOf");
		json_array(j);
		json_object(j);
		json_put_string(j, "type", "null");
		json_object_end(j);
		json_object(j);
		put_body(j, f, true);
		json_object_end(j);
		json_array_end(j);
	} else {
		put_body(j, f, false);
	}
	json_object_end(j);
}

static void put_key_body(struct json *j, const struct key *key, bool partial)
{
	const struct form *f = key_form(key);

	if (key->kind == VALUE_OBJECT)
		put_reference(j, key->table, partial);
	else if (key->kind == VALUE_COUNT)
		put_count(j, &(struct form){ .min = key->min,
					     .max = key->max });
	else if (key->kind == VALUE_CHOICE)
		put_choice(j, key->choices);
	else if (f)
		put_body(j, f, partial);
}

static void put_doc(struct json *j, const struct key *key)
{
	struct buf text = BUF_INIT;

	buf_adds(&text, key->doc);
	if (key->fallback)
		buf_addf(&text, " (default: %s)", key->fallback);
	json_put_string(j, "description", text.data);
	buf_release(&text);
}

static void put_key(struct json *j, const struct key *key, bool partial)
{
	json_key(j, key->name);
	json_object(j);
	put_doc(j, key);
	if (partial) {
		json_key(j, "anyOf");
		json_array(j);
		json_object(j);
		json_put_string(j, "type", "null");
		json_object_end(j);
		json_object(j);
		put_key_body(j, key, true);
		json_object_end(j);
		json_array_end(j);
	} else {
		put_key_body(j, key, false);
	}
	json_object_end(j);
}

static void put_required(struct json *j, const struct key_table *t)
{
	json_key(j, "required");
	json_array(j);
	for (size_t i = 0; i < t->n; i++)
		if (t->keys[i].required)
			json_string(j, t->keys[i].name);
	json_array_end(j);
}

/* {"required": [name]} */
static void put_one_required(struct json *j, const char *name)
{
	json_object(j);
	json_key(j, "required");
	json_array(j);
	json_string(j, name);
	json_array_end(j);
	json_object_end(j);
}

/* A file that has none of the first two keys is one that others include; of
 * one that includes others, the rest may be there. */
static void put_required_anywhere(struct json *j, const struct key_table *t)
{
	json_key(j, "if");
	json_object(j);
	json_key(j, "anyOf");
	json_array(j);
	put_one_required(j, t->keys[0].name);
	put_one_required(j, t->keys[1].name);
	json_array_end(j);
	json_object_end(j);
	json_key(j, "then");
	json_object(j);
	json_key(j, "anyOf");
	json_array(j);
	put_one_required(j, t->elsewhere);
	json_object(j);
	put_required(j, t);
	json_object_end(j);
	json_array_end(j);
	json_object_end(j);
}

/* What must be there: in the mapping, or in a file that it names. */
static void put_rules(struct json *j, const struct key_table *t)
{
	if (t->elsewhere)
		put_required_anywhere(j, t);
	else
		put_required(j, t);
	if (!t->exactly_one)
		return;
	json_key(j, "oneOf");
	json_array(j);
	for (size_t i = 0; t->exactly_one[i]; i++)
		put_one_required(j, t->exactly_one[i]);
	json_array_end(j);
}

static bool is_fixed(const struct key_table *t, const char *name)
{
	for (size_t i = 0; t->fixed && t->fixed[i]; i++)
		if (!strcmp(t->fixed[i], name))
			return true;
	return false;
}

static void put_keys(struct json *j, const struct key_table *t,
		     const struct key_table *within, bool partial)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->keys[i].kind != VALUE_LATER &&
		    !is_fixed(within, t->keys[i].name))
			put_key(j, &t->keys[i], partial);
}

static void put_table(struct json *j, const struct key_table *t, bool partial)
{
	json_put_string(j, "type", "object");
	json_key(j, "properties");
	json_object(j);
	put_keys(j, t, t, partial);
	if (t->partial_of)
		put_keys(j, t->partial_of, t, true);
	json_object_end(j);
	json_key(j, "additionalProperties");
	if (t->other_form)
		put_form(j, t->other_form, partial);
	else
		json_bool(j, false);
	if (!partial)
		put_rules(j, t);
}

static void put_definition(struct json *j, const struct key_table *t,
			   bool partial)
{
	struct buf name = BUF_INIT;

	buf_adds(&name, partial ? "partial-" : "");
	grammar_name(t, &name);
	json_key(j, name.data);
	json_object(j);
	put_table(j, t, partial);
	json_object_end(j);
	buf_release(&name);
}

static bool has_partial(const struct grammar *g)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->tables[i]->partial_of)
			return true;
	return false;
}

void schema_json(struct buf *out, const struct key_table *root,
		 const char *title)
{
	struct grammar g;
	struct json j;

	grammar_collect(&g, root);
	json_init(&j, out);
	json_object(&j);
	json_put_string(&j, "$schema",
			"https://json-schema.org/draft/2020-12/schema");
	json_put_string(&j, "title", title);
	put_reference(&j, root, false);
	json_key(&j, "$defs");
	json_object(&j);
	for (size_t i = 0; i < g.n; i++) {
		put_definition(&j, g.tables[i], false);
		if (has_partial(&g))
			put_definition(&j, g.tables[i], true);
	}
	json_object_end(&j);
	json_object_end(&j);
	buf_addc(out, '\n');
	grammar_release(&g);
}
