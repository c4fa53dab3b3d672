#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stddef.h>

/*
 * A hash map from strings (copied) to pointers (borrowed). Open addressing,
 * FNV-1a; made for plans of a million keys.
 */
struct map {
	struct map_slot *slots;
	size_t n;
	size_t cap;
};

#define MAP_INIT { .slots = NULL, .n = 0, .cap = 0 }

/* Returns the previous value, or NULL. `value` may not be NULL. */
void *map_put(struct map *m, const char *key, void *value);
void *map_get(const struct map *m, const char *key); /* NULL: not there */
void map_release(struct map *m);

#endif
