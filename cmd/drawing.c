#include "cmd/drawing.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "cmd/cells.h"
#include "cmd/estimates.h"
#include "cmd/subject.h"
#include "orchestrate/schedule/occurrence.h"

#define WIDTH_MM 150

/* What is under way for one chart. */
struct sketch {
	struct drawing *d;
	const struct subject *s;
	const struct chart *chart;
	struct cells cells;
	struct occurrences x, series, both; /* the chart's places */
	struct run_counts counts;
};

static const char *response_label(const struct response *r,
				  const char *language)
{
	const char *label = localized_get(&r->label, language);

	return label ? label : r->name;
}

static size_t n_shown(const struct sketch *k)
{
	return k->chart->series < 0 ? 1 : 2;
}

static void find_places(struct sketch *k)
{
	const struct chart *c = k->chart;
	const size_t shown[] = { c->x, (size_t)c->series };

	cells_occurrences(&k->cells, &shown[0], 1, c->where, c->n_where,
			  &k->x);
	cells_occurrences(&k->cells, &shown[1], n_shown(k) - 1, c->where,
			  c->n_where, &k->series);
	cells_occurrences(&k->cells, shown, n_shown(k), c->where, c->n_where,
			  &k->both);
}

static int fill_sample(struct sketch *k, const uint16_t *levels,
		       struct sample *sample, struct error *err)
{
	size_t n = k->chart->n_where;
	struct condition *where = mem_zalloc(n + 2, sizeof(*where));
	int rc;

	if (n)
		memcpy(where, k->chart->where, n * sizeof(*where));
	where[n].factor = k->chart->x;
	where[n++].level = levels[0];
	if (k->chart->series >= 0) {
		where[n].factor = (size_t)k->chart->series;
		where[n++].level = levels[1];
	}
	rc = cells_sample(&k->cells, where, n, sample, err);
	free(where);
	return rc;
}

/* A place that no treatment has stays empty: that is no lack of data. */
static int fill_cell(struct sketch *k, size_t x, size_t series,
		     struct error *err)
{
	size_t at = x * k->d->figure.n_series + series;
	const uint16_t levels[] = {
		occurrences_at(&k->x, x)[0],
		occurrences_at(&k->series, series)[0],
	};
	struct sample sample = SAMPLE_INIT;
	struct estimate *cell = &k->d->cells[at];
	int rc = -1;

	*cell = (struct estimate)ESTIMATE_INIT;
	k->d->exists[at] = occurrences_has(&k->both, levels);
	if (!k->d->exists[at])
		return 0;
	if (!fill_sample(k, levels, &sample, err) &&
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

/* A label for each place along one factor. */
static const char **labels(const struct sketch *k, size_t factor,
			   const struct occurrences *places)
{
	const char **labels = mem_zalloc(places->n, sizeof(char *));

	for (size_t i = 0; i < places->n; i++)
		labels[i] = cells_level(&k->cells, factor,
					occurrences_at(places, i)[0]);
	return labels;
}

static void add_labels(struct sketch *k)
{
	const struct experiment *e = &k->s->experiment;
	struct figure *f = &k->d->figure;
	size_t series = (size_t)k->chart->series;

	f->n_categories = k->x.n;
	f->categories = k->d->categories = labels(k, k->chart->x, &k->x);
	f->x_title = factor_label(&e->factors[k->chart->x],
				  e->report_language);
	f->n_series = k->series.n;
	if (k->chart->series < 0)
		return;
	f->series_title = factor_label(&e->factors[series],
				       e->report_language);
	f->series = k->d->series = labels(k, series, &k->series);
}

static void add_where(struct sketch *k, struct buf *out)
{
	const struct experiment *e = &k->s->experiment;

	for (size_t i = 0; i < k->chart->n_where; i++) {
		const struct condition *c = &k->chart->where[i];

		buf_addf(out, "%s: %s. ",
			 factor_label(&e->factors[c->factor],
				      e->report_language),
			 cells_level(&k->cells, c->factor, c->level));
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
	size_t n = f->n_categories * f->n_series;

	f->cells = k->d->cells = mem_zalloc(n, sizeof(struct estimate));
	f->exists = k->d->exists = mem_zalloc(n, sizeof(bool));
	for (size_t x = 0; x < f->n_categories; x++)
		for (size_t i = 0; i < f->n_series; i++)
			if (fill_cell(k, x, i, err))
				return -1;
	if (!k->counts.any)
		return cells_none(&k->cells, k->both.n, "chart",
				  k->chart->name, err);
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
	find_places(&k);
	add_labels(&k);
	if (fill_cells(&k, err))
		goto out;
	add_caption(&k);
	rc = 0;
out:
	occurrences_release(&k.x);
	occurrences_release(&k.series);
	occurrences_release(&k.both);
	cells_release(&k.cells);
	return rc;
}

void drawing_release(struct drawing *d)
{
	free(d->categories);
	free(d->series);
	free(d->cells);
	free(d->exists);
	buf_release(&d->caption);
}
