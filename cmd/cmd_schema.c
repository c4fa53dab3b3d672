#include "cmd/command.h"

#include "base/buf.h"
#include "cmd/print.h"
#include "orchestrate/library/definition.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/reference.h"
#include "orchestrate/spec/schema.h"

enum schema_of {
	SCHEMA_EXPERIMENT,
	SCHEMA_TREATMENT,
	SCHEMA_BENCHMARK,
	SCHEMA_MONITOR,
};

enum schema_format {
	FORMAT_JSON,
	FORMAT_MARKDOWN,
	FORMAT_MDOC,
};

struct schema_values {
	int format;
};

static const struct opt_word formats[] = {
	{ "json", FORMAT_JSON },
	{ "markdown", FORMAT_MARKDOWN },
	{ "mdoc", FORMAT_MDOC },
	{ NULL, 0 },
};

static const struct opt_word kinds[] = {
	{ "experiment", SCHEMA_EXPERIMENT },
	{ "treatment", SCHEMA_TREATMENT },
	{ "benchmark", SCHEMA_BENCHMARK },
	{ "monitor", SCHEMA_MONITOR },
	{ NULL, 0 },
};

static const struct opt options[] = {
	{ .name = "format", .kind = OPT_CHOICE,
	  .offset = offsetof(struct schema_values, format), .value = "WORD",
	  .help = "json: the schema; markdown and mdoc: a reference of all keys"
		  ", for a page or a manual",
	  .fallback = "json", .words = formats },
	OPTION_END,
};

static const struct operand operands[] = {
	{ .name = "KIND", .kind = OPERAND_WORD, .optional = true,
	  .help = "what is described: experiment (when left out), "
		  "treatment, benchmark or monitor", .words = kinds },
	OPERAND_END,
};

static const struct {
	const struct key_table *table;
	const char *title;
} roots[] = {
	[SCHEMA_EXPERIMENT] = { &experiment_keys, "assay experiment" },
	[SCHEMA_TREATMENT] = { &treatment_keys, "assay treatment definition" },
	[SCHEMA_BENCHMARK] = { &benchmark_def_keys,
			       "assay benchmark definition" },
	[SCHEMA_MONITOR] = { &monitor_def_keys, "assay monitor definition" },
};

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct schema_values *v = values;
	const char *word = operand_get(got, 0);
	struct buf out = BUF_INIT;
	int kind = SCHEMA_EXPERIMENT, rc;

	if (word && opt_word_value(kinds, "KIND", word, &kind, err))
		return -1;
	if (v->format == FORMAT_JSON)
		schema_json(&out, roots[kind].table, roots[kind].title);
	else if (v->format == FORMAT_MARKDOWN)
		reference_markdown(&out, roots[kind].table);
	else
		reference_mdoc(&out, roots[kind].table);
	rc = print_out(&out, err);
	buf_release(&out);
	return rc;
}

const struct command command_schema = {
	.name = "schema",
	.summary = "print a JSON Schema of the experiment file",
	.description =
		"Prints a JSON Schema (draft 2020-12) of experiment files, or "
		"of definitions, made from the tables that assay reads them "
		"by. Editors with a YAML language server complete and check "
		"keys by it: save it, and put this line first in the "
		"experiment:\n\n"
		"# yaml-language-server: $schema=assay.schema.json\n\n"
		"The schema knows keys and shapes. Whether a name exists and "
		"a design makes sense, assay check tells.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct schema_values),
	.example = "assay schema > assay.schema.json",
	.explanation = "Saves the schema for an editor.",
	.see_also = "check",
	.run = run,
};
