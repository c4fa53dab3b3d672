#include "orchestrate/spec/problem.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "base/utf8.h"

#define QUOTE_CHARACTERS 48
#define LONGEST_TEXT 800
#define LIST_NAMES 8       /* more are not listed */
#define SUGGEST_AMONG 1000 /* a search in more costs more than it helps */

static void one_line(char *s)
{
	for (; *s; s++)
		if (*s == '\n' || *s == '\r' || *s == '\t')
			*s = ' ';
}

/* At a character's first byte. */
static void cut(struct buf *text)
{
	size_t n = LONGEST_TEXT;

	if (text->n <= n)
		return;
	while (((unsigned char)text->data[n] & 0xc0) == 0x80)
		n--;
	text->n = n;
	buf_adds(text, "...");
}

int problems_add(struct problems *p, struct mark at, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	struct problem *item;
	va_list ap;

	p->total++;
	if (p->n == PROBLEMS_MAX)
		return -1;
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	MEM_GROW(p->items, p->n, p->cap);
	item = &p->items[p->n++];
	item->file = mem_strdup(at.file ? at.file : "");
	item->line = at.line;
	item->column = at.column;
	cut(&text);
	item->text = buf_detach(&text);
	one_line(item->text);
	return -1;
}

const char *problem_quote(char out[PROBLEM_QUOTE_SIZE], const char *s)
{
	size_t n = strlen(s), i = 0;
	struct buf text = BUF_INIT;

	for (unsigned k = 0; i < n && k < QUOTE_CHARACTERS; k++) {
		size_t len = utf8_sequence(s + i, n - i);

		len = len ? len : 1;
		utf8_add_printable(&text, s + i, len);
		i += len;
	}
	if (i < n)
		buf_adds(&text, "...");
	one_line(text.data);
	memcpy(out, text.data, text.n + 1);
	buf_release(&text);
	return out;
}

static void add_known(struct buf *text, const char *what,
		      const struct strlist *known)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	buf_addf(text, " (%ss: ", what);
	for (size_t i = 0; i < known->n; i++)
		buf_addf(text, "%s%s", i ? ", " : "",
			 problem_quote(quoted, known->items[i]));
	buf_adds(text, ")");
}

void problems_add_undefined(struct problems *p, struct mark at,
			    const char *what, const char *word, const char *of,
			    const struct strlist *known)
{
	size_t among = known->n < SUGGEST_AMONG ? known->n : SUGGEST_AMONG;
	struct buf text = BUF_INIT;
	char quoted[PROBLEM_QUOTE_SIZE];
	const char *near;

	if (p->n == PROBLEMS_MAX) {
		p->total++;
		return;
	}
	near = strlist_nearest(word, (const char *const *)known->items, among);
	buf_addf(&text, "there is no %s \"%s\"", what,
		 problem_quote(quoted, word));
	if (of)
		buf_addf(&text, " in %s", of);
	if (near)
		buf_addf(&text, "; did you mean \"%s\"?",
			 problem_quote(quoted, near));
	if (known->n && known->n <= LIST_NAMES)
		add_known(&text, what, known);
	problems_add(p, at, "%s", text.data);
	buf_release(&text);
}

struct ordered {
	struct problem problem;
	size_t i;
};

static int compare(const void *va, const void *vb)
{
	const struct ordered *a = va, *b = vb;
	int c = strcmp(a->problem.file, b->problem.file);

	if (c)
		return c;
	if (a->problem.line != b->problem.line)
		return a->problem.line < b->problem.line ? -1 : 1;
	if (a->problem.column != b->problem.column)
		return a->problem.column < b->problem.column ? -1 : 1;
	return a->i < b->i ? -1 : 1;
}

void problems_sort(struct problems *p)
{
	struct ordered *items = mem_zalloc(p->n, sizeof(*items));

	for (size_t i = 0; i < p->n; i++)
		items[i] = (struct ordered){ p->items[i], i };
	qsort(items, p->n, sizeof(*items), compare);
	for (size_t i = 0; i < p->n; i++)
		p->items[i] = items[i].problem;
	free(items);
}

static bool same(const struct problem *a, const struct problem *b)
{
	return a->line == b->line && a->column == b->column &&
	       !strcmp(a->text, b->text) && !strcmp(a->file, b->file);
}

void problems_unique(struct problems *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (n && same(&p->items[n - 1], &p->items[i])) {
			free(p->items[i].file);
			free(p->items[i].text);
			p->total--;
		} else {
			p->items[n++] = p->items[i];
		}
	}
	p->n = n;
}

void problems_release(struct problems *p)
{
	for (size_t i = 0; i < p->n; i++) {
		free(p->items[i].file);
		free(p->items[i].text);
	}
	free(p->items);
	*p = (struct problems)PROBLEMS_INIT;
}

/* A number and what must be behind it; NULL when that is not there. */
static const char *take_number(const char *s, const char *behind, unsigned *out)
{
	char *end;
	unsigned long v = strtoul(s, &end, 10);

	if (end == s || v > UINT_MAX || strncmp(end, behind, strlen(behind)))
		return NULL;
	*out = (unsigned)v;
	return end + strlen(behind);
}

const char *problem_place(const char *text, struct mark *at)
{
	size_t n = at->file ? strlen(at->file) : 0;
	unsigned line, column;
	const char *rest;

	if (!n || strncmp(text, at->file, n) || text[n] != ':')
		return text;
	rest = take_number(text + n + 1, ":", &line);
	rest = rest ? take_number(rest, ": ", &column) : NULL;
	if (!rest)
		return text;
	at->line = line;
	at->column = column;
	return rest;
}
