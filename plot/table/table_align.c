#include "plot/table/table_align.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "plot/table/table.h"

#define MINUS "\xe2\x88\x92"
#define EN_DASH "\xe2\x80\x93"
#define INFINITE "\xe2\x88\x9e"
#define THIN_SPACE "\xe2\x80\xaf"

#define NUMBERS_MAX 4

/* A number within a cell: [minus] digits and groups [. digits] */
struct number_span {
	size_t start;
	size_t length;
	size_t point; /* offset where the point is, or would be */
	int minus;
	int digits;
	int groups;
	int decimals; /* -1: no point */
};

struct cell_form {
	struct number_span numbers[NUMBERS_MAX];
	size_t n;
};

/* What the cells of a column should look like: the richest one. */
struct column_form {
	const char *model;
	struct cell_form form;
	struct cell_form widest; /* over all cells of this form */
};

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t starts(const char *s, const char *what)
{
	size_t n = strlen(what);

	return strncmp(s, what, n) ? 0 : n;
}

/* Whether a number starts at s[at]; fills `span`. */
static bool scan_number(const char *s, size_t at, struct number_span *span)
{
	size_t i = at, n;

	*span = (struct number_span){ .start = at, .decimals = -1 };
	n = starts(s + i, MINUS);
	span->minus = n > 0;
	i += n;
	n = starts(s + i, INFINITE);
	if (n) {
		i += n;
		span->digits = 1;
	}
	while (!n && digit(s[i])) {
		span->digits++;
		i++;
		if (starts(s + i, THIN_SPACE) && digit(s[i + 3])) {
			span->groups++;
			i += 3;
		}
	}
	if (!span->digits)
		return false;
	span->point = i;
	if (!n && s[i] == '.' && digit(s[i + 1])) {
		span->decimals = 0;
		for (i++; digit(s[i]); i++)
			span->decimals++;
	}
	span->length = i - at;
	return true;
}

/* Finds the numbers; a cell that does not begin with one has none. */
static void scan_cell(const char *s, struct cell_form *form)
{
	form->n = 0;
	if (!strcmp(s, EN_DASH)) {
		form->numbers[form->n++] = (struct number_span){
			.length = strlen(s), .digits = 1, .decimals = -1
		};
		return;
	}
	for (size_t i = *s == '('; s[i];) {
		struct number_span *span = &form->numbers[form->n];

		if (form->n < NUMBERS_MAX && scan_number(s, i, span)) {
			form->n++;
			i = span->start + span->length;
			continue;
		}
		if (!form->n)
			return;
		i++;
	}
}

/* The text in front of number k (or, for k = n, after the last one). */
static size_t between(const char *s, const struct cell_form *f, size_t k,
		      const char **text)
{
	size_t from = k ? f->numbers[k - 1].start + f->numbers[k - 1].length
			: 0;

	*text = s + from;
	return (k < f->n ? f->numbers[k].start : strlen(s)) - from;
}

/* Same count of numbers and same words between them. */
static bool same_form(const char *a, const struct cell_form *fa,
		      const char *b, const struct cell_form *fb)
{
	if (fa->n != fb->n)
		return false;
	for (size_t k = 0; k <= fa->n; k++) {
		const char *ta, *tb;
		size_t na = between(a, fa, k, &ta);
		size_t nb = between(b, fb, k, &tb);

		if (na != nb || memcmp(ta, tb, na) != 0)
			return false;
	}
	return true;
}

/* A number and nothing else, in a column whose cells begin with one. */
static bool is_lone(const char *s, const struct cell_form *f,
		    const struct column_form *column)
{
	return f->n == 1 && f->numbers[0].length == strlen(s) &&
	       !column->form.numbers[0].start;
}

static int max(int a, int b)
{
	return a > b ? a : b;
}

static void widen(struct number_span *widest, const struct number_span *span)
{
	widest->minus = max(widest->minus, span->minus);
	widest->digits = max(widest->digits, span->digits);
	widest->groups = max(widest->groups, span->groups);
	widest->decimals = max(widest->decimals, span->decimals);
}

static void pad(struct buf *out, const char *with, int n)
{
	for (int i = 0; i < n; i++)
		buf_adds(out, with);
}

/* In front of a number; the first is flush right anyway. */
static void pad_before(struct buf *out, const struct number_span *is,
		       const struct number_span *most,
		       const struct table_pads *pads)
{
	pad(out, pads->digit,
	    most->minus - is->minus + most->digits - is->digits);
	pad(out, pads->group, most->groups - is->groups);
}

/* Behind a number. */
static void pad_after(struct buf *out, const struct number_span *is,
		      const struct number_span *most,
		      const struct table_pads *pads)
{
	if (is->decimals < 0 && most->decimals >= 0)
		buf_adds(out, pads->point);
	pad(out, pads->digit, max(most->decimals, 0) - max(is->decimals, 0));
}

