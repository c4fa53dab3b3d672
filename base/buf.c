#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

char buf_empty[1];

void buf_init(struct buf *b)
{
	b->data = buf_empty;
	b->n = 0;
	b->cap = 0;
}

void buf_release(struct buf *b)
{
	if (b->cap)
		free(b->data);
	buf_init(b);
}

void buf_clear(struct buf *b)
{
	b->n = 0;
	if (b->cap)
		b->data[0] = '\0';
}

void buf_reserve(struct buf *b, size_t extra)
{
	size_t want = b->n + extra + 1;

	if (want <= b->cap)
		return;
	if (want < 2 * b->cap)
		want = 2 * b->cap;
	if (want < 64)
		want = 64;
	b->data = mem_realloc(b->cap ? b->data : NULL, want, 1);
	b->cap = want;
	b->data[b->n] = '\0';
}

void buf_add(struct buf *b, const void *data, size_t n)
{
	if (!n)
		return;
	buf_reserve(b, n);
	memcpy(b->data + b->n, data, n);
	b->n += n;
	b->data[b->n] = '\0';
}

void buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void buf_addc(struct buf *b, char c)
{
	if (b->n + 1 >= b->cap)
		buf_reserve(b, 1);
	b->data[b->n++] = c;
	b->data[b->n] = '\0';
}

void buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
	size_t room = b->cap ? b->cap - b->n : 0;
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(room ? b->data + b->n : NULL, room, fmt, again);
	va_end(again);
	if (n > 0 && (size_t)n >= room) {
		buf_reserve(b, (size_t)n);
		vsnprintf(b->data + b->n, (size_t)n + 1, fmt, ap);
	}
	if (n > 0)
		b->n += (size_t)n;
	else if (room)
		b->data[b->n] = '\0';
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(b, fmt, ap);
	va_end(ap);
}

char *buf_detach(struct buf *b)
{
	char *s = b->cap ? b->data : mem_strdup("");

	buf_init(b);
	return s;
}

void buf_add_shell(struct buf *b, const char *s)
{
	buf_addc(b, '\'');
	for (; *s; s++) {
		if (*s == '\'')
			buf_adds(b, "'\\''");
		else
			buf_addc(b, *s);
	}
	buf_addc(b, '\'');
}

void buf_add_xml(struct buf *b, const char *s)
{
	for (; *s; s++) {
		switch (*s) {
		case '&':
			buf_adds(b, "&amp;");
			break;
		case '<':
			buf_adds(b, "&lt;");
			break;
		case '>':
			buf_adds(b, "&gt;");
			break;
		case '"':
			buf_adds(b, "&quot;");
			break;
		case '\'':
			buf_adds(b, "&#39;");
			break;
		default:
			buf_addc(b, *s);
		}
	}
}
