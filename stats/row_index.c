#include "stats/row_index.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void row_index_release(struct row_index *ix)
{
	free(ix->slots);
	*ix = (struct row_index)ROW_INDEX_INIT;
}

/* Multiply and fold, then the finalizer of SplitMix64: neighbouring rows must
 * not end up in neighbouring slots of a table that is half full. */
static uint64_t hash_of(const uint16_t *row, size_t width)
{
	uint64_t h = width;

	for (size_t i = 0; i < width; i++)
		h = (h ^ row[i]) * 0x9e3779b97f4a7c15u;
	h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
	return h ^ (h >> 31);
}

/* Where the row is, or the free slot where it belongs. */
static uint32_t *slot_of(const struct row_index *ix, const uint16_t *rows,
			 size_t width, const uint16_t *row)
{
	size_t i = hash_of(row, width) & (ix->cap - 1);

	while (ix->slots[i] &&
	       memcmp(rows + (ix->slots[i] - 1) * width, row,
		      width * sizeof(*row)))
		i = (i + 1) & (ix->cap - 1);
	return &ix->slots[i];
}

size_t row_index_find(const struct row_index *ix, const uint16_t *rows,
		      size_t width, const uint16_t *row)
{
	uint32_t slot = ix->n ? *slot_of(ix, rows, width, row) : 0;

	return slot ? slot - 1 : ROW_INDEX_NONE;
}

/* Room for n rows at three quarters full. */
static void resize(struct row_index *ix, const uint16_t *rows, size_t width,
		   size_t n)
{
	struct row_index old = *ix;

	ix->cap = 16;
	while (3 * ix->cap < 4 * n)
		ix->cap *= 2;
	ix->slots = mem_zalloc(ix->cap, sizeof(*ix->slots));
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i])
			*slot_of(ix, rows, width,
				 rows + (old.slots[i] - 1) * width) =
				old.slots[i];
	free(old.slots);
}

size_t row_index_put(struct row_index *ix, const uint16_t *rows, size_t width,
		     size_t i)
{
	uint32_t *slot;

	assert(i < UINT32_MAX);
	if (4 * (ix->n + 1) > 3 * ix->cap)
		resize(ix, rows, width, 2 * (ix->n + 1));
	slot = slot_of(ix, rows, width, rows + i * width);
	if (*slot)
		return *slot - 1;
	*slot = (uint32_t)i + 1;
	ix->n++;
	return i;
}

void row_index_fill(struct row_index *ix, const uint16_t *rows, size_t width,
		    size_t n)
{
	row_index_release(ix);
	resize(ix, rows, width, n);
	for (size_t i = 0; i < n; i++)
		row_index_put(ix, rows, width, i);
}
