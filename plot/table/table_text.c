#include "plot/table/table.h"

#include <libsmartcols/libsmartcols.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/buf.h"
#include "base/mem.h"
#include "plot/table/table_align.h"

#define GAP "   "
#define RULE "\xe2\x94\x80" /* box drawings light horizontal */

static const struct table_pads pads = { " ", " ", " ", " ", " " };

/* The table as it will be printed; row 0 is the header. */
struct grid {
	const struct table *t;
	char **cells; /* n_rows x t->n_columns */
	size_t n_rows;
	int *widths;  /* of the columns */
};

/* Columns that `n` bytes take up on a terminal. */
static int width_of(const char *s, size_t n)
{
	mbstate_t state = { 0 };
	int width = 0;

	while (n) {
		wchar_t c;
		size_t len = mbrtowc(&c, s, n, &state);
		int w = 1;

		if (len == 0 || len > n) { /* not in this locale's encoding */
			memset(&state, 0, sizeof(state));
			len = 1;
		} else {
			w = wcwidth(c);
		}
		width += w > 0 ? w : 0;
		s += len;
		n -= len;
	}
	return width;
}

static int longest(const char *s, char end)
{
	int most = 0;

	while (*s) {
		const char *stop = strchrnul(s, end);
		int w = width_of(s, (size_t)(stop - s));

		most = w > most ? w : most;
		s = *stop ? stop + 1 : stop;
	}
	return most;
}

/* Turns spaces into newlines so that no line is wider than need be. */
static void wrap_words(char *s, int width)
{
	char *line = s, *space = NULL;

	for (char *p = s;; p++) {
		if (*p && *p != ' ')
			continue;
		if (space && width_of(line, (size_t)(p - line)) > width) {
			*space = '\n';
			line = space + 1;
		}
		space = p;
		if (!*p)
			return;
	}
}

static char **grid_cell(const struct grid *g, size_t row, size_t column)
{
	return &g->cells[row * g->t->n_columns + column];
}

static void grid_init(struct grid *g, const struct table *t)
{
	char **body = table_align(t, &pads);
	size_t n = t->n_columns;

	g->t = t;
	g->n_rows = t->n_rows + 1;
	g->cells = mem_zalloc(g->n_rows * n, sizeof(*g->cells));
	g->widths = mem_zalloc(n, sizeof(*g->widths));
	for (size_t k = 0; k < n; k++)
		g->cells[k] = mem_strdup(t->columns[k].header);
	memcpy(g->cells + n, body, t->n_rows * n * sizeof(*body));
	free(body);
	for (size_t i = 0; i < g->n_rows * n; i++) {
		int w = longest(g->cells[i], '\n');

		if (w > g->widths[i % n])
			g->widths[i % n] = w;
	}
}

static void grid_release(struct grid *g)
{
	for (size_t i = 0; i < g->n_rows * g->t->n_columns; i++)
		free(g->cells[i]);
	free(g->cells);
	free(g->widths);
}

/* Words may be wrapped, but not the cells of a column of numbers. */
static bool may_wrap(const struct grid *g, size_t row, size_t column)
{
	return !row || g->t->columns[column].align == TABLE_LEFT;
}

/* The width below which a column cannot go. */
static int least_width(const struct grid *g, size_t column)
{
	int least = 1;

	for (size_t i = 0; i < g->n_rows; i++) {
		int w = longest(*grid_cell(g, i, column),
				may_wrap(g, i, column) ? ' ' : '\n');

		least = w > least ? w : least;
	}
	return least;
}

static int total_width(const struct grid *g)
{
	int total = 0;

	for (size_t k = 0; k < g->t->n_columns; k++)
		total += g->widths[k] + (k ? (int)strlen(GAP) : 0);
	return total;
}

/* Narrows the widest columns that can be, until all fits or none can. */
static void grid_fit(struct grid *g, int width)
{
	size_t n = g->t->n_columns;
	int *least = mem_zalloc(n, sizeof(*least));

	for (size_t k = 0; k < n; k++)
		least[k] = least_width(g, k);
	for (int excess = total_width(g) - width; excess > 0; excess--) {
		size_t widest = n;

		for (size_t k = 0; k < n; k++)
			if (g->widths[k] > least[k] &&
			    (widest == n || g->widths[k] > g->widths[widest]))
				widest = k;
		if (widest == n)
			break;
		g->widths[widest]--;
	}
	for (size_t i = 0; i < g->n_rows; i++)
		for (size_t k = 0; k < n; k++)
			if (may_wrap(g, i, k))
				wrap_words(*grid_cell(g, i, k), g->widths[k]);
	free(least);
}

