#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/matrix.h"

#define MAX_SERIES_LEVELS 8

/* What charts and tables have in common while they are read. Indexes are -1
 * when unsaid or, which has been reported, undefined. */
struct drawing {
	const char *what; /* "chart" */
	const char *name;
	struct mark mark;
	struct localized title;
	int benchmark;
	int response;
	int x, series;    /* of a chart */
	size_t *rows;     /* of a table */
	size_t n_rows;
	int columns;
	struct condition *where;
	size_t n_where;
	enum chart_kind kind;
	int confidence;   /* per cent */
	int cell;
	bool faulty;      /* a factor is undefined: do not complain further */
};

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

static bool in_rows(const struct drawing *d, int factor)
{
	for (size_t i = 0; i < d->n_rows; i++)
		if (d->rows[i] == (size_t)factor)
			return true;
	return false;
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
		if (in_rows(d, factor))
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
	if (d->columns >= 0 && in_rows(d, d->columns))
		shown_twice(r, d, d->columns, value);
}

static bool shows(const struct drawing *d, int factor)
{
	return d->x == factor || d->series == factor ||
	       d->columns == factor || in_rows(d, factor);
}

static void read_where(struct reading *r, void *into,
		       const struct yaml_node *value)
{
	struct drawing *d = into;

	conditions_read(r, value, &d->where, &d->n_where);
	d->faulty |= d->n_where != value->n_pairs;
	for (size_t i = 0; i < d->n_where; i++) {
		const char *name = r->e->factors[d->where[i].factor].name;

		if (shows(d, (int)d->where[i].factor))
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

static const struct key chart_table[] = {
	{ .name = "kind", .kind = VALUE_CHOICE, .choices = chart_kinds,
	  AT(kind), .required = true, .doc = "bars" },
	{ .name = "title", .kind = VALUE_LOCALIZED, AT(title),
	  .doc = "above the chart" },
	{ .name = "benchmark", BY(read_benchmark, SHAPE_TEXT),
	  .doc = "whose runs are shown; may be left out when there is one" },
	{ .name = "y", BY(read_y, SHAPE_TEXT), .required = true,
	  .doc = "the response to show" },
	{ .name = "x", BY(read_x, SHAPE_TEXT), .required = true,
	  .doc = "the factor along the axis" },
	{ .name = "series", BY(read_series, SHAPE_TEXT),
	  .doc = "the factor told apart by colour" },
	{ .name = "where", BY(read_where, SHAPE_MAPPING),
	  .doc = "levels of the factors that are not shown" },
	{ .name = "interval", .kind = VALUE_CHOICE, .choices = intervals,
	  AT(confidence), .doc = "ci90, ci95 or ci99" },
	{ .name = "facet", .kind = VALUE_LATER,
	  .doc = "the factor that has a panel per level" },
};

const struct key_table chart_keys = KEY_TABLE("a chart", chart_table);

static const struct key table_table[] = {
	{ .name = "title", .kind = VALUE_LOCALIZED, AT(title),
	  .doc = "above the table" },
	{ .name = "benchmark", BY(read_benchmark, SHAPE_TEXT),
	  .doc = "whose runs are shown; may be left out when there is one" },
	{ .name = "y", BY(read_y, SHAPE_TEXT), .required = true,
	  .doc = "the response to show" },
	{ .name = "rows", BY(read_rows, SHAPE_TEXT | SHAPE_LIST),
	  .doc = "factors with a row per level, outermost first" },
	{ .name = "columns", BY(read_columns, SHAPE_TEXT),
	  .doc = "the factor with a column per level" },
	{ .name = "where", BY(read_where, SHAPE_MAPPING),
	  .doc = "levels of the factors that are not shown" },
	{ .name = "cell", .kind = VALUE_CHOICE, .choices = cells, AT(cell),
	  .doc = "what a cell shows" },
};

const struct key_table table_keys = KEY_TABLE("a table", table_table);

static bool fixes(const struct drawing *d, size_t factor)
{
	for (size_t i = 0; i < d->n_where; i++)
		if (d->where[i].factor == factor)
			return true;
	return false;
}

/* Whether a matrix that makes the benchmark varies the factor. */
static bool is_varied(const struct experiment *e, int benchmark, size_t factor)
{
	for (size_t i = 0; i < e->n_matrices; i++)
		if (matrix_has_benchmark(&e->matrices[i], (size_t)benchmark) &&
		    matrix_has_factor(&e->matrices[i], factor))
			return true;
	return false;
}

static bool is_made(const struct experiment *e, int benchmark)
{
	for (size_t i = 0; i < e->n_matrices; i++)
		if (matrix_has_benchmark(&e->matrices[i], (size_t)benchmark))
			return true;
	return false;
}

/* What is shown or fixed must be there in some run of the benchmark. */
static void check_varied(struct reading *r, const struct drawing *d)
{
	const struct experiment *e = r->e;

	if (d->faulty || d->benchmark < 0 || !is_made(e, d->benchmark))
		return;
	for (size_t i = 0; i < e->n_factors; i++)
		if ((shows(d, (int)i) || fixes(d, i)) &&
		    !is_varied(e, d->benchmark, i))
			problems_add(r->problems, d->mark,
				     "%s \"%s\" %s factor \"%s\", which no "
				     "matrix of benchmark \"%s\" has: use "
				     "another factor, or add it to a matrix",
				     d->what, d->name,
				     shows(d, (int)i) ? "shows" : "fixes",
				     e->factors[i].name,
				     e->benchmarks[d->benchmark].name);
}

/* Whether the drawing has more than one level of the factor to tell apart. */
static bool must_tell(const struct experiment *e, const struct drawing *d,
		      size_t factor)
{
	return e->factors[factor].n_levels > 1 && !shows(d, (int)factor) &&
	       !fixes(d, factor) &&
	       (d->benchmark < 0 || is_varied(e, d->benchmark, factor));
}

/* A factor that is neither shown nor fixed would be averaged over. */
static void check_pooled(struct reading *r, const struct drawing *d,
			 bool chart)
{
	const char *show = !chart ? "its rows or columns" :
			   d->series < 0 ? "series" : NULL;

	for (size_t i = 0; i < r->e->n_factors && !d->faulty; i++) {
		const struct factor *f = &r->e->factors[i];

		if (!must_tell(r->e, d, i))
			continue;
		problems_add(r->problems, d->mark,
			     "%s \"%s\" neither shows nor fixes factor "
			     "\"%s\", whose %zu levels must not be pooled: add "
			     "\"where: {%s: %s}\"%s%s", d->what, d->name, f->name,
			     f->n_levels, f->name, f->levels[0].name,
			     show ? " or put it into " : "",
			     show ? show : "");
	}
}

static void check_benchmark(struct reading *r, const struct drawing *d)
{
	if (d->benchmark >= 0 || d->faulty || r->e->n_benchmarks < 2)
		return;
	problems_add(r->problems, d->mark,
		     "%s \"%s\" needs the key \"benchmark\": there are %zu of "
		     "them", d->what, d->name, r->e->n_benchmarks);
}

static void read_drawing(struct reading *r, const struct key_table *t,
			 const struct yaml_pair *pair, struct drawing *d)
{
	reading_name(r, pair->mark, d->what, pair->key);
	if (!reading_mapping(r, pair->value, pair->key))
		return;
	keys_read(r, t, pair->mark, pair->value, d);
	d->faulty |= t == &chart_keys && d->x < 0;
	check_benchmark(r, d);
	check_varied(r, d);
	check_pooled(r, d, t == &chart_keys);
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
