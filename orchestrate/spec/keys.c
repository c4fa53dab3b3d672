#include "orchestrate/spec/keys.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/spec/grammar.h"
#include "orchestrate/spec/value.h"

static unsigned shapes_of(const struct key *key)
{
	switch (key->kind) {
	case VALUE_LOCALIZED:
	case VALUE_PARAGRAPH:
		return SHAPE_TEXT | SHAPE_MAPPING;
	case VALUE_TEXTS:
		return SHAPE_TEXT | SHAPE_LIST;
	case VALUE_OBJECT:
		return SHAPE_MAPPING;
	case VALUE_CUSTOM:
		return key->shapes;
	default:
		return SHAPE_TEXT;
	}
}

static const char *expected(const struct key *key)
{
	static const char *const by_shapes[] = {
		"", "text", "a list", "text or a list", "a mapping",
		"text or a mapping", "a list or a mapping",
		"text, a list or a mapping",
	};

	switch (key->kind) {
	case VALUE_BOOL:
		return "true or false";
	case VALUE_COUNT:
	case VALUE_SEED:
		return "a whole number";
	case VALUE_DURATION:
		return "a duration";
	case VALUE_SHARE:
		return "a percentage";
	case VALUE_SCRIPT:
		return "a shell script";
	default:
		return by_shapes[shapes_of(key) & 7];
	}
}

static bool fits(const struct key *key, const struct yaml_node *value)
{
	static const unsigned shape[] = {
		[YAML_SCALAR] = SHAPE_TEXT,
		[YAML_SEQUENCE] = SHAPE_LIST,
		[YAML_MAPPING] = SHAPE_MAPPING,
	};

	return !yaml_is_nothing(value) &&
	       (shapes_of(key) & shape[value->kind]);
}

static void wrong(struct reading *r, const struct key *key,
		  const struct yaml_node *value, const char *wanted)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	problems_add(r->problems, value->mark,
		     "\"%s\": expected %s, got \"%s\"", key->name, wanted,
		     problem_quote(quoted, value->text));
}

static void read_text(struct reading *r, const struct key *key,
		      const struct yaml_node *value, char **out)
{
	if (!value->text[strspn(value->text, " \t\n")])
		problems_add(r->problems, value->mark, "\"%s\" is empty",
			     key->name);
	*out = mem_strdup(value->text);
}

void keys_read_count(struct reading *r, const struct key *key,
		     const struct yaml_node *value, uint32_t *out)
{
	char wanted[80];
	uint64_t v;

	if (value_count(value->text, &v) && v >= key->min && v <= key->max) {
		*out = (uint32_t)v;
		return;
	}
	snprintf(wanted, sizeof(wanted), "a whole number from %u to %u",
		 key->min, key->max);
	wrong(r, key, value, wanted);
}

/* Supported choices are listed, the others may still be meant. */
static void unknown_choice(struct reading *r, const struct key *key,
			   const struct yaml_node *value)
{
	struct strlist names = STRLIST_INIT;
	struct buf text = BUF_INIT;
	char quoted[PROBLEM_QUOTE_SIZE];
	const char *near;

	for (const struct choice *c = key->choices; c->name; c++) {
		strlist_push(&names, c->name);
		if (c->value != CHOICE_LATER)
			buf_addf(&text, "%s%s", text.n ? ", " : "", c->name);
	}
	near = strlist_nearest(value->text, (const char *const *)names.items,
			       names.n);
	problems_add(r->problems, value->mark,
		     "\"%s\" must be one of: %s; got \"%s\"%s%s%s", key->name,
		     text.data, problem_quote(quoted, value->text),
		     near ? ", did you mean \"" : "", near ? near : "",
		     near ? "\"?" : "");
	buf_release(&text);
	strlist_release(&names);
}

static void read_choice(struct reading *r, const struct key *key,
			const struct yaml_node *value, int *out)
{
	const struct choice *c = key->choices;

	while (c->name && strcmp(c->name, value->text))
		c++;
	if (!c->name)
		unknown_choice(r, key, value);
	else if (c->value == CHOICE_LATER)
		problems_add(r->problems, value->mark,
			     "%s \"%s\" is not supported yet", key->name,
			     c->name);
	else
		*out = c->value;
}

void keys_read_choice(struct reading *r, const char *name,
		      const struct choice *choices,
		      const struct yaml_node *value, int *out)
{
	const struct key key = { .name = name, .choices = choices };

	read_choice(r, &key, value, out);
}

static void read_number(struct reading *r, const struct key *key,
			const struct yaml_node *value, void *member)
{
	bool ok = true;

	switch (key->kind) {
	case VALUE_BOOL:
		if (!value_bool(value->text, member))
			wrong(r, key, value, "true or false");
		break;
	case VALUE_SEED:
		if (!value_count(value->text, member))
			wrong(r, key, value, "a whole number below 2^64");
		break;
	case VALUE_DURATION:
		ok = value_duration(value->text, member);
		if (!ok || *(double *)member <= 0)
			wrong(r, key, value,
			      "a duration such as 90s, 5m or 1.5h");
		break;
	default:
		ok = value_share(value->text, member);
		if (!ok || *(double *)member >= 1)
			wrong(r, key, value,
			      "a percentage below 100% such as 1%");
		break;
	}
}

