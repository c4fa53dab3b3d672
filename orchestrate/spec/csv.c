#include "orchestrate/spec/csv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/yaml_text.h"

void csv_init(struct csv *c, const char *file, const char *data, size_t n)
{
	*c = (struct csv){
		.data = data, .n = n, .at = yaml_text_order_mark(data, n),
		.mark = { .file = file, .line = 1, .column = 1 },
		.text = BUF_INIT,
	};
}

void csv_release(struct csv *c)
{
	free(c->fields);
	buf_release(&c->text);
}

static bool at_end(const struct csv *c)
{
	return c->at == c->n;
}

/* The length of the line end that is next, or 0. */
static size_t line_end(const struct csv *c)
{
	const char *s = c->data + c->at;

	if (at_end(c))
		return 0;
	if (*s == '\n')
		return 1;
	return *s == '\r' && c->at + 1 < c->n && s[1] == '\n' ? 2 : 0;
}

static char next(struct csv *c)
{
	char byte = c->data[c->at++];

	if (byte == '\n') {
		c->mark.line++;
		c->mark.column = 1;
	} else if (((unsigned char)byte & 0xc0) != 0x80) {
		c->mark.column++;
	}
	return byte;
}

static bool is(const struct csv *c, char byte)
{
	return !at_end(c) && c->data[c->at] == byte;
}

static int quoted(struct csv *c, struct problems *p)
{
	struct mark start = c->mark;

	next(c);
	for (;;) {
		if (at_end(c))
			return problems_add(p, start,
					    "a quote (\") that nothing "
					    "closes");
		if (!is(c, '"')) {
			buf_addc(&c->text, next(c));
			continue;
		}
		next(c);
		if (!is(c, '"'))
			break;
		buf_addc(&c->text, next(c));
	}
	if (at_end(c) || is(c, ',') || line_end(c))
		return 0;
	return problems_add(p, c->mark,
			    "text behind a closing quote; a quote inside a "
			    "field is written twice (\"\")");
}

static int bare(struct csv *c, struct problems *p)
{
	while (!at_end(c) && !is(c, ',') && !line_end(c)) {
		if (is(c, '"'))
			return problems_add(p, c->mark,
					    "a quote (\") inside a field "
					    "without quotes; put the field "
					    "into quotes and write the quote "
					    "twice");
		buf_addc(&c->text, next(c));
	}
	return 0;
}

/* Texts are set when the buffer has stopped moving. */
static int field(struct csv *c, struct problems *p)
{
	struct csv_field *f;

	MEM_GROW(c->fields, c->n_fields, c->cap_fields);
	f = &c->fields[c->n_fields++];
	f->mark = c->mark;
	if ((is(c, '"') ? quoted(c, p) : bare(c, p)) < 0)
		return -1;
	buf_addc(&c->text, '\0');
	return 0;
}

static void set_texts(struct csv *c)
{
	char *text = c->text.data;

	for (size_t i = 0; i < c->n_fields; i++) {
		c->fields[i].text = text;
		text += strlen(text) + 1;
	}
}

int csv_next(struct csv *c, struct problems *p)
{
	size_t end;

	c->n_fields = 0;
	buf_clear(&c->text);
	while ((end = line_end(c)))
		while (end--)
			next(c);
	if (at_end(c))
		return 0;
	for (;;) {
		if (field(c, p) < 0)
			return -1;
		if (!is(c, ','))
			break;
		next(c);
	}
	for (end = line_end(c); end; end--)
		next(c);
	set_texts(c);
	return 1;
}
