#ifndef SPEC_TAGS_H
#define SPEC_TAGS_H

#include <stdbool.h>
#include <stddef.h>

struct error;

/*
 * Expressions over tags:
 *
 *	network and not (slow or needs-root)
 *
 * "not" binds closest, then "and", then "or". A tag is a name
 * ([A-Za-z0-9_][A-Za-z0-9._-]*) but those three words.
 */

/* Whether a thing has the tag, of n bytes. Asked for every tag in the
 * expression. */
typedef bool tag_is_there(void *ctx, const char *tag, size_t n);

/* 1 or 0; -1 when the text is no expression: ERROR_USAGE "column 3: ...". */
int tags_match(const char *expression, tag_is_there *has, void *ctx,
	       struct error *err);

#endif
