#include "orchestrate/spec/format_version.h"

#include <stdint.h>

#include "orchestrate/spec/value.h"

#define FORMAT 1

void format_version_read(struct reading *r, void *into,
			 const struct yaml_node *value)
{
	char quoted[PROBLEM_QUOTE_SIZE];
	uint64_t v;

	(void)into;
	if (!value_count(value->text, &v) || v != FORMAT)
		problems_add(r->problems, value->mark,
			     "\"assay\" is the version of the file format: "
			     "write 1, not \"%s\"",
			     problem_quote(quoted, value->text));
}

bool format_is_newer(struct reading *r, const struct yaml_node *root)
{
	const struct yaml_pair *version = yaml_get(root, "assay");
	uint64_t v;

	if (!version || version->value->kind != YAML_SCALAR ||
	    !value_count(version->value->text, &v) || v <= FORMAT)
		return false;
	problems_add(r->problems, version->value->mark,
		     "made for a newer assay: it has format %llu, this assay "
		     "reads format %d; install a newer one",
		     (unsigned long long)v, FORMAT);
	return true;
}
