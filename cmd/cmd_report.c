#include "cmd/command.h"

#include <stdlib.h>

#include "base/buf.h"
#include "cmd/analysis.h"
#include "cmd/origin.h"
#include "cmd/outdir.h"
#include "cmd/pages.h"
#include "cmd/places.h"
#include "cmd/planning.h"
#include "cmd/print.h"
#include "cmd/subject.h"
#include "cmd/tally.h"
#include "plot/report/document.h"

#define LEVEL 0.95

struct report_values {
	struct subject_options from;
	const char *template_name, *out, *campaign;
};

static const struct opt options[] = {
	OPTION_CAMPAIGN(struct report_values),
	{ .name = "out", .letter = 'o', .kind = OPT_DIR,
	  .offset = offsetof(struct report_values, out), .value = "DIR",
	  .help = "write into DIR instead of a directory beside the store" },
	OPTION_PROFILE(struct report_values),
	OPTION_STORE(struct report_values),
	OPTION_TAGS(struct report_values),
	{ .name = "template", .kind = OPT_STRING,
	  .offset = offsetof(struct report_values, template_name),
	  .value = "NAME",
	  .help = "use report-templates/NAME.html, or a path, instead of the "
		  "template that the experiment names" },
	OPTION_END,
};

static const struct operand operands[] = { OPERAND_FILE, OPERAND_END };

static int write_page(const struct pages *p, const char *dir,
		      const char *template_name, struct buf *told,
		      struct error *err)
{
	struct buf text = BUF_INIT, page = BUF_INIT;
	char *path = NULL;
	int rc = places_template(&p->subject->experiment, template_name, &path,
				 &text, err);

	if (!rc)
		rc = document_write_html(p->document, path, text.data, &page,
					 err);
	if (!rc)
		rc = outdir_write(dir, p->subject->experiment.name, "html",
				  &page, told, err);
	free(path);
	buf_release(&text);
	buf_release(&page);
	return rc;
}

/* Everything that the pages are made of. */
static int gather(struct pages *p, struct analysis *a, struct origin *o,
		  struct schedule *schedule, struct tally *t,
		  const struct subject *s, struct error *err)
{
	const struct opt_integer none = { false, 0 };
	enum seed_origin origin;

	*p = (struct pages){ .subject = s, .origin = o, .analysis = a,
			     .schedule = schedule, .tally = t };
	if (analysis_make(a, s, LEVEL, err) || origin_find(o, s, err) ||
	    planning_schedule(schedule, s,
			      planning_seed(s, &none, true, &origin), NULL,
			      err))
		return -1;
	return tally_make(t, s, schedule, err);
}

static int report(const struct subject *s, const struct report_values *v,
		  struct buf *told, struct error *err)
{
	struct analysis analysis = { .subject = NULL };
	struct schedule schedule = { .n_runs = 0 };
	struct tally tally = { .n_rows = 0 };
	struct origin origin;
	struct pages pages;
	char *dir = NULL;
	int rc = gather(&pages, &analysis, &origin, &schedule, &tally, s, err);

	if (!rc)
		rc = pages_make(&pages, err);
	if (!rc) {
		dir = outdir_make(s, v->out, err);
		rc = dir ? 0 : -1;
	}
	if (!rc)
		rc = write_page(&pages, dir,
				v->template_name
					? v->template_name
					: s->experiment.report_template,
				told, err);
	free(dir);
	pages_release(&pages);
	tally_release(&tally);
	schedule_release(&schedule);
	analysis_release(&analysis);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct report_values *v = values;
	struct subject s;
	struct buf told = BUF_INIT;
	int rc = subject_load(&s, operand_get(got, 0), &v->from,
			      FACTS_RECORDED, err);

	if (!rc)
		rc = subject_open(&s, v->campaign, err);
	if (!rc)
		rc = report(&s, v, &told, err);
	if (!rc)
		rc = print_out(&told, err);
	buf_release(&told);
	subject_release(&s);
	return rc;
}

const struct command command_report = {
	.name = "report",
	.summary = "write one page with everything in it",
	.description =
		"Writes one HTML page that needs nothing but itself: what the "
		"runs show in sentences, the charts and tables of the "
		"experiment file, how it was measured, the runs that gave no "
		"result, the file itself, and the commit, campaign and data "
		"it all comes from. Prints the path.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct report_values),
	.example = "assay report experiments/quickstart.yaml --out public",
	.explanation = "Writes public/quickstart.html.",
	.see_also = "analyze plot table",
	.run = run,
};
