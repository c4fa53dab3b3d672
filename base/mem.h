#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/*
 * Allocation that never returns NULL: out of memory is reported on standard
 * error and ends the program (exit 3). Free with free().
 */
void *mem_alloc(size_t size);
void *mem_zalloc(size_t n, size_t size); /* zeroed; n * size checked */
void *mem_realloc(void *p, size_t n, size_t size);
char *mem_strdup(const char *s);         /* NULL gives NULL */
char *mem_strndup(const char *s, size_t n);
char *mem_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* What another library allocated: NULL means that memory is out. */
void *mem_must(void *p);

/*
 * Room for one more item at the end of the array `items` that has `n` items
 * and room for `cap`:
 *	MEM_GROW(list->items, list->n, list->cap);
 *	list->items[list->n++] = x;
 */
#define MEM_GROW(items, n, cap)                                             \
	do {                                                                \
		if ((n) + 1 > (cap)) {                                      \
			(cap) = (cap) ? 2 * (cap) : 8;                      \
			(items) = mem_realloc((items), (cap),               \
					      sizeof(*(items)));            \
		}                                                           \
	} while (0)

#endif
