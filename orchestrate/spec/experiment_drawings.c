#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/drawing.h"
#include "orchestrate/spec/experiment_parse.h"

#define MAX_SERIES_LEVELS 8

static void read_benchmark(struct reading *r, void *into,
			   const struct yaml_node *value)
{
	struct drawing *d = into;

	if (r->e->n_benchmarks)
		d->benchmark = find_benchmark(r, value->mark, value->text);
	d->faulty |= d->benchmark < 0;
}

/* After `benchmark`, which may be left out when there is just one. */
static void read_y(struct reading *r, void *into,
		   const struct yaml_node *value)
{
	struct drawing *d = into;

	if (d->benchmark < 0 && r->e->n_benchmarks == 1 && !d->faulty)
		d->benchmark = 0;
	if (d->benchmark < 0 ||
	    !r->e->benchmarks[d->benchmark].n_responses)
		return;
	d->response = find_response(r, value->mark, (size_t)d->benchmark,
				    value->text);
}

static int factor_of(struct reading *r, struct drawing *d,
		     const struct yaml_node *value)
{
	int factor = find_factor(r, value->mark, value->text);

	d->faulty |= factor < 0;
	return factor;
}

static void read_x(struct reading *r, void *into,
		   const struct yaml_node *value)
{
	struct drawing *d = into;

	d->x = factor_of(r, d, value);
}

static void check_series(struct reading *r, const struct drawing *d,
			 const struct yaml_node *value)
{
	const struct factor *f = &r->e->factors[d->series];

	if (d->series == d->x)
		problems_add(r->problems, value->mark,
			     "chart \"%s\": x and series are both \"%s\"; "
			     "leave series out", d->name, f->name);
	if (f->n_levels > MAX_SERIES_LEVELS)
		problems_add(r->problems, value->mark,
			     "chart \"%s\": series \"%s\" has %zu levels; more "
			     "than %d cannot be told apart. Put it on x, or "
			     "fix it with \"where\"",
			     d->name, f->name, f->n_levels, MAX_SERIES_LEVELS);
}

static void read_series(struct reading *r, void *into,
			const struct yaml_node *value)
{
	struct drawing *d = into;

	d->series = factor_of(r, d, value);
	if (d->series >= 0)
		check_series(r, d, value);
}

static void shown_twice(struct reading *r, const struct drawing *d, int factor,
			const struct yaml_node *node)
{
	problems_add(r->problems, node->mark,
		     "table \"%s\" has factor \"%s\" twice in its rows and "
		     "columns", d->name, r->e->factors[factor].name);
}

static void read_rows(struct reading *r, void *into,
		      const struct yaml_node *value)
{
	struct drawing *d = into;

	d->rows = mem_zalloc(r->e->n_factors, sizeof(*d->rows));
	for (size_t i = 0; i < reading_items(value); i++) {
		const struct yaml_node *item = reading_item(value, i);
		int factor = -1;

		if (reading_text(r, item, "rows"))
			factor = factor_of(r, d, item);
		else
			d->faulty = true;
		if (factor < 0)
			continue;
		if (drawing_has_row(d, factor))
			shown_twice(r, d, factor, item);
		else
			d->rows[d->n_rows++] = (size_t)factor;
	}
}

static void read_columns(struct reading *r, void *into,
			 const struct yaml_node *value)
{
	struct drawing *d = into;

	d->columns = factor_of(r, d, value);
	if (d->columns >= 0 && drawing_has_row(d, d->columns))
		shown_twice(r, d, d->columns, value);
}


static void read_where(struct reading *r, void *into,
		       const struct yaml_node *value)
{
	struct drawing *d = into;

	conditions_read(r, value, true, &d->where, &d->n_where);
	d->faulty |= d->n_where != value->n_pairs;
	for (size_t i = 0; i < d->n_where; i++) {
		const char *name = r->e->factors[d->where[i].factor].name;

		if (drawing_shows(d, (int)d->where[i].factor))
			problems_add(r->problems, yaml_get(value, name)->mark,
				     "%s \"%s\" both shows and fixes \"%s\"; "
				     "do one of them", d->what, d->name, name);
	}
}

