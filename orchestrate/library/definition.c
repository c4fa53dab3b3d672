#include "orchestrate/library/definition.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/variable.h"

struct param_reading {
	char *doc;
	char *fallback;
	struct mark mark;
};

static void read_default(struct reading *r, void *into,
			 const struct yaml_node *value)
{
	struct param_reading *pr = into;

	(void)r;
	pr->fallback = mem_strdup(value->text);
	pr->mark = value->mark;
}

static const struct key keys[] = {
	{ .name = "doc", .kind = VALUE_TEXT,
	  .offset = offsetof(struct param_reading, doc),
	  .doc = "what it means" },
	{ .name = "default", .kind = VALUE_CUSTOM, .shapes = SHAPE_TEXT,
	  .read = read_default,
	  .doc = "its value when none is given; without it one must be" },
};

const struct key_table param_keys = KEY_TABLE("a parameter", keys);

void declarations_read(struct reading *r, const struct yaml_node *map,
		       struct variable **params, char ***docs, size_t *n)
{
	size_t entries = reading_entries(r, map, "parameters");

	*params = mem_zalloc(entries, sizeof(**params));
	*docs = mem_zalloc(entries, sizeof(**docs));
	*n = 0;
	for (size_t i = 0; i < entries; i++) {
		const struct yaml_pair *pair = &map->pairs[i];
		struct param_reading pr = { .doc = NULL };

		reading_variable(r, pair->mark, "parameter", pair->key);
		if (!reading_mapping(r, pair->value, pair->key))
			continue;
		keys_read(r, &param_keys, pair->mark, pair->value, &pr);
		(*params)[*n].name = mem_strdup(pair->key);
		(*params)[*n].value = pr.fallback;
		(*params)[*n].mark = pr.mark;
		(*docs)[*n] = pr.doc;
		(*n)++;
	}
}

const struct yaml_node *definition_root(struct reading *r,
					const struct yaml_doc *doc,
					const char *file, const char *kind)
{
	struct mark whole = { .file = file };

	if (!doc->root || yaml_is_nothing(doc->root))
		problems_add(r->problems, whole,
			     "the file is empty; a definition starts with "
			     "\"%s: NAME\"", kind);
	else if (doc->root->kind != YAML_MAPPING)
		problems_add(r->problems, doc->root->mark,
			     "a definition is a mapping that starts with "
			     "\"%s: NAME\", not %s", kind,
			     yaml_shape(doc->root));
	else
		return doc->root;
	return NULL;
}

void definition_check_name(struct reading *r, const struct yaml_node *value,
			   const char *file_name)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	if (strcmp(value->text, file_name))
		problems_add(r->problems, value->mark,
			     "the definition is called \"%s\", its file "
			     "\"%s.yaml\"; make them the same",
			     problem_quote(quoted, value->text), file_name);
}
