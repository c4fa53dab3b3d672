#include "cmd/command.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/strlist.h"
#include "cmd/chosen.h"
#include "cmd/drawing.h"
#include "cmd/estimates.h"
#include "cmd/origin.h"
#include "cmd/outdir.h"
#include "cmd/print.h"
#include "cmd/subject.h"

struct plot_values {
	struct subject_options from;
	unsigned formats;
	const char *out, *campaign;
};

static const struct opt_word formats[] = {
	{ "pdf", FIGURE_PDF },
	{ "svg", FIGURE_SVG },
	{ "png", FIGURE_PNG },
	{ NULL, 0 },
};

static const struct opt options[] = {
	OPTION_CAMPAIGN(struct plot_values),
	{ .name = "format", .kind = OPT_CHOICES,
	  .offset = offsetof(struct plot_values, formats), .value = "LIST",
	  .help = "pdf, svg, png, or several with commas between",
	  .fallback = "pdf,svg", .words = formats },
	{ .name = "out", .letter = 'o', .kind = OPT_DIR,
	  .offset = offsetof(struct plot_values, out), .value = "DIR",
	  .help = "write into DIR instead of a directory beside the store" },
	OPTION_PROFILE(struct plot_values),
	OPTION_STORE(struct plot_values),
	OPTION_TAGS(struct plot_values),
	OPTION_END,
};

static const struct operand operands[] = {
	OPERAND_FILE,
	{ .name = "CHART", .help = "names of charts; all when not given",
	  .kind = OPERAND_WORD, .source = FROM_CHARTS, .optional = true,
	  .many = true },
	OPERAND_END,
};

static int render(const struct figure *f, const char *name, unsigned wanted,
		  const char *dir, struct buf *told, struct error *err)
{
	struct buf bytes = BUF_INIT;
	int rc = 0;

	for (const struct opt_word *w = formats; w->name && !rc; w++) {
		if (!(wanted & 1u << w->value))
			continue;
		rc = figure_render(f, (enum figure_format)w->value, &bytes,
				   err);
		if (!rc)
			rc = outdir_write(dir, name, w->name, &bytes, told,
					  err);
	}
	buf_release(&bytes);
	return rc;
}

static int draw(const struct subject *s, size_t chart,
		const struct origin *origin, const struct plot_values *v,
		const char *dir, struct buf *told, struct error *err)
{
	const char *name = s->experiment.charts[chart].name;
	struct strlist warnings = STRLIST_INIT;
	struct drawing d;
	int rc = drawing_make(&d, s, chart, &origin->provenance, err);

	if (!rc)
		rc = render(&d.figure, name, v->formats, dir, told, err);
	if (!rc && d.n_empty)
		print_warning("chart '%s': %zu place%s no run to draw",
			      name, d.n_empty,
			      d.n_empty == 1 ? " has" : "s have");
	estimate_warnings(rc ? 0 : d.warnings, &warnings);
	for (size_t i = 0; i < warnings.n; i++)
		print_warning("chart '%s': %s", name, warnings.items[i]);
	strlist_release(&warnings);
	drawing_release(&d);
	return rc;
}

static int draw_all(const struct subject *s, const struct operands *got,
		    const struct plot_values *v, struct buf *told,
		    struct error *err)
{
	struct origin origin;
	bool *chosen = NULL;
	char *dir = NULL;
	int rc = chosen_charts(&chosen, &s->experiment, got, err);

	if (!rc)
		rc = origin_find(&origin, s, err);
	if (!rc) {
		dir = outdir_make(s, v->out, err);
		rc = dir ? 0 : -1;
	}
	for (size_t i = 0; i < s->experiment.n_charts && !rc; i++)
		if (chosen[i])
			rc = draw(s, i, &origin, v, dir, told, err);
	figure_shutdown();
	free(chosen);
	free(dir);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct plot_values *v = values;
	struct subject s;
	struct buf told = BUF_INIT;
	int rc = subject_load(&s, operand_get(got, 0), &v->from,
			      FACTS_RECORDED, err);

	if (!rc)
		rc = subject_open(&s, v->campaign, err);
	if (!rc)
		rc = draw_all(&s, got, v, &told, err);
	if (!rc)
		rc = print_out(&told, err);
	buf_release(&told);
	subject_release(&s);
	return rc;
}

const struct command command_plot = {
	.name = "plot",
	.summary = "draw the charts",
	.description =
		"Draws the charts that the experiment file asks for and "
		"prints the paths of the files. Each file carries the commit, "
		"the campaign and the digest of the data it was drawn from; "
		"the same data and file give the same bytes.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct plot_values),
	.example = "assay plot experiments/quickstart.yaml write-rate "
		   "--format=pdf,png",
	.explanation = "Draws the chart write-rate as PDF and as PNG.",
	.see_also = "table report analyze",
	.run = run,
};
