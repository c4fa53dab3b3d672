#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "orchestrate/spec/csv.h"
#include "orchestrate/spec/design_section.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/source.h"
#include "orchestrate/spec/yaml_text.h"

#define MAX_FILE (64 * 1024 * 1024)
#define MAX_ROWS 1000000
#define MAX_CELLS 50000000 /* rows times factors of the experiment */

/* The list while it is read. */
struct list_reading {
	struct reading *r;
	const struct design_reading *dr;
	uint16_t *cells;       /* n rows of n_factors */
	struct mark *marks;    /* of each row */
	size_t n, cap;
	struct map *levels;    /* by factor: name to index + 1; made when
	                        * they are needed */
	bool *given;           /* by factor: in some row */
};

static void list_init(struct list_reading *l, struct reading *r,
		      const struct design_reading *dr)
{
	*l = (struct list_reading){ .r = r, .dr = dr };
	l->levels = mem_zalloc(r->e->n_factors, sizeof(*l->levels));
	l->given = mem_zalloc(r->e->n_factors, sizeof(*l->given));
}

static void list_release(struct list_reading *l)
{
	for (size_t i = 0; i < l->r->e->n_factors; i++)
		map_release(&l->levels[i]);
	free(l->levels);
	free(l->given);
	free(l->marks);
	free(l->cells);
}

static size_t most_rows(const struct experiment *e)
{
	size_t rows = e->n_factors ? MAX_CELLS / e->n_factors : MAX_ROWS;

	return rows < MAX_ROWS ? rows : MAX_ROWS;
}

/* A new row, with no factor in it; NULL after reporting that it is one too
 * many. */
static uint16_t *add_row(struct list_reading *l, struct mark at)
{
	size_t width = l->r->e->n_factors;
	uint16_t *row;

	if (l->n == most_rows(l->r->e)) {
		problems_add(l->r->problems, at,
			     "more than %zu rows; at most so many are "
			     "possible", l->n);
		return NULL;
	}
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 64;
		l->cells = mem_realloc(l->cells, l->cap * width + 1,
				       sizeof(*l->cells));
		l->marks = mem_realloc(l->marks, l->cap, sizeof(*l->marks));
	}
	row = l->cells + l->n * width;
	for (size_t i = 0; i < width; i++)
		row[i] = DESIGN_ABSENT;
	l->marks[l->n++] = at;
	return row;
}

/* Through a map: a file may have a million rows of factors with thousands of
 * levels. */
static int level_of(struct list_reading *l, struct mark at, size_t factor,
		    const char *name)
{
	const struct factor *f = &l->r->e->factors[factor];
	struct map *levels = &l->levels[factor];
	void *index;

	if (!levels->n)
		for (size_t i = 0; i < f->n_levels; i++)
			map_put(levels, f->levels[i].name,
				(void *)(uintptr_t)(i + 1));
	index = map_get(levels, name);
	if (index)
		return (int)(uintptr_t)index - 1;
	return f->n_levels ? find_level(l->r, at, factor, name) : -1;
}

static void set_cell(struct list_reading *l, uint16_t *row, size_t factor,
		     struct mark at, const char *name)
{
	int level = level_of(l, at, factor, name);

	l->given[factor] = true;
	if (level >= 0)
		row[factor] = (uint16_t)level;
}

static void read_row(struct list_reading *l, const struct yaml_node *node)
{
	uint16_t *row;

	if (!reading_mapping(l->r, node, "list"))
		return;
	row = add_row(l, node->mark);
	for (size_t i = 0; row && i < node->n_pairs; i++) {
		const struct yaml_pair *pair = &node->pairs[i];
		int factor = design_factor(l->r, l->dr, pair->mark,
					   pair->key);
		const char *text =
			reading_text(l->r, pair->value, pair->key);

		if (factor >= 0 && text)
			set_cell(l, row, (size_t)factor, pair->value->mark,
				 text);
	}
}

/* Columns of a CSV file to factors; -1: to none, which is reported. */
static bool read_header(struct list_reading *l, const struct csv *c,
			int *factors)
{
	bool good = true;

	for (size_t i = 0; i < c->n_fields; i++) {
		const struct csv_field *f = &c->fields[i];

		factors[i] = design_factor(l->r, l->dr, f->mark, f->text);
		good &= factors[i] >= 0;
		for (size_t k = 0; k < i && factors[i] >= 0; k++) {
			if (factors[k] != factors[i])
				continue;
			problems_add(l->r->problems, f->mark,
				     "column \"%s\" is there already",
				     f->text);
			good = false;
		}
	}
	return good;
}

