#include "cmd/command.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/strlist.h"
#include "cmd/analysis.h"
#include "cmd/analysis_json.h"
#include "cmd/cells.h"
#include "cmd/print.h"
#include "cmd/reading.h"
#include "cmd/remarks.h"
#include "cmd/subject.h"
#include "cmd/tabulate.h"
#include "plot/table/table.h"

struct analyze_values {
	struct subject_options from;
	bool json;
	struct opt_real level;
	struct opt_integer summary;
	const char *campaign;
};

static const struct opt options[] = {
	OPTION_CAMPAIGN(struct analyze_values),
	OPTION_JSON(struct analyze_values),
	{ .name = "level", .kind = OPT_REAL,
	  .offset = offsetof(struct analyze_values, level), .value = "LEVEL",
	  .help = "confidence level of the intervals", .fallback = "0.95",
	  .low = 0.5, .high = 0.9999 },
	OPTION_PROFILE(struct analyze_values),
	OPTION_STORE(struct analyze_values),
	OPTION_TAGS(struct analyze_values),
	{ .name = "summary", .kind = OPT_INTEGER,
	  .offset = offsetof(struct analyze_values, summary), .value = "N",
	  .help = "print the N most telling sentences and nothing else",
	  .min = 1, .max = 1000 },
	OPTION_END,
};

static const struct operand operands[] = { OPERAND_FILE, OPERAND_END };

static void add_sentences(struct buf *out, const struct analysis *a,
			  size_t limit)
{
	for (size_t i = 0; i < a->comparisons.n && i < limit; i++) {
		reading_sentence(out, a->subject, &a->comparisons.items[i]);
		buf_addc(out, '\n');
	}
}

/* Why there is no sentence; it is among the remarks, where those are printed. */
static void add_reason(struct buf *out, const struct analysis *a)
{
	char *why = comparisons_none(a->subject);

	buf_addf(out, "%s\n", why);
	free(why);
}

static void add_remarks(struct buf *out, const struct analysis *a)
{
	struct strlist remarks = STRLIST_INIT;

	remarks_make(&remarks, a);
	if (remarks.n && out->n)
		buf_addc(out, '\n');
	for (size_t i = 0; i < remarks.n; i++)
		buf_addf(out, "%s\n", remarks.items[i]);
	strlist_release(&remarks);
}

static int add_tables(struct buf *out, const struct analysis *a,
		      struct error *err)
{
	int rc = 0;

	for (size_t i = 0; i < a->n_cells && !rc; i++) {
		struct table t;

		buf_addc(out, '\n');
		rc = tabulate_response(&t, &a->cells[i], a->level, err);
		if (!rc)
			table_write_text(&t, print_width(STDOUT_FILENO), out);
		table_release(&t);
	}
	return rc;
}

static int analyze(struct buf *out, const struct subject *s,
		   const struct analyze_values *v, struct error *err)
{
	struct analysis a;
	int rc = analysis_make(&a, s, v->level.value, err);

	if (!rc && v->json) {
		rc = analysis_json(out, &a, err);
	} else if (!rc && v->summary.given) {
		add_sentences(out, &a, v->summary.value);
		if (!a.comparisons.n)
			add_reason(out, &a);
	} else if (!rc) {
		add_sentences(out, &a, a.comparisons.n);
		add_remarks(out, &a);
		rc = add_tables(out, &a, err);
	}
	analysis_release(&a);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct analyze_values *v = values;
	struct subject s;
	struct buf out = BUF_INIT;
	int rc = subject_load(&s, operand_get(got, 0), &v->from,
			      FACTS_RECORDED, err);

	if (!rc)
		rc = subject_open(&s, v->campaign, err);
	if (!rc)
		rc = analyze(&out, &s, v, err);
	if (!rc)
		rc = print_out(&out, err);
	buf_release(&out);
	subject_release(&s);
	return rc;
}

const struct command command_analyze = {
	.name = "analyze",
	.summary = "say in plain words what the runs show",
	.description =
		"For each benchmark and response, compares every treatment "
		"with the baseline (in a one-at-a-time design without one: "
		"with the centre), all other factors being equal, and says "
		"by which factor they differ, with the interval and the "
		"number of runs. What is not shown to differ is only called "
		"equal when the whole interval lies within the margin.\n\n"
		"The run is the unit: several numbers from one run are "
		"averaged first. Runs that failed, timed out or were invalid "
		"are left out and counted. Ratios are of means, with "
		"Fieller's interval; means have a t interval.\n\n"
		"Then come remarks, and a table of every treatment.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct analyze_values),
	.example = "assay analyze experiments/quickstart.yaml --summary 5",
	.explanation = "Prints the five sentences that say most.",
	.see_also = "plot table report",
	.run = run,
};
