#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>

/*
 * A growing byte buffer. `data` is always NUL-terminated one past `n` (once
 * something was added; an empty buffer has data = ""), and may hold NULs.
 */
struct buf {
	char *data;
	size_t n;
	size_t cap;
};

extern char buf_empty[1];
#define BUF_INIT { .data = buf_empty, .n = 0, .cap = 0 }

void buf_init(struct buf *b);
void buf_release(struct buf *b); /* frees and re-initialises */
void buf_clear(struct buf *b);   /* n = 0, keeps the memory */
void buf_reserve(struct buf *b, size_t extra);
void buf_add(struct buf *b, const void *data, size_t n);
void buf_adds(struct buf *b, const char *s);
void buf_addc(struct buf *b, char c);
void buf_addf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void buf_vaddf(struct buf *b, const char *fmt, va_list ap);

/* The string, owned by the caller now (free()); the buffer starts anew. */
char *buf_detach(struct buf *b);

/*
 * Appends `s` quoted for a POSIX shell: 'it'\''s'. The result is exactly one
 * word whatever `s` holds (NUL ends it).
 */
void buf_add_shell(struct buf *b, const char *s);

/* Appends `s` escaped for text or attribute values of HTML and XML. */
void buf_add_xml(struct buf *b, const char *s);

#endif