static bool read_record(struct list_reading *l, const struct csv *c,
			const int *factors, size_t columns)
{
	uint16_t *row;

	if (c->n_fields != columns) {
		problems_add(l->r->problems, c->fields[0].mark,
			     "%zu field%s, but there %s %zu column%s",
			     c->n_fields, c->n_fields == 1 ? "" : "s",
			     columns == 1 ? "is" : "are", columns,
			     columns == 1 ? "" : "s");
		return true;
	}
	row = add_row(l, c->fields[0].mark);
	for (size_t i = 0; row && i < columns; i++)
		if (*c->fields[i].text)
			set_cell(l, row, (size_t)factors[i],
				 c->fields[i].mark, c->fields[i].text);
	return row;
}

static void read_csv(struct list_reading *l, const char *file,
		     const struct buf *data)
{
	struct problems *p = l->r->problems;
	struct mark whole = { .file = file };
	int *factors = NULL;
	size_t columns;
	struct csv c;

	csv_init(&c, file, data->data, data->n);
	if (csv_next(&c, p) > 0) {
		columns = c.n_fields;
		factors = mem_zalloc(columns, sizeof(*factors));
		if (read_header(l, &c, factors))
			while (csv_next(&c, p) > 0 &&
			       read_record(l, &c, factors, columns))
				;
	} else if (c.at == c.n && !c.n_fields) {
		problems_add(p, whole, "the file is empty; its first line "
			     "names the factors");
	}
	free(factors);
	csv_release(&c);
}

static void read_file(struct list_reading *l, const struct yaml_node *value)
{
	struct error err = ERROR_INIT;
	struct buf data = BUF_INIT;
	const char *file;
	char *path;

	if (!*value->text) {
		problems_add(l->r->problems, value->mark, "\"list\" is empty");
		return;
	}
	path = source_path(value->mark.file, value->text);
	if (source_read(l->r, path, MAX_FILE, &data, &err) < 0) {
		problems_add(l->r->problems, value->mark,
			     "cannot read the list %s: %s", path, err.text);
	} else {
		file = source_keep(l->r->e, path);
		if (yaml_text_check(file, data.data, data.n,
				    l->r->problems) == 0)
			read_csv(l, file, &data);
	}
	buf_release(&data);
	free(path);
}

static int compare_rows(const void *va, const void *vb, void *ctx)
{
	const struct list_reading *l = ctx;
	size_t width = l->r->e->n_factors;
	size_t a = *(const size_t *)va, b = *(const size_t *)vb;
	int c = memcmp(l->cells + a * width, l->cells + b * width,
		       width * sizeof(*l->cells));

	return c ? c : a < b ? -1 : a > b;
}

/* The same combination twice is no replicate: a treatment is there once. */
static void check_twice(struct list_reading *l)
{
	size_t width = l->r->e->n_factors;
	size_t *order = mem_zalloc(l->n, sizeof(*order));

	for (size_t i = 0; i < l->n; i++)
		order[i] = i;
	qsort_r(order, l->n, sizeof(*order), compare_rows, l);
	for (size_t i = 1; i < l->n; i++) {
		size_t a = order[i - 1], b = order[i];

		if (memcmp(l->cells + a * width, l->cells + b * width,
			   width * sizeof(*l->cells)))
			continue;
		problems_add(l->r->problems, l->marks[b],
			     "this combination is there already, on line %u; "
			     "use \"replicates\" to measure it again",
			     l->marks[a].line);
	}
	free(order);
}

static void check_given(struct list_reading *l, struct mark at)
{
	const struct matrix *m = l->dr->m;

	for (size_t i = 0; i < m->n_factors; i++)
		if (!l->given[m->factors[i]])
			problems_add(l->r->problems, at,
				     "factor \"%s\" is in no row of the list: "
				     "give it a level, or make a matrix "
				     "without it",
				     l->r->e->factors[m->factors[i]].name);
}

static void check_rows(struct list_reading *l, const struct yaml_node *value)
{
	if (!l->n)
		problems_add(l->r->problems, value->mark,
			     "the list has no row: there is nothing to "
			     "measure");
	else
		check_given(l, value->mark);
	check_twice(l);
}

void list_read(struct reading *r, void *into, const struct yaml_node *value)
{
	struct design_reading *dr = into;
	size_t before = r->problems->total;
	struct list_reading l;

	if (!design_takes(r, dr, "list", KIND(DESIGN_LIST)))
		return;
	list_init(&l, r, dr);
	if (value->kind == YAML_SCALAR)
		read_file(&l, value);
	for (size_t i = 0; i < value->n_items; i++)
		read_row(&l, value->items[i]);
	if (r->problems->total == before)
		check_rows(&l, value);
	dr->m->list = l.cells;
	dr->m->n_list = l.n;
	l.cells = NULL;
	list_release(&l);
}
