#include "plot/table/table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

static bool word_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* Whether s[i] would be markup: block_kib and [1.2, 3.4] need no escapes. */
static bool is_markup(const char *s, size_t i)
{
	switch (s[i]) {
	case '\\':
	case '`':
	case '*':
	case '<':
	case '>':
	case '~':
	case '|':
		return true;
	case '_':
		return !i || !word_char(s[i - 1]) || !word_char(s[i + 1]);
	case '&':
		return s[i + 1] == '#' || word_char(s[i + 1]);
	case ']':
		return s[i + 1] == '(' || s[i + 1] == '[' || s[i + 1] == ':';
	case '!':
		return s[i + 1] == '[';
	default:
		return false;
	}
}

static void add_inline(struct buf *out, const char *s)
{
	for (size_t i = 0; s[i]; i++) {
		if (is_markup(s, i))
			buf_addc(out, '\\');
		buf_addc(out, s[i]);
	}
}

/* As add_inline, where a line begins: "1. " or "#" would open a block. */
static void add_line(struct buf *out, const char *s)
{
	size_t digits;

	s += strspn(s, " ");
	digits = strspn(s, "0123456789");
	if (digits && (s[digits] == '.' || s[digits] == ')')) {
		buf_add(out, s, digits);
		buf_addc(out, '\\');
		s += digits;
		buf_addc(out, *s++);
	} else if (*s && strchr("#+-=", *s)) {
		buf_addc(out, '\\');
		buf_addc(out, *s++);
	}
	add_inline(out, s);
}

/* Characters, near enough to columns for a source that people may read. */
static size_t characters(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += (*s & 0xc0) != 0x80;
	return n;
}

static void add_padding(struct buf *out, char c, size_t n)
{
	while (n--)
		buf_addc(out, c);
}

static void add_cell(struct buf *out, const char *text, size_t width,
		     enum table_align align)
{
	size_t space = width - characters(text);

	buf_adds(out, "| ");
	if (align == TABLE_RIGHT)
		add_padding(out, ' ', space);
	buf_adds(out, text);
	if (align == TABLE_LEFT)
		add_padding(out, ' ', space);
	buf_addc(out, ' ');
}

/* The escaped header and cells, row-major with the header as row 0. */
static char **escaped(const struct table *t)
{
	size_t n = t->n_columns;
	char **texts = mem_zalloc((t->n_rows + 1) * n, sizeof(*texts));

	for (size_t i = 0; i < (t->n_rows + 1) * n; i++) {
		struct buf b = BUF_INIT;

		add_inline(&b, i < n ? t->columns[i].header
				     : t->cells[i - n]);
		texts[i] = buf_detach(&b);
	}
	return texts;
}

static void add_rule(const struct table *t, const size_t *widths,
		     struct buf *out)
{
	for (size_t k = 0; k < t->n_columns; k++) {
		buf_adds(out, "| ");
		add_padding(out, '-', widths[k] - 1);
		buf_addc(out, t->columns[k].align == TABLE_RIGHT ? ':' : '-');
		buf_addc(out, ' ');
	}
	buf_adds(out, "|\n");
}

static void add_grid(const struct table *t, struct buf *out)
{
	size_t n = t->n_columns;
	size_t *widths = mem_zalloc(n, sizeof(*widths));
	char **texts = escaped(t);

	for (size_t k = 0; k < n; k++)
		widths[k] = 3;
	for (size_t i = 0; i < (t->n_rows + 1) * n; i++)
		if (characters(texts[i]) > widths[i % n])
			widths[i % n] = characters(texts[i]);
	for (size_t i = 0; i < (t->n_rows + 1) * n; i++) {
		add_cell(out, texts[i], widths[i % n],
			 t->columns[i % n].align);
		if (i % n == n - 1)
			buf_adds(out, "|\n");
		if (i == n - 1)
			add_rule(t, widths, out);
		free(texts[i]);
	}
	free(texts);
	free(widths);
}

static void add_provenance(const struct provenance *p, struct buf *out)
{
	buf_adds(out, "\nExperiment ");
	add_inline(out, p->experiment);
	if (*p->commit)
		buf_addf(out, "; commit `%s`", p->commit);
	else
		buf_adds(out, "; not in a git repository");
	buf_addf(out, "; campaign `%s`; data `%s`; assay %s.\n", p->campaign,
		 p->digest, p->version);
}

void table_write_markdown(const struct table *t, const struct provenance *p,
			  struct buf *out)
{
	if (t->title) {
		buf_adds(out, "**");
		add_inline(out, t->title);
		buf_adds(out, "**\n\n");
	}
	if (t->n_columns)
		add_grid(t, out);
	for (size_t i = 0; i < t->n_notes; i++) {
		buf_adds(out, i ? "- " : "\n- ");
		add_line(out, t->notes[i]);
		buf_addc(out, '\n');
	}
	if (p)
		add_provenance(p, out);
}