static struct libscols_table *scols_new(const struct grid *g)
{
	struct libscols_table *tb = mem_must(scols_new_table());

	/* The library never asks the terminal: all has been laid out. */
	scols_table_set_termforce(tb, SCOLS_TERMFORCE_NEVER);
	scols_table_enable_colors(tb, 0);
	scols_table_enable_noheadings(tb, 1);
	scols_table_enable_noencoding(tb, 1);
	scols_table_set_column_separator(tb, GAP);
	for (size_t k = 0; k < g->t->n_columns; k++)
		mem_must(scols_table_new_column(
			tb, "", 0,
			g->t->columns[k].align == TABLE_RIGHT ? SCOLS_FL_RIGHT
							      : 0));
	return tb;
}

/* Cuts the first line off; NULL when there is none left. */
static char *next_line(char **rest)
{
	return *rest ? strsep(rest, "\n") : NULL;
}

/* One row of the grid as one or more lines. */
static void scols_add_row(struct libscols_table *tb, const struct grid *g,
			  size_t row)
{
	size_t n = g->t->n_columns;
	char **rest = mem_zalloc(n, sizeof(*rest));
	bool more = true;

	for (size_t k = 0; k < n; k++)
		rest[k] = *grid_cell(g, row, k);
	while (more) {
		struct libscols_line *line;

		line = mem_must(scols_table_new_line(tb, NULL));
		more = false;
		for (size_t k = 0; k < n; k++) {
			const char *text = next_line(&rest[k]);

			if (scols_line_set_data(line, k, text ? text : "") != 0)
				mem_must(NULL);
			more = more || rest[k];
		}
	}
	free(rest);
}

/* The line at `text` without spaces at its end; returns the line after. */
static const char *add_line(struct buf *out, const char *text)
{
	const char *end = strchrnul(text, '\n');
	size_t n = (size_t)(end - text);

	while (n && text[n - 1] == ' ')
		n--;
	buf_add(out, text, n);
	buf_addc(out, '\n');
	return *end ? end + 1 : end;
}

/* All lines, with a rule after the first `header` of them. */
static void add_lines(struct buf *out, const char *text, size_t header)
{
	struct buf trimmed = BUF_INIT;
	const char *p;
	int width;

	while (*text)
		text = add_line(&trimmed, text);
	width = longest(trimmed.data, '\n');
	p = trimmed.data;
	for (size_t i = 1; *p; i++) {
		p = add_line(out, p);
		for (int k = 0; i == header && k < width; k++)
			buf_adds(out, RULE);
		if (i == header)
			buf_addc(out, '\n');
	}
	buf_release(&trimmed);
}

static void add_grid(const struct table *t, int width, struct buf *out)
{
	struct buf lines = BUF_INIT;
	struct libscols_table *tb;
	size_t header;
	struct grid g;
	char *text = NULL;

	grid_init(&g, t);
	if (width > 0)
		grid_fit(&g, width);
	tb = scols_new(&g);
	scols_add_row(tb, &g, 0);
	header = scols_table_get_nlines(tb);
	for (size_t i = 1; i < g.n_rows; i++)
		scols_add_row(tb, &g, i);
	if (scols_print_table_to_string(tb, &text) != 0)
		mem_must(NULL);
	buf_adds(&lines, text);
	buf_addc(&lines, '\n'); /* the last line comes without */
	add_lines(out, lines.data, header);
	buf_release(&lines);
	free(text);
	scols_unref_table(tb);
	grid_release(&g);
}

static void add_wrapped(struct buf *out, const char *text, int width)
{
	char *copy = mem_strdup(text);

	if (width > 0)
		wrap_words(copy, width);
	add_lines(out, copy, 0);
	free(copy);
}

void table_write_text(const struct table *t, int width, struct buf *out)
{
	/* Widths are those of UTF-8 whatever the program's locale is. */
	locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;

	if (t->title)
		add_wrapped(out, t->title, width);
	if (t->n_columns)
		add_grid(t, width, out);
	for (size_t i = 0; i < t->n_notes; i++)
		add_wrapped(out, t->notes[i], width);
	if (utf8) {
		uselocale(before);
		freelocale(utf8);
	}
}
