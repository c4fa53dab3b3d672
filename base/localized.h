#ifndef BASE_LOCALIZED_H
#define BASE_LOCALIZED_H

#include <stddef.h>

/* One text in several languages; a plain text has one item, language "". */
struct localized {
	struct localized_item {
		char *language; /* BCP 47, "" = any */
		char *text;
	} *items;
	size_t n;
	size_t cap;
};

#define LOCALIZED_INIT { .items = NULL, .n = 0, .cap = 0 }

void localized_add(struct localized *l, const char *language,
		   const char *text);
/* Exact language, else "", else the first; NULL when there is none. */
const char *localized_get(const struct localized *l, const char *language);
void localized_release(struct localized *l);

#endif
