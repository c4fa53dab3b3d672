#ifndef BASE_STRLIST_H
#define BASE_STRLIST_H

#include <stdbool.h>
#include <stddef.h>

/* A list of strings that it owns. */
struct strlist {
	char **items;
	size_t n;
	size_t cap;
};

#define STRLIST_INIT { .items = NULL, .n = 0, .cap = 0 }

void strlist_push(struct strlist *l, const char *s);     /* copies */
void strlist_push_nodup(struct strlist *l, char *s);     /* takes */
bool strlist_has(const struct strlist *l, const char *s);
void strlist_release(struct strlist *l);

/*
 * The candidate nearest to `word` by edit distance (insert, delete, replace,
 * swap neighbours), or NULL when none is near enough to be worth suggesting
 * (at most a third of the longer word, rounded to nearest, and at most 3).
 * NULL entries are skipped.
 */
const char *strlist_nearest(const char *word, const char *const *candidates,
			    size_t n);

#endif
