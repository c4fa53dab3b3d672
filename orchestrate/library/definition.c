#include "orchestrate/library/definition.h"

#include <string.h>

#include "orchestrate/spec/responses.h"

const struct form definition_name_form = {
	.kind = FORM_TEXT, .what = "the name of the file without .yaml",
	.pattern = "[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)?",
};

static const struct form declaration = {
	.kind = FORM_OBJECT, .table = &param_keys,
};
const struct form declarations_form = {
	.kind = FORM_MAP, .what = "a parameter's name",
	.pattern = "[A-Za-z_][A-Za-z0-9_]*", .item = &declaration,
};

static const struct form response = {
	.kind = FORM_OBJECT, .table = &response_keys,
};
const struct form definition_responses_form = {
	.kind = FORM_MAP, .what = "a response's name", .min = 1,
	.pattern = "[A-Za-z0-9][A-Za-z0-9._-]*", .item = &response,
};

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

struct mark definition_mark(const struct yaml_node *root, const char *key)
{
	const struct yaml_pair *pair = yaml_get(root, key);

	return pair ? pair->value->mark : root->mark;
}
