#include "cmd/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "cmd/cells.h"
#include "cmd/estimates.h"
#include "cmd/program.h"
#include "cmd/subject.h"

#define WIDTH_MM 150
#define MOST_CONDITIONS 64

/* What is under way for one chart. */
struct sketch {
	struct drawing *d;
	const struct subject *s;
	const struct chart *chart;
	struct cells cells;
	struct run_counts counts;
};

static const char *response_label(const struct response *r,
				  const char *language)
{
	const char *label = localized_get(&r->label, language);

	return label ? label : r->name;
}

static int fill_cell(struct sketch *k, size_t x, size_t series,
		     struct error *err)
{
	struct condition where[MOST_CONDITIONS];
	struct sample sample = SAMPLE_INIT;
	size_t n = k->chart->n_where;
	struct estimate *cell;
	int rc = -1;

	if (n + 2 > MOST_CONDITIONS)
		return error_set(err, ERROR_USAGE,
				 "chart '%s' has too many conditions",
				 k->chart->name);
	if (n)
		memcpy(where, k->chart->where, n * sizeof(where[0]));
	where[n++] = (struct condition){ k->chart->x, x };
	if (k->chart->series >= 0)
		where[n++] = (struct condition){ (size_t)k->chart->series,
						 series };
	cell = &k->d->cells[x * k->d->figure.n_series + series];
	if (!cells_sample(&k->cells, where, n, &sample, err) &&
	    !estimate_sample(&sample, CELL_MEAN_CI, k->chart->level, cell,
			     err)) {
		run_counts_add(&k->counts, &sample);
		k->d->warnings |= cell->warnings;
		k->d->n_empty += !sample.n;
		rc = 0;
	}
	sample_release(&sample);
	return rc;
}

static void add_labels(struct sketch *k)
{
	const struct experiment *e = &k->s->experiment;
	const struct factor *x = &e->factors[k->chart->x];
	struct figure *f = &k->d->figure;

	f->n_categories = x->n_levels;
	k->d->categories = mem_zalloc(x->n_levels, sizeof(char *));
	for (size_t i = 0; i < x->n_levels; i++)
		k->d->categories[i] =
			level_label(&x->levels[i], e->report_language);
	f->categories = k->d->categories;
	f->x_title = factor_label(x, e->report_language);
	f->n_series = 1;
	if (k->chart->series >= 0) {
		const struct factor *by =
			&e->factors[(size_t)k->chart->series];

		f->n_series = by->n_levels;
		f->series_title = factor_label(by, e->report_language);
		k->d->series = mem_zalloc(by->n_levels, sizeof(char *));
		for (size_t i = 0; i < by->n_levels; i++)
			k->d->series[i] = level_label(&by->levels[i],
						      e->report_language);
		f->series = k->d->series;
	}
}

static void add_where(struct sketch *k, struct buf *out)
{
	const struct experiment *e = &k->s->experiment;

	for (size_t i = 0; i < k->chart->n_where; i++) {
		const struct factor *f =
			&e->factors[k->chart->where[i].factor];

		buf_addf(out, "%s: %s. ", factor_label(f, e->report_language),
			 level_label(&f->levels[k->chart->where[i].level],
				     e->report_language));
	}
}

static void add_caption(struct sketch *k)
{
	struct buf *out = &k->d->caption, left_out = BUF_INIT;

	add_where(k, out);
	buf_adds(out, "Bars: mean; whiskers: ");
	level_percent(k->chart->level, out);
	buf_adds(out, " t interval; ");
	run_counts_text(&k->counts, out);
	if (run_counts_left_out(&k->counts, &left_out))
		buf_addf(out, "; left out: %s", left_out.data);
	buf_release(&left_out);
	k->d->figure.caption = out->data;
}

static int fill_cells(struct sketch *k, struct error *err)
{
	struct figure *f = &k->d->figure;

	k->d->cells = mem_zalloc(f->n_categories * f->n_series,
				 sizeof(struct estimate));
	f->cells = k->d->cells;
	for (size_t x = 0; x < f->n_categories; x++)
		for (size_t i = 0; i < f->n_series; i++)
			if (fill_cell(k, x, i, err))
				return -1;
	if (!k->counts.any)
		return error_set(err, ERROR_USAGE,
				 "chart '%s' has no run to draw yet: make them "
				 "with '%s run %s'",
				 k->chart->name, program_name(), k->s->words);
	return 0;
}

int drawing_make(struct drawing *d, const struct subject *s, size_t chart,
		 const struct provenance *p, struct error *err)
{
	struct sketch k = { .d = d, .s = s,
			    .chart = &s->experiment.charts[chart] };
	const char *language = s->experiment.report_language;
	const struct response *r;
	int rc = -1;

	*d = (struct drawing){ .caption = BUF_INIT };
	if (cells_load(&k.cells, s, k.chart->benchmark, k.chart->response,
		       err))
		goto out;
	r = cells_response(&k.cells);
	d->figure.title = localized_get(&k.chart->title, language);
	d->figure.y_title = response_label(r, language);
	d->figure.uom = r->uom;
	d->figure.better = r->better;
	d->figure.width_mm = WIDTH_MM;
	d->figure.provenance = *p;
	add_labels(&k);
	if (fill_cells(&k, err))
		goto out;
	add_caption(&k);
	rc = 0;
out:
	cells_release(&k.cells);
	return rc;
}

void drawing_release(struct drawing *d)
{
	free(d->categories);
	free(d->series);
	free(d->cells);
	buf_release(&d->caption);
}
