#include <stdlib.h>

#include "base/mem.h"
#include "orchestrate/library/definition.h"
#include "orchestrate/spec/treatment_def.h"

#define DEFAULT_TIMEOUT 60

static void read_name(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct treatment_def *d = into;

	definition_check_name(r, value, d->name);
}

static void read_params(struct reading *r, void *into,
			const struct yaml_node *value)
{
	struct treatment_def *d = into;

	declarations_read(r, value, &d->params, &d->param_docs, &d->n_params);
}

static void read_levels(struct reading *r, void *into,
			const struct yaml_node *value)
{
	struct treatment_def *d = into;
	char quoted[PROBLEM_QUOTE_SIZE];

	if (!value->n_items)
		problems_add(r->problems, value->mark,
			     "\"levels\" is empty; leave it out to allow any");
	for (size_t i = 0; i < value->n_items; i++) {
		const struct yaml_node *item = value->items[i];
		const char *text = reading_text(r, item, "levels");

		if (text && strlist_has(&d->levels, text))
			problems_add(r->problems, item->mark,
				     "level \"%s\" is there already",
				     problem_quote(quoted, text));
		else if (text)
			strlist_push(&d->levels, text);
	}
}

#define AT(member) .offset = offsetof(struct treatment_def, member)
#define BY(function, shape) \
	.kind = VALUE_CUSTOM, .read = (function), .shapes = (shape)

static const struct key keys[] = {
	{ .name = "treatment", BY(read_name, SHAPE_TEXT), .required = true,
	  .doc = "its name, as the file's" },
	{ .name = "doc", .kind = VALUE_TEXT, AT(doc),
	  .doc = "what it does, in a paragraph" },
	{ .name = "params", BY(read_params, SHAPE_MAPPING),
	  .table = &param_keys, .doc = "variables the scripts take" },
	{ .name = "needs", .kind = VALUE_TEXTS, AT(needs),
	  .doc = "programs that must be on the host" },
	{ .name = "root", .kind = VALUE_BOOL, AT(needs_root),
	  .doc = "true: the scripts need to run as root" },
	{ .name = "levels", BY(read_levels, SHAPE_LIST),
	  .doc = "the levels it knows; any, when left out" },
	{ .name = "cost", .kind = VALUE_DURATION, AT(cost),
	  .doc = "how long a change takes, for planning" },
	{ .name = "timeout", .kind = VALUE_DURATION, AT(timeout),
	  .doc = "longest time a script may take; 60s when unsaid" },
	{ .name = "save", .kind = VALUE_SCRIPT, AT(save),
	  .doc = "prints the present state" },
	{ .name = "apply", .kind = VALUE_SCRIPT, AT(apply), .required = true,
	  .doc = "puts $level in effect; safe to run twice" },
	{ .name = "verify", .kind = VALUE_SCRIPT, AT(verify),
	  .required = true, .doc = "succeeds when $level is in effect" },
	{ .name = "show", .kind = VALUE_SCRIPT, AT(show),
	  .doc = "prints evidence, kept with each run" },
	{ .name = "revert", .kind = VALUE_SCRIPT, AT(revert),
	  .required = true,
	  .doc = "puts the state back that `save` printed, in $saved" },
	{ .name = "enter", .kind = VALUE_LATER,
	  .doc = "how to get inside what it made" },
	{ .name = "reboot", .kind = VALUE_LATER,
	  .doc = "true: the host must restart" },
	{ .name = "applies_to", .kind = VALUE_LATER,
	  .doc = "the role it applies to" },
};

const struct key_table treatment_keys =
	KEY_TABLE("a treatment definition", keys);

struct treatment_def *treatment_read(const struct yaml_doc *doc,
				     const char *file, const char *name,
				     struct problems *p)
{
	struct reading r = { .problems = p, .before = p->total };
	const struct yaml_node *root =
		definition_root(&r, doc, file, "treatment");
	struct treatment_def *d;

	if (!root)
		return NULL;
	d = mem_zalloc(1, sizeof(*d));
	d->name = mem_strdup(name);
	d->file = mem_strdup(file);
	d->mark = root->mark;
	d->timeout = DEFAULT_TIMEOUT;
	keys_read(&r, &treatment_keys, root->mark, root, d);
	if (!d->doc)
		d->doc = mem_strdup("");
	if (p->total > r.before) {
		treatment_def_free(d);
		return NULL;
	}
	return d;
}
