#ifndef SPEC_VALUE_H
#define SPEC_VALUE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Texts to numbers, the same in every locale. A decimal has at most 15
 * significant digits, so that it is exact to the last one. All return whether
 * the whole text is one.
 */
bool value_count(const char *text, uint64_t *out);    /* 0 .. 2^64 - 1 */
bool value_bool(const char *text, bool *out);         /* true, false */
/* "90", "90s", "5m", "1.5h", "250ms": seconds */
bool value_duration(const char *text, double *out);
/* "1%" or "0.01" */
bool value_share(const char *text, double *out);

/* Whether the text of a variable is known only once others are (variable.h):
 * "= EXPR", or text with ${NAME} in it. */
bool value_is_computed(const char *text);

#endif
