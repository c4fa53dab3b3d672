#include <stdlib.h>

#include "base/mem.h"
#include "orchestrate/library/definition.h"
#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/responses.h"

static void read_name(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct benchmark_def *d = into;

	definition_check_name(r, value, d->name);
}

static void read_params(struct reading *r, void *into,
			const struct yaml_node *value)
{
	struct benchmark_def *d = into;

	declarations_read(r, value, &d->params, &d->n_params);
}

static void read_responses(struct reading *r, void *into,
			   const struct yaml_node *value)
{
	struct benchmark_def *d = into;

	responses_read(r, value, &d->responses, &d->n_responses);
}

#define AT(member) .offset = offsetof(struct benchmark_def, member)
#define BY(function, shape) \
	.kind = VALUE_CUSTOM, .read = (function), .shapes = (shape)

static const struct key keys[] = {
	{ .name = "benchmark", BY(read_name, SHAPE_TEXT), .required = true,
	  .form = &definition_name_form, .example = "benchmark: fio",
	  .doc = "its name, as the file's" },
	{ .name = "doc", .kind = VALUE_TEXT, AT(doc), .fallback = "nothing",
	  .example = "doc: fio, one job on one file.",
	  .doc = "what it measures, in a paragraph" },
	{ .name = "label", .kind = VALUE_LOCALIZED, AT(label),
	  .fallback = "the benchmark's name in the experiment",
	  .example = "label: {en: Random reads, fi: Satunnaisluku}",
	  .doc = "how charts and tables call it" },
	{ .name = "params", BY(read_params, SHAPE_MAPPING),
	  .table = &param_keys, .form = &declarations_form,
	  .fallback = "none",
	  .example = "params: {seconds: {type: integer, default: 5}}",
	  .doc = "variables the script takes" },
	{ .name = "needs", .kind = VALUE_TEXTS, AT(needs), .fallback = "none",
	  .example = "needs: [fio]",
	  .doc = "programs that must be on the host" },
	{ .name = "timeout", .kind = VALUE_DURATION, AT(timeout),
	  .fallback = "that of the experiment's benchmark",
	  .example = "timeout: 120s",
	  .doc = "longest time a run may take" },
	{ .name = "run", .kind = VALUE_SCRIPT, AT(script), .required = true,
	  .example = "run: sysbench cpu --time=\"$seconds\" run",
	  .doc = "the command to measure" },
	{ .name = "responses", BY(read_responses, SHAPE_MAPPING),
	  .required = true, .table = &response_keys,
	  .form = &definition_responses_form,
	  .example = "responses: {rate: {regex: 'rate: ([0-9.]+)', uom: 1/s}}",
	  .doc = "what is measured" },
};

const struct key_table benchmark_def_keys =
	KEY_TABLE("a benchmark definition", keys);

struct benchmark_def *benchmark_read(const struct yaml_doc *doc,
				     const char *file, const char *name,
				     struct problems *p)
{
	struct reading r = { .problems = p, .before = p->total };
	const struct yaml_node *root =
		definition_root(&r, doc, file, "benchmark");
	struct benchmark_def *d;

	if (!root)
		return NULL;
	d = mem_zalloc(1, sizeof(*d));
	d->name = mem_strdup(name);
	d->file = mem_strdup(file);
	d->mark = root->mark;
	keys_read(&r, &benchmark_def_keys, root->mark, root, d);
	d->script_mark = definition_mark(root, "run");
	d->timeout_mark = definition_mark(root, "timeout");
	if (!d->doc)
		d->doc = mem_strdup("");
	if (p->total > r.before) {
		benchmark_def_free(d);
		return NULL;
	}
	return d;
}