static void read_value(struct reading *r, const struct key *key,
		       const struct yaml_pair *pair, void *into)
{
	const struct yaml_node *value = pair->value;
	void *member = (char *)into + key->offset;

	switch (key->kind) {
	case VALUE_TEXT:
	case VALUE_SCRIPT:
		read_text(r, key, value, member);
		break;
	case VALUE_LOCALIZED:
		reading_localized(r, value, key->name, member);
		break;
	case VALUE_PARAGRAPH:
		reading_paragraph(r, value, key->name, member);
		break;
	case VALUE_COUNT:
		keys_read_count(r, key, value, member);
		break;
	case VALUE_CHOICE:
		read_choice(r, key, value, member);
		break;
	case VALUE_TEXTS:
		reading_texts(r, value, key->name, member);
		break;
	case VALUE_OBJECT:
		keys_read(r, key->table, pair->mark, value, into);
		break;
	case VALUE_CUSTOM:
		key->read(r, into, value);
		break;
	default:
		read_number(r, key, value, member);
		break;
	}
}

static void read_key(struct reading *r, const struct key *key,
		     const struct yaml_pair *pair, void *into)
{
	if (key->kind == VALUE_LATER)
		problems_add(r->problems, pair->mark,
			     "\"%s\" is not supported yet", key->name);
	else if (!fits(key, pair->value))
		problems_add(r->problems, pair->value->mark,
			     "\"%s\": expected %s, got %s", key->name,
			     expected(key), yaml_shape(pair->value));
	else
		read_value(r, key, pair, into);
}

const struct key *keys_find(const struct key_table *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->keys[i].name, name))
			return &t->keys[i];
	return NULL;
}

static bool in_table(const struct key_table *t, const char *name)
{
	return keys_find(t, name);
}

/* The names of the keys that are supported, and of `more`. */
static void table_names(const struct key_table *t, const struct strlist *more,
			struct strlist *out)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->keys[i].kind != VALUE_LATER)
			strlist_push(out, t->keys[i].name);
	for (size_t i = 0; more && i < more->n; i++)
		strlist_push(out, more->items[i]);
}

/* The mapping that has such a key, when just one has; else NULL. */
static const struct key_table *home_of(const struct reading *r,
				       const char *name)
{
	const struct key_table *home = NULL;
	struct grammar g;
	size_t n = 0;

	if (!r->grammar)
		return NULL;
	grammar_collect(&g, r->grammar);
	for (size_t i = 0; i < g.n; i++)
		if (in_table(g.tables[i], name)) {
			home = g.tables[i];
			n++;
		}
	grammar_release(&g);
	return n == 1 ? home : NULL;
}

void keys_unknown(struct reading *r, const struct key_table *t,
		  const struct yaml_pair *pair, const struct strlist *more)
{
	const struct key_table *home = home_of(r, pair->key);
	struct strlist names = STRLIST_INIT;

	table_names(t, more, &names);
	if (home && home != t)
		problems_add(r->problems, pair->mark,
			     "\"%s\" is a key of %s, not of %s: move it "
			     "there", pair->key, home->what, t->what);
	else
		problems_add_undefined(r->problems, pair->mark, "key",
				       pair->key, t->what, &names);
	strlist_release(&names);
}

/* A required key is not missing as well when a misspelling of it is there. */
static bool misspelt(const struct key_table *t, const struct key *key,
		     const struct yaml_node *map)
{
	for (size_t i = 0; i < map->n_pairs && i < READING_MAX_ENTRIES; i++)
		if (!in_table(t, map->pairs[i].key) &&
		    strlist_nearest(map->pairs[i].key, &key->name, 1))
			return true;
	return false;
}

static void check_keys(struct reading *r, const struct key_table *t,
		       struct mark at, const struct yaml_node *map, void *into)
{
	for (size_t i = 0; i < map->n_pairs; i++) {
		const struct yaml_pair *pair = &map->pairs[i];

		if (in_table(t, pair->key))
			continue;
		if (t->other)
			t->other(r, into, pair);
		else
			keys_unknown(r, t, pair, NULL);
	}
	for (size_t i = 0; i < t->n; i++) {
		const struct key *key = &t->keys[i];

		if (key->required && !yaml_get(map, key->name) &&
		    !misspelt(t, key, map))
			problems_add(r->problems, at,
				     "%s needs the key \"%s\" (%s)", t->what,
				     key->name, key->doc);
	}
}

void keys_read(struct reading *r, const struct key_table *t, struct mark at,
	       const struct yaml_node *map, void *into)
{
	check_keys(r, t, at, map, into);
	for (size_t i = 0; i < t->n; i++) {
		const struct key *key = &t->keys[i];
		const struct yaml_pair *pair = yaml_get(map, key->name);

		if (pair)
			read_key(r, key, pair, into);
		else if (key->absent)
			key->absent(r, into);
	}
}
