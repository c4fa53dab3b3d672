#include <stdlib.h>

#include "base/mem.h"
#include "orchestrate/library/definition.h"
#include "orchestrate/spec/monitor_def.h"
#include "orchestrate/spec/responses.h"

#define DEFAULT_INTERVAL 1

static void read_name(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct monitor_def *d = into;

	definition_check_name(r, value, d->name);
}

static void read_params(struct reading *r, void *into,
			const struct yaml_node *value)
{
	struct monitor_def *d = into;

	declarations_read(r, value, &d->params, &d->n_params);
}

static void read_responses(struct reading *r, void *into,
			   const struct yaml_node *value)
{
	struct monitor_def *d = into;

	responses_read(r, value, &d->responses, &d->n_responses);
}

#define AT(member) .offset = offsetof(struct monitor_def, member)
#define BY(function, shape) \
	.kind = VALUE_CUSTOM, .read = (function), .shapes = (shape)

static const struct key keys[] = {
	{ .name = "monitor", BY(read_name, SHAPE_TEXT), .required = true,
	  .form = &definition_name_form, .example = "monitor: vmstat",
	  .doc = "its name, as the file's" },
	{ .name = "doc", .kind = VALUE_TEXT, AT(doc), .fallback = "nothing",
	  .example = "doc: Busy processors and free memory.",
	  .doc = "what it watches, in a paragraph" },
	{ .name = "params", BY(read_params, SHAPE_MAPPING),
	  .table = &param_keys, .form = &declarations_form,
	  .fallback = "none",
	  .example = "params: {disk: {doc: a name like sda}}",
	  .doc = "variables the script takes" },
	{ .name = "needs", .kind = VALUE_TEXTS, AT(needs), .fallback = "none",
	  .example = "needs: [vmstat]",
	  .doc = "programs that must be on the host" },
	{ .name = "interval", .kind = VALUE_DURATION, AT(interval),
	  .fallback = "1s", .example = "interval: 500ms",
	  .doc = "from one observation to the next; in $interval, in seconds" },
	{ .name = "run", .kind = VALUE_SCRIPT, AT(script), .required = true,
	  .example = "run: vmstat -n \"$interval\"",
	  .doc = "prints observations until it is ended" },
	{ .name = "responses", BY(read_responses, SHAPE_MAPPING),
	  .required = true, .table = &response_keys,
	  .form = &definition_responses_form,
	  .example = "responses: {idle: {regex: 'idle (\\d+)', uom: \"%\"}}",
	  .doc = "what is observed" },
};

const struct key_table monitor_def_keys =
	KEY_TABLE("a monitor definition", keys);

struct monitor_def *monitor_read(const struct yaml_doc *doc, const char *file,
				 const char *name, struct problems *p)
{
	struct reading r = { .problems = p, .before = p->total };
	const struct yaml_node *root =
		definition_root(&r, doc, file, "monitor");
	struct monitor_def *d;

	if (!root)
		return NULL;
	d = mem_zalloc(1, sizeof(*d));
	d->name = mem_strdup(name);
	d->file = mem_strdup(file);
	d->mark = root->mark;
	d->interval = DEFAULT_INTERVAL;
	keys_read(&r, &monitor_def_keys, root->mark, root, d);
	d->script_mark = definition_mark(root, "run");
	if (!d->doc)
		d->doc = mem_strdup("");
	if (p->total > r.before) {
		monitor_def_free(d);
		return NULL;
	}
	return d;
}
