#include "cmd/tabulate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "cmd/cells.h"
#include "cmd/estimates.h"
#include "cmd/reading.h"
#include "cmd/subject.h"
#include "orchestrate/schedule/occurrence.h"
#include "plot/table/number.h"
#include "plot/table/table.h"

/* What is under way for one table. */
struct grid {
	struct table *t;
	const struct subject *s;
	const struct table_spec *spec;
	struct cells cells;
	struct occurrences rows, columns, both; /* places that exist */
	struct run_counts counts;
	unsigned warnings;
};

static const struct factor *factor_of(const struct grid *g, size_t factor)
{
	return &g->s->experiment.factors[factor];
}

static const char *language_of(const struct grid *g)
{
	return g->s->experiment.report_language;
}

/* `both` has the row's levels, then the column's. */
static void find_places(struct grid *g)
{
	const struct table_spec *spec = g->spec;
	size_t n_columns = spec->columns >= 0, n = spec->n_rows;
	size_t *shown = mem_zalloc(n + 1, sizeof(*shown));

	if (n)
		memcpy(shown, spec->rows, n * sizeof(*shown));
	shown[n] = (size_t)spec->columns;
	cells_occurrences(&g->cells, shown, n, spec->where, spec->n_where,
			  &g->rows);
	cells_occurrences(&g->cells, shown + n, n_columns, spec->where,
			  spec->n_where, &g->columns);
	cells_occurrences(&g->cells, shown, n + n_columns, spec->where,
			  spec->n_where, &g->both);
	free(shown);
}

static void add_header(struct grid *g)
{
	const struct response *r = cells_response(&g->cells);
	const char *label = localized_get(&r->label, language_of(g));
	struct buf head = BUF_INIT;

	for (size_t i = 0; i < g->spec->n_rows; i++)
		table_column(g->t,
			     factor_label(factor_of(g, g->spec->rows[i]),
					  language_of(g)),
			     TABLE_LEFT, true);
	if (g->spec->columns < 0) {
		buf_addf(&head, "%s%s%s%s", label ? label : r->name,
			 *r->uom ? " (" : "", r->uom, *r->uom ? ")" : "");
		table_column(g->t, head.data, TABLE_RIGHT, false);
	}
	for (size_t i = 0; g->spec->columns >= 0 && i < g->columns.n; i++)
		table_column(g->t,
			     cells_level(&g->cells, (size_t)g->spec->columns,
					 occurrences_at(&g->columns, i)[0]),
			     TABLE_RIGHT, false);
	buf_release(&head);
}

static void format_cell(struct buf *out, enum cell_kind kind,
			const struct estimate *e)
{
	/* a median without bounds says nothing of its own certainty */
	if (isnan(e->value) || e->warnings & ESTIMATE_MEDIAN_UNBOUNDED)
		buf_adds(out, "–");
	else if (kind == CELL_MEAN_SD)
		number_add_mean_sd(out, e);
	else
		number_add_interval(out, e);
}

/* A cell for which there is no treatment stays empty. `where` holds the row's
 * n conditions with room for one more, `levels` likewise. */
static int fill_cell(struct grid *g, size_t row, size_t column,
		     struct condition *where, size_t n, uint16_t *levels,
		     struct error *err)
{
	struct sample sample = SAMPLE_INIT;
	struct estimate e;
	struct buf text = BUF_INIT;
	int rc = -1;

	if (g->spec->columns >= 0) {
		levels[g->spec->n_rows] = occurrences_at(&g->columns,
							 column)[0];
		where[n].factor = (size_t)g->spec->columns;
		where[n++].level = levels[g->spec->n_rows];
	}
	if (!occurrences_has(&g->both, levels))
		return 0;
	if (cells_sample(&g->cells, where, n, &sample, err) ||
	    estimate_sample(&sample, g->spec->cell, g->spec->level, &e, err))
		goto out;
	run_counts_add(&g->counts, &sample);
	g->warnings |= e.warnings;
	format_cell(&text, g->spec->cell, &e);
	table_set(g->t, row, g->spec->n_rows + column, text.data);
	rc = 0;
out:
	buf_release(&text);
	sample_release(&sample);
	return rc;
}

static int fill_row(struct grid *g, const uint16_t *row_levels,
		    struct error *err)
{
	const struct table_spec *spec = g->spec;
	size_t n = spec->n_where, row = table_row(g->t);
	struct condition *where = mem_zalloc(n + spec->n_rows + 1,
					     sizeof(*where));
	uint16_t *levels = mem_zalloc(spec->n_rows + 1, sizeof(*levels));
	int rc = 0;

	if (n)
		memcpy(where, spec->where, n * sizeof(*where));
	for (size_t i = 0; i < spec->n_rows; i++) {
		levels[i] = row_levels[i];
		where[n].factor = spec->rows[i];
		where[n++].level = levels[i];
		table_set(g->t, row, i,
			  cells_level(&g->cells, spec->rows[i], levels[i]));
	}
	for (size_t i = 0; i < g->columns.n && !rc; i++)
		rc = fill_cell(g, row, i, where, n, levels, err);
	free(levels);
	free(where);
	return rc;
}

static void add_notes(struct grid *g)
{
	const struct response *r = cells_response(&g->cells);
	struct buf note = BUF_INIT, left_out = BUF_INIT;
	struct strlist warnings = STRLIST_INIT;

	switch (g->spec->cell) {
	case CELL_MEAN_SD:
		buf_adds(&note, "Mean ± standard deviation of the runs; ");
		break;
	case CELL_MEAN_CI:
		buf_adds(&note, "Mean [");
		level_percent(g->spec->level, &note);
		buf_adds(&note, " t interval]; ");
		break;
	case CELL_MEDIAN_CI:
		buf_adds(&note, "Median [");
		level_percent(g->spec->level, &note);
		buf_adds(&note, " order-statistic interval]; ");
		break;
	}
	if (*r->uom)
		buf_addf(&note, "%s; ", r->uom);
	run_counts_text(&g->counts, &note);
	if (run_counts_left_out(&g->counts, &left_out))
		buf_addf(&note, "; left out: %s", left_out.data);
	table_note(g->t, note.data);
	estimate_warnings(g->warnings, &warnings);
	for (size_t i = 0; i < warnings.n; i++)
		table_note(g->t, warnings.items[i]);
	strlist_release(&warnings);
	buf_release(&left_out);
	buf_release(&note);
}

static int fill(struct grid *g, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; i < g->rows.n && !rc; i++)
		rc = fill_row(g, occurrences_at(&g->rows, i), err);
	if (!rc && !g->counts.any)
		rc = cells_none(&g->cells, g->both.n, "table", g->spec->name,
				err);
	return rc;
}

int tabulate_spec(struct table *t, const struct subject *s, size_t table,
		  struct error *err)
{
	struct grid g = { .t = t, .s = s,
			  .spec = &s->experiment.tables[table] };
	const char *title = localized_get(&g.spec->title, language_of(&g));
	struct buf name = BUF_INIT;
	int rc = -1;

	reading_response(&name, s, g.spec->benchmark, g.spec->response);
	table_init(t, title ? title : name.data);
	buf_release(&name);
	if (!cells_load(&g.cells, s, g.spec->benchmark, g.spec->response,
			err)) {
		find_places(&g);
		add_header(&g);
		rc = fill(&g, err);
		if (!rc)
			add_notes(&g);
	}
	occurrences_release(&g.rows);
	occurrences_release(&g.columns);
	occurrences_release(&g.both);
	cells_release(&g.cells);
	return rc;
}
