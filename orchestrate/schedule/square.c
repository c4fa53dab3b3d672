#include "orchestrate/schedule/square.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/random.h"

static uint32_t *in_order(size_t k)
{
	uint32_t *items = mem_realloc(NULL, k, sizeof(*items));

	for (size_t i = 0; i < k; i++)
		items[i] = (uint32_t)i;
	return items;
}

void square_init(struct square *s, size_t k)
{
	*s = (struct square){
		.k = k,
		.row = in_order(k),
		.column = in_order(k),
		.letter = in_order(k),
	};
}

void square_release(struct square *s)
{
	free(s->row);
	free(s->column);
	free(s->letter);
	memset(s, 0, sizeof(*s));
}

static void draw(uint32_t *items, size_t k, struct random *r)
{
	for (size_t i = 0; i < k; i++)
		items[i] = (uint32_t)i;
	random_shuffle(r, items, k);
}

void square_draw(struct square *s, struct random *r)
{
	draw(s->row, s->k, r);
	draw(s->column, s->k, r);
	draw(s->letter, s->k, r);
}

size_t square_row(const struct square *s, size_t column, size_t letter)
{
	size_t place = s->letter[letter] + s->k - s->column[column];

	return s->row[place % s->k];
}
