#include "cmd/command.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "cmd/chosen.h"
#include "cmd/origin.h"
#include "cmd/outdir.h"
#include "cmd/print.h"
#include "cmd/subject.h"
#include "cmd/tabulate.h"
#include "plot/table/table.h"

enum table_format {
	FORMAT_TEXT,
	FORMAT_MARKDOWN,
};

struct table_values {
	struct subject_options from;
	int format;
	const char *out, *campaign;
};

static const struct opt_word formats[] = {
	{ "text", FORMAT_TEXT },
	{ "markdown", FORMAT_MARKDOWN },
	{ NULL, 0 },
};

static const struct opt options[] = {
	OPTION_CAMPAIGN(struct table_values),
	{ .name = "format", .kind = OPT_CHOICE,
	  .offset = offsetof(struct table_values, format), .value = "FORMAT",
	  .help = "text or markdown", .fallback = "text", .words = formats },
	{ .name = "out", .letter = 'o', .kind = OPT_DIR,
	  .offset = offsetof(struct table_values, out), .value = "DIR",
	  .help = "write Markdown files into DIR instead of printing" },
	OPTION_PROFILE(struct table_values),
	OPTION_STORE(struct table_values),
	OPTION_TAGS(struct table_values),
	OPTION_END,
};

static const struct operand operands[] = {
	OPERAND_FILE,
	{ .name = "TABLE", .help = "names of tables; all when not given",
	  .kind = OPERAND_WORD, .source = FROM_TABLES, .optional = true,
	  .many = true },
	OPERAND_END,
};

/* To a file of its own with --out, else to `out`. */
static int write_table(const struct table *t, const char *name,
		       const struct origin *origin,
		       const struct table_values *v, const char *dir,
		       struct buf *out, struct error *err)
{
	struct buf text = BUF_INIT;
	int rc = 0;

	if (!dir && out->n)
		buf_addc(out, '\n');
	if (!dir && v->format == FORMAT_TEXT) {
		table_write_text(t, print_width(STDOUT_FILENO), out);
	} else if (!dir) {
		table_write_markdown(t, &origin->provenance, out);
	} else {
		table_write_markdown(t, &origin->provenance, &text);
		rc = outdir_write(dir, name, "md", &text, out, err);
	}
	buf_release(&text);
	return rc;
}

static int make_tables(const struct subject *s, const bool *chosen,
		       const struct origin *origin,
		       const struct table_values *v, const char *dir,
		       struct buf *out, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; i < s->experiment.n_tables && !rc; i++) {
		struct table t;

		if (!chosen[i])
			continue;
		rc = tabulate_spec(&t, s, i, err);
		if (!rc)
			rc = write_table(&t, s->experiment.tables[i].name,
					 origin, v, dir, out, err);
		table_release(&t);
	}
	return rc;
}

static int make_all(const struct subject *s, const struct operands *got,
		    const struct table_values *v, struct buf *out,
		    struct error *err)
{
	struct origin origin;
	bool *chosen = NULL;
	char *dir = NULL;
	int rc = chosen_tables(&chosen, &s->experiment, got, err);

	if (!rc)
		rc = origin_find(&origin, s, err);
	if (!rc && v->out) {
		dir = outdir_make(s, v->out, err);
		rc = dir ? 0 : -1;
	}
	if (!rc)
		rc = make_tables(s, chosen, &origin, v, dir, out, err);
	free(chosen);
	free(dir);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct table_values *v = values;
	struct subject s;
	struct buf out = BUF_INIT;
	int rc = subject_load(&s, operand_get(got, 0), &v->from,
			      FACTS_RECORDED, err);

	if (!rc)
		rc = subject_open(&s, v->campaign, err);
	if (!rc)
		rc = make_all(&s, got, v, &out, err);
	if (!rc)
		rc = print_out(&out, err);
	buf_release(&out);
	subject_release(&s);
	return rc;
}

const struct command command_table = {
	.name = "table",
	.summary = "print the tables",
	.description =
		"Prints the tables that the experiment file asks for, for a "
		"terminal or as Markdown. Below each table stands what its "
		"cells are, how many runs are behind them, and what was left "
		"out.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct table_values),
	.example = "assay table experiments/quickstart.yaml --out tables",
	.explanation = "Writes each table into a Markdown file in the "
		       "directory tables.",
	.see_also = "plot report analyze",
	.run = run,
};
