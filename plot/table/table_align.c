#include "plot/table/table_align.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "plot/table/table.h"

#define MINUS "\xe2\x88\x92"
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

static char *padded(const char *s, const struct cell_form *f,
		    const struct cell_form *widest,
		    const struct table_pads *pads)
{
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
			pad_after(&b, is - 1, &widest->numbers[k - 1], pads);
		buf_add(&b, text + close, n - close - open);
		if (k && k < f->n)
			pad_before(&b, is, &widest->numbers[k], pads);
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

static void align_column(const struct table *t, size_t column,
			 const struct table_pads *pads, char **cells)
{
	struct cell_form *forms = mem_zalloc(t->n_rows, sizeof(*forms));
	struct cell_form form = { .n = 0 }, widest;
	const char *model = "";

	for (size_t i = 0; i < t->n_rows; i++) {
		scan_cell(cell(t, i, column), &forms[i]);
		if (forms[i].n > form.n) {
			form = forms[i];
			model = cell(t, i, column);
		}
	}
	widest = form;
	for (size_t i = 0; i < t->n_rows; i++) {
		if (!same_form(cell(t, i, column), &forms[i], model, &form))
			forms[i].n = 0;
		for (size_t k = 0; k < forms[i].n; k++)
			widen(&widest.numbers[k], &forms[i].numbers[k]);
	}
	for (size_t i = 0; i < t->n_rows; i++)
		if (forms[i].n)
			cells[i * t->n_columns + column] =
				padded(cell(t, i, column), &forms[i], &widest,
				       pads);
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
