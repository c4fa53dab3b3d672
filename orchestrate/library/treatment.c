#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/library/definition.h"
#include "orchestrate/spec/lookup.h"
#include "orchestrate/spec/treatment_def.h"
#include "orchestrate/spec/variables.h"

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

	declarations_read(r, value, &d->params, &d->n_params);
}

static void read_levels(struct reading *r, void *into,
			const struct yaml_node *value)
{
	struct treatment_def *d = into;
	char quoted[PROBLEM_QUOTE_SIZE];

	if (strchr(d->name, '/')) {
		problems_add(r->problems, value->mark,
			     "one of a family is a level itself: leave "
			     "\"levels\" out");
		return;
	}
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

/* Below `params`, which it may not hide: scripts would see either. */
static void read_set(struct reading *r, void *into,
		     const struct yaml_node *value)
{
	struct treatment_def *d = into;

	variables_read(r, value, "variable", &d->set, &d->n_set);
	for (size_t i = 0; i < d->n_set; i++)
		if (parameters_find(d->params, d->n_params, d->set[i].name))
			problems_add(r->problems, d->set[i].mark,
				     "\"%s\" is a parameter as well; give "
				     "what is set another name",
				     d->set[i].name);
}

static void read_applies_to(struct reading *r, void *into,
			    const struct yaml_node *value)
{
	struct treatment_def *d = into;

	reading_name(r, value->mark, "role", value->text);
	d->applies_to = mem_strdup(value->text);
}

#define AT(member) .offset = offsetof(struct treatment_def, member)
#define BY(function, shape) \
	.kind = VALUE_CUSTOM, .read = (function), .shapes = (shape)

static const struct form a_text = { .kind = FORM_TEXT };
static const struct form a_role = {
	.kind = FORM_TEXT, .what = "a role's name",
	.pattern = "[A-Za-z0-9][A-Za-z0-9._-]*",
};
static const struct form levels = { .kind = FORM_LIST, .item = &a_text,
				    .min = 1 };
static const struct form set = {
	.kind = FORM_MAP, .what = "a variable's name",
	.pattern = "[A-Za-z_][A-Za-z0-9_]*", .item = &value_form,
};

static const struct key keys[] = {
	{ .name = "treatment", BY(read_name, SHAPE_TEXT), .required = true,
	  .form = &definition_name_form, .example = "treatment: io-scheduler",
	  .doc = "its name, as the file's; of one of a family FAMILY/LEVEL" },
	{ .name = "doc", .kind = VALUE_TEXT, AT(doc), .fallback = "nothing",
	  .example = "doc: The I/O scheduler of a disk.",
	  .doc = "what it does, in a paragraph" },
	{ .name = "params", BY(read_params, SHAPE_MAPPING),
	  .table = &param_keys, .form = &declarations_form, .fallback = "none",
	  .example = "params: {disk: {doc: a name like sda}}",
	  .doc = "variables the scripts take" },
	{ .name = "needs", .kind = VALUE_TEXTS, AT(needs), .fallback = "none",
	  .example = "needs: [mount, umount]",
	  .doc = "programs that must be on the host" },
	{ .name = "root", .kind = VALUE_BOOL, AT(needs_root),
	  .fallback = "false", .example = "root: true",
	  .doc = "true: the scripts need to run as root" },
	{ .name = "levels", BY(read_levels, SHAPE_LIST), .form = &levels,
	  .fallback = "any", .example = "levels: [always, madvise, never]",
	  .doc = "the levels it knows; any, when left out" },
	{ .name = "cost", .kind = VALUE_DURATION, AT(cost),
	  .fallback = "0s", .example = "cost: 3s",
	  .doc = "how long a change takes, for planning" },
	{ .name = "timeout", .kind = VALUE_DURATION, AT(timeout),
	  .fallback = "60s", .example = "timeout: 5m",
	  .doc = "longest time a script may take; 60s when unsaid" },
	{ .name = "save", .kind = VALUE_SCRIPT, AT(save),
	  .fallback = "nothing is saved",
	  .example = "save: cat /sys/kernel/mm/ksm/run",
	  .doc = "prints the present state" },
	{ .name = "apply", .kind = VALUE_SCRIPT, AT(apply), .required = true,
	  .example = "apply: echo \"$level\" >/sys/kernel/mm/ksm/run",
	  .doc = "puts $level in effect; safe to run twice" },
	{ .name = "verify", .kind = VALUE_SCRIPT, AT(verify),
	  .required = true,
	  .example = "verify: test \"$(cat /sys/kernel/mm/ksm/run)\" = "
		     "\"$level\"",
	  .doc = "succeeds when $level is in effect" },
	{ .name = "show", .kind = VALUE_SCRIPT, AT(show),
	  .fallback = "no evidence is kept",
	  .example = "show: cat /sys/kernel/mm/ksm/run",
	  .doc = "prints evidence, kept with each run" },
	{ .name = "revert", .kind = VALUE_SCRIPT, AT(revert),
	  .required = true,
	  .example = "revert: echo \"$saved\" >/sys/kernel/mm/ksm/run",
	  .doc = "puts the state back that `save` printed, in $saved" },
	{ .name = "enter", .kind = VALUE_SCRIPT, AT(enter),
	  .fallback = "there is nothing to enter",
	  .example = "enter: docker exec -i \"$instance\" sh -s",
	  .doc = "how to get inside what `apply` made: takes a shell script "
		 "on standard input and runs it there" },
	{ .name = "reboot", .kind = VALUE_BOOL, AT(reboot),
	  .fallback = "false", .example = "reboot: true",
	  .doc = "true: apply and revert take effect when the host restarts" },
	{ .name = "applies_to", BY(read_applies_to, SHAPE_TEXT),
	  .form = &a_role, .fallback = "the role that runs the benchmark",
	  .example = "applies_to: server",
	  .doc = "the role whose hosts it is for" },
	{ .name = "set", BY(read_set, SHAPE_MAPPING), .form = &set,
	  .fallback = "nothing",
	  .example = "set: {docker_run_args: '-v ${work}:/data'}",
	  .doc = "variables it gives to the factors above it and to the "
		 "benchmark; they may build on the parameters and on $level" },
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