static const struct choice chart_kinds[] = {
	{ "bars", CHART_BARS },
	{ "line", CHOICE_LATER },
	{ "box", CHOICE_LATER },
	{ "ecdf", CHOICE_LATER },
	{ "heatmap", CHOICE_LATER },
	{ "forest", CHOICE_LATER },
	{ "interaction", CHOICE_LATER },
	{ "timeline", CHOICE_LATER },
	{ NULL, 0 },
};

static const struct choice intervals[] = {
	{ "ci90", 90 },
	{ "ci95", 95 },
	{ "ci99", 99 },
	{ NULL, 0 },
};

/* The kind of cell times 100, and the level in per cent. */
static const struct choice cells[] = {
	{ "mean-sd", CELL_MEAN_SD * 100 + 95 },
	{ "mean-ci90", CELL_MEAN_CI * 100 + 90 },
	{ "mean-ci95", CELL_MEAN_CI * 100 + 95 },
	{ "mean-ci99", CELL_MEAN_CI * 100 + 99 },
	{ "median-ci90", CELL_MEDIAN_CI * 100 + 90 },
	{ "median-ci95", CELL_MEDIAN_CI * 100 + 95 },
	{ "median-ci99", CELL_MEDIAN_CI * 100 + 99 },
	{ NULL, 0 },
};

#define AT(member) .offset = offsetof(struct drawing, member)
#define BY(function, shape) \
	.kind = VALUE_CUSTOM, .read = (function), .shapes = (shape)

static const struct form benchmark_form = { .kind = FORM_TEXT,
					    .what = "a benchmark's name" };
static const struct form response_form = { .kind = FORM_TEXT,
					   .what = "a response's name" };
static const struct form factor_form = { .kind = FORM_TEXT,
					 .what = "a factor's name" };
static const struct form factor_list = { .kind = FORM_LIST,
					 .item = &factor_form };
static const struct form factors_form = {
	.kind = FORM_ANY,
	.any = (const struct form *const[]){ &factor_form, &factor_list,
					     NULL },
};
static const struct form level_form = { .kind = FORM_TEXT,
					.what = "a level's name" };
static const struct form where_form = {
	.kind = FORM_MAP, .item = &level_form, .what = "a factor's name",
};

static const struct key chart_table[] = {
	{ .name = "kind", .kind = VALUE_CHOICE, .choices = chart_kinds,
	  AT(kind), .required = true, .doc = "how it is drawn",
	  .example = "kind: bars" },
	{ .name = "title", .kind = VALUE_LOCALIZED, AT(title),
	  .doc = "above the chart", .fallback = "none",
	  .example = "title: {en: Throughput, fi: Nopeus}" },
	{ .name = "benchmark", BY(read_benchmark, SHAPE_TEXT),
	  .form = &benchmark_form,
	  .doc = "whose runs are shown; may be left out when there is one",
	  .fallback = "the only one", .example = "benchmark: fio-randread" },
	{ .name = "y", BY(read_y, SHAPE_TEXT), .required = true,
	  .form = &response_form, .doc = "the response to show",
	  .example = "y: bandwidth" },
	{ .name = "x", BY(read_x, SHAPE_TEXT), .required = true,
	  .form = &factor_form, .doc = "the factor along the axis",
	  .example = "x: storage" },
	{ .name = "series", BY(read_series, SHAPE_TEXT),
	  .form = &factor_form, .doc = "the factor told apart by colour",
	  .fallback = "none", .example = "series: platform" },
	{ .name = "where", BY(read_where, SHAPE_MAPPING),
	  .form = &where_form,
	  .doc = "levels of the factors that are not shown",
	  .fallback = "none", .example = "where: {block_kib: 4}" },
	{ .name = "interval", .kind = VALUE_CHOICE, .choices = intervals,
	  AT(confidence), .doc = "of the estimates: ci90, ci95 or ci99",
	  .fallback = "ci95", .example = "interval: ci99" },
	{ .name = "facet", .kind = VALUE_LATER,
	  .doc = "the factor that has a panel per level",
	  .example = "facet: benchmark" },
};

const struct key_table chart_keys = KEY_TABLE("a chart", chart_table);

