#include "orchestrate/schedule/groups.h"

#include <stdlib.h>

#include "base/mem.h"

struct groups_slot {
	uint64_t code;
	uint32_t id_plus_1; /* 0: free */
};

/* Multiplication by the golden ratio (Knuth, The Art of Computer Programming
 * 6.4): the high bits depend on all of the code's. */
static size_t slot_of(const struct groups *g, uint64_t code)
{
	uint64_t hash = (code ^ (code >> 32)) * 0x9e3779b97f4a7c15u;

	return (size_t)(hash >> 32) & (g->cap - 1);
}

static struct groups_slot *find(const struct groups *g, uint64_t code)
{
	size_t i = slot_of(g, code);

	while (g->slots[i].id_plus_1 && g->slots[i].code != code)
		i = (i + 1) & (g->cap - 1);
	return &g->slots[i];
}

static void grow(struct groups *g)
{
	struct groups_slot *old = g->slots;
	size_t n = g->cap;

	g->cap = n ? 2 * n : 64;
	g->slots = mem_zalloc(g->cap, sizeof(*g->slots));
	for (size_t i = 0; i < n; i++)
		if (old[i].id_plus_1)
			*find(g, old[i].code) = old[i];
	free(old);
}

uint32_t groups_id(struct groups *g, uint64_t code)
{
	struct groups_slot *slot;

	if (2 * ((size_t)g->n + 1) > g->cap)
		grow(g);
	slot = find(g, code);
	if (!slot->id_plus_1)
		*slot = (struct groups_slot){ code, ++g->n };
	return slot->id_plus_1 - 1;
}

void groups_release(struct groups *g)
{
	free(g->slots);
	*g = (struct groups)GROUPS_INIT;
}
