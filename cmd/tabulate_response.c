#include "cmd/tabulate.h"

#include <math.h>

#include "base/buf.h"
#include "cmd/cells.h"
#include "cmd/estimates.h"
#include "cmd/reading.h"
#include "cmd/subject.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/store/store_query.h"
#include "plot/table/number.h"
#include "plot/table/table.h"

static bool varies(const struct cells *c, size_t factor)
{
	return expansion_varies(&c->subject->expansion, c->benchmark, factor);
}

static void add_columns(struct table *t, const struct cells *c, double level)
{
	const struct experiment *e = &c->subject->experiment;
	struct buf head = BUF_INIT;

	for (size_t f = 0; f < e->n_factors; f++)
		if (varies(c, f))
			table_column(t,
			     factor_label(&e->factors[f], e->report_language),
			     TABLE_LEFT, true);
	table_column(t, "n", TABLE_RIGHT, false);
	buf_adds(&head, "mean [");
	level_percent(level, &head);
	buf_adds(&head, " interval]");
	table_column(t, head.data, TABLE_RIGHT, false);
	table_column(t, "sd", TABLE_RIGHT, false);
	table_column(t, "left out", TABLE_LEFT, false);
	buf_release(&head);
}

/* "-" where the factor does not exist. */
static const char *level_text(const struct subject *s, size_t treatment,
			      size_t factor)
{
	size_t level = design_level(&s->expansion.design, treatment, factor);

	if (level == DESIGN_ABSENT)
		return "-";
	return level_label(&s->experiment.factors[factor].levels[level],
			   s->experiment.report_language);
}

static void add_row(struct table *t, const struct cells *c, size_t treatment,
		    const struct sample *sample, const struct estimate *e)
{
	const struct subject *s = c->subject;
	size_t row = table_row(t), column = 0;
	struct run_counts counts = { .any = false };
	struct buf text = BUF_INIT;

	for (size_t f = 0; f < s->experiment.n_factors; f++)
		if (varies(c, f))
			table_set(t, row, column++,
				  level_text(s, treatment, f));
	buf_addf(&text, "%zu", sample->n);
	table_set(t, row, column++, text.data);
	buf_clear(&text);
	if (isnan(e->value))
		buf_adds(&text, "–");
	else
		number_add_interval(&text, e);
	table_set(t, row, column++, text.data);
	buf_clear(&text);
	number_add(&text, e->sd, e->sd);
	table_set(t, row, column++, text.data);
	buf_clear(&text);
	run_counts_add(&counts, sample);
	run_counts_left_out(&counts, &text);
	table_set(t, row, column, text.data);
	buf_release(&text);
}

int tabulate_response(struct table *t, const struct cells *c, double level,
		      struct error *err)
{
	const struct response *r = cells_response(c);
	struct buf title = BUF_INIT;

	reading_response(&title, c->subject, c->benchmark, c->response);
	if (*r->uom)
		buf_addf(&title, " (%s)", r->uom);
	table_init(t, title.data);
	buf_release(&title);
	add_columns(t, c, level);
	for (size_t i = 0; i < c->subject->expansion.design.n_treatments; i++) {
		const struct sample *sample = cells_treatment(c, i);
		struct estimate e;

		if (!cells_measures(c, i))
			continue;
		if (estimate_sample(sample, CELL_MEAN_CI, level, &e, err))
			return -1;
		add_row(t, c, i, sample, &e);
	}
	return 0;
}
