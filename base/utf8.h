#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/*
 * The length (1 to 4) of the well-formed UTF-8 sequence at `s`, or 0 when
 * there is none within `n` bytes (RFC 3629: no surrogates, no overlong forms,
 * nothing above U+10FFFF).
 */
size_t utf8_sequence(const char *s, size_t n);

/* Whether all `n` bytes are UTF-8; else *bad is the offset of the first that
 * is not (`bad` may be NULL). */
bool utf8_valid(const char *s, size_t n, size_t *bad);

/*
 * Appends `n` bytes as text fit for a terminal or a page: U+FFFD for each
 * byte that is not UTF-8, U+2400.. pictures for control characters except
 * newline and tab (NUL becomes U+2400), U+FFFD for U+0080 to U+009F: some
 * terminals take those for escape sequences.
 */
void utf8_add_printable(struct buf *out, const char *s, size_t n);

#endif