static const struct key table_table[] = {
	{ .name = "title", .kind = VALUE_LOCALIZED, AT(title),
	  .doc = "above the table", .fallback = "none",
	  .example = "title: Bandwidth by platform" },
	{ .name = "benchmark", BY(read_benchmark, SHAPE_TEXT),
	  .form = &benchmark_form,
	  .doc = "whose runs are shown; may be left out when there is one",
	  .fallback = "the only one", .example = "benchmark: fio-randread" },
	{ .name = "y", BY(read_y, SHAPE_TEXT), .required = true,
	  .form = &response_form, .doc = "the response to show",
	  .example = "y: bandwidth" },
	{ .name = "rows", BY(read_rows, SHAPE_TEXT | SHAPE_LIST),
	  .form = &factors_form,
	  .doc = "factors with a row per level, outermost first",
	  .fallback = "one row", .example = "rows: [storage, block_kib]" },
	{ .name = "columns", BY(read_columns, SHAPE_TEXT),
	  .form = &factor_form, .doc = "the factor with a column per level",
	  .fallback = "one column", .example = "columns: platform" },
	{ .name = "where", BY(read_where, SHAPE_MAPPING),
	  .form = &where_form,
	  .doc = "levels of the factors that are not shown",
	  .fallback = "none", .example = "where: {block_kib: 4}" },
	{ .name = "cell", .kind = VALUE_CHOICE, .choices = cells, AT(cell),
	  .doc = "what a cell shows",
	  .fallback = "mean-ci95", .example = "cell: median-ci95" },
};

const struct key_table table_keys = KEY_TABLE("a table", table_table);

static void read_drawing(struct reading *r, const struct key_table *t,
			 const struct yaml_pair *pair, struct drawing *d)
{
	reading_name(r, pair->mark, d->what, pair->key);
	if (!reading_mapping(r, pair->value, pair->key))
		return;
	keys_read(r, t, pair->mark, pair->value, d);
	d->faulty |= t == &chart_keys && d->x < 0;
	drawing_check(r, d, t == &chart_keys);
}

static struct drawing drawing_of(const char *what,
				 const struct yaml_pair *pair)
{
	return (struct drawing){
		.what = what, .name = pair->key, .mark = pair->mark,
		.benchmark = -1, .response = -1, .x = -1, .series = -1,
		.columns = -1, .confidence = 95,
		.cell = CELL_MEAN_CI * 100 + 95,
	};
}

void charts_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct experiment *e = into;
	size_t entries = reading_entries(r, value, "charts");

	e->charts = mem_zalloc(entries, sizeof(*e->charts));
	for (size_t i = 0; i < entries; i++) {
		struct drawing d = drawing_of("chart", &value->pairs[i]);
		struct chart *c = &e->charts[e->n_charts++];

		read_drawing(r, &chart_keys, &value->pairs[i], &d);
		*c = (struct chart){
			.name = mem_strdup(d.name), .mark = d.mark,
			.kind = d.kind, .title = d.title,
			.benchmark = (size_t)d.benchmark,
			.response = (size_t)d.response, .x = (size_t)d.x,
			.series = d.series, .where = d.where,
			.n_where = d.n_where, .level = d.confidence / 100.0,
		};
		free(d.rows);
	}
}

void tables_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct experiment *e = into;
	size_t entries = reading_entries(r, value, "tables");

	e->tables = mem_zalloc(entries, sizeof(*e->tables));
	for (size_t i = 0; i < entries; i++) {
		struct drawing d = drawing_of("table", &value->pairs[i]);
		struct table_spec *t = &e->tables[e->n_tables++];

		read_drawing(r, &table_keys, &value->pairs[i], &d);
		*t = (struct table_spec){
			.name = mem_strdup(d.name), .mark = d.mark,
			.title = d.title, .benchmark = (size_t)d.benchmark,
			.response = (size_t)d.response, .rows = d.rows,
			.n_rows = d.n_rows, .columns = d.columns,
			.where = d.where, .n_where = d.n_where,
			.cell = (enum cell_kind)(d.cell / 100),
			.level = d.cell % 100 / 100.0,
		};
	}
}
