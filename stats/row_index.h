#ifndef STATS_ROW_INDEX_H
#define STATS_ROW_INDEX_H

#include <stddef.h>
#include <stdint.h>

/*
 * Finds rows of numbers by content: a hash table of row numbers over an array
 * of rows that is somebody else's (4 to 8 bytes a row beside it).
 */
struct row_index {
	uint32_t *slots; /* row number + 1, 0 = free; open addressing */
	size_t cap;      /* a power of two, or 0 */
	size_t n;        /* rows in it */
};

#define ROW_INDEX_INIT { .slots = NULL, .cap = 0, .n = 0 }
#define ROW_INDEX_NONE ((size_t)-1)

void row_index_release(struct row_index *ix);

/* The number of the row that is the same, or ROW_INDEX_NONE. */
size_t row_index_find(const struct row_index *ix, const uint16_t *rows,
		      size_t width, const uint16_t *row);
/* Puts row `i` in, unless one that is the same is there: returns the number of
 * the one that is in it now. */
size_t row_index_put(struct row_index *ix, const uint16_t *rows, size_t width,
		     size_t i);
/* Makes it that of rows 0 to n - 1, no two of which are the same. */
void row_index_fill(struct row_index *ix, const uint16_t *rows, size_t width,
		    size_t n);

#endif
