#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/benchmark_parse.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/lookup.h"

static void read_role(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct run *run = into;

	part_role_read(r, value, &run->role, &run->role_by);
}

static void read_script(struct reading *r, void *into,
			const struct yaml_node *value)
{
	struct run *run = into;

	run->script_mark = value->mark;
	part_script_read(r, value, "script", &run->script, &run->script_by);
}

static const struct key keys[] = {
	{ .name = "role", .kind = VALUE_CUSTOM,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING, .read = read_role,
	  .table = &lookup_keys, .form = &part_role_form,
	  .doc = "the role whose hosts run it; it may differ by level",
	  .fallback = "sut, else client, else the first role",
	  .example = "role: {by: platform, values: {native: host}, else: "
		     "guest}" },
	{ .name = "script", .kind = VALUE_CUSTOM, .required = true,
	  .shapes = SHAPE_TEXT | SHAPE_MAPPING, .read = read_script,
	  .table = &lookup_keys, .form = &script_form,
	  .doc = "POSIX shell", .example = "script: ./client.py \"$port\"" },
	{ .name = "timeout", .kind = VALUE_DURATION,
	  .offset = offsetof(struct run, timeout),
	  .doc = "longest time it may take", .fallback = "10m",
	  .example = "timeout: 90s" },
};

const struct key_table run_keys = KEY_TABLE("run", keys);

static const struct form shell_form = { .kind = FORM_SCRIPT };
static const struct form mapping_form = {
	.kind = FORM_OBJECT, .table = &run_keys,
};
static const struct form *const forms[] = { &shell_form, &mapping_form, NULL };
const struct form run_form = { .kind = FORM_ANY, .any = forms };

void run_read(struct reading *r, const struct yaml_node *node, struct run *out)
{
	if (node->kind == YAML_MAPPING) {
		keys_read(r, &run_keys, node->mark, node, out);
		if (out->timeout > 0)
			out->timeout_mark =
				yaml_get(node, "timeout")->value->mark;
		return;
	}
	out->script = mem_strdup(node->text);
	out->script_mark = node->mark;
	if (!node->text[strspn(node->text, " \t\n")])
		problems_add(r->problems, node->mark, "\"run\" is empty");
}

void run_release(struct run *run)
{
	free(run->role);
	lookup_free(run->role_by);
	free(run->script);
	lookup_free(run->script_by);
}