static void pad_text(struct buf *out, const char *text, size_t n,
		     const struct table_pads *pads)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == ' ')
			buf_adds(out, pads->space);
		else if (text[i] == ',')
			buf_adds(out, pads->point);
		else if (strchr("[]()", text[i]))
			buf_adds(out, pads->bracket);
		else if ((text[i] & 0xc0) != 0x80) /* a character's first */
			buf_adds(out, pads->digit);
	}
}

/* The whole width of number k. */
static void pad_number(struct buf *out, const struct number_span *most,
		       const struct table_pads *pads)
{
	const struct number_span none = { .decimals = -1 };

	pad_before(out, &none, most, pads);
	pad_after(out, &none, most, pads);
}

/* A lone number: blank where the others have more. */
static char *padded_lone(const char *s, const struct cell_form *f,
			 const struct column_form *column,
			 const struct table_pads *pads)
{
	const struct number_span *most = column->widest.numbers;
	struct buf b = BUF_INIT;

	buf_adds(&b, s);
	pad_after(&b, &f->numbers[0], &most[0], pads);
	for (size_t k = 1; k <= column->form.n; k++) {
		const char *text;
		size_t n = between(column->model, &column->form, k, &text);

		pad_text(&b, text, n, pads);
		if (k < column->form.n)
			pad_number(&b, &most[k], pads);
	}
	return buf_detach(&b);
}

static char *padded(const char *s, const struct cell_form *f,
		    const struct column_form *column,
		    const struct table_pads *pads)
{
	const struct number_span *most = column->widest.numbers;
	struct buf b = BUF_INIT;

	for (size_t k = 0; k <= f->n; k++) {
		const struct number_span *is = &f->numbers[k];
		const char *text;
		size_t n = between(s, f, k, &text);
		/* commas and brackets stay with their numbers */
		size_t close = k && n && strchr(",])", *text) ? 1 : 0;
		size_t open = n > close && text[n - 1] == '[' ? 1 : 0;

		buf_add(&b, text, close);
		if (k)
			pad_after(&b, is - 1, &most[k - 1], pads);
		buf_add(&b, text + close, n - close - open);
		if (k && k < f->n)
			pad_before(&b, is, &most[k], pads);
		buf_add(&b, text + n - open, open);
		if (k < f->n)
			buf_add(&b, s + is->start, is->length);
	}
	return buf_detach(&b);
}

static const char *cell(const struct table *t, size_t row, size_t column)
{
	return t->cells[row * t->n_columns + column];
}

static void find_form(const struct table *t, size_t column,
		      const struct cell_form *forms, struct column_form *out)
{
	*out = (struct column_form){ .model = "" };
	for (size_t i = 0; i < t->n_rows; i++) {
		if (forms[i].n > out->form.n) {
			out->model = cell(t, i, column);
			out->form = forms[i];
		}
	}
	out->widest = out->form;
	for (size_t i = 0; i < t->n_rows; i++) {
		const char *s = cell(t, i, column);

		if (!same_form(s, &forms[i], out->model, &out->form) &&
		    !is_lone(s, &forms[i], out))
			continue;
		for (size_t k = 0; k < forms[i].n; k++)
			widen(&out->widest.numbers[k], &forms[i].numbers[k]);
	}
}

static void align_column(const struct table *t, size_t column,
			 const struct table_pads *pads, char **cells)
{
	struct cell_form *forms = mem_zalloc(t->n_rows, sizeof(*forms));
	struct column_form c;

	for (size_t i = 0; i < t->n_rows; i++)
		scan_cell(cell(t, i, column), &forms[i]);
	find_form(t, column, forms, &c);
	for (size_t i = 0; i < t->n_rows; i++) {
		const char *s = cell(t, i, column);
		char **out = &cells[i * t->n_columns + column];

		if (same_form(s, &forms[i], c.model, &c.form))
			*out = padded(s, &forms[i], &c, pads);
		else if (is_lone(s, &forms[i], &c))
			*out = padded_lone(s, &forms[i], &c, pads);
	}
	free(forms);
}

char **table_align(const struct table *t, const struct table_pads *pads)
{
	size_t n = t->n_rows * t->n_columns;
	char **cells = mem_zalloc(n, sizeof(*cells));

	for (size_t k = 0; k < t->n_columns; k++)
		if (t->columns[k].align == TABLE_RIGHT)
			align_column(t, k, pads, cells);
	for (size_t i = 0; i < n; i++)
		if (!cells[i])
			cells[i] = mem_strdup(t->cells[i]);
	return cells;
}

void table_align_free(const struct table *t, char **cells)
{
	for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
		free(cells[i]);
	free(cells);
}
