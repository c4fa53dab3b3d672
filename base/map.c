#include "base/map.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct map_slot {
	char *key;
	void *value;
	uint64_t hash;
};

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
static uint64_t hash_of(const char *key)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *key; key++)
		h = (h ^ (unsigned char)*key) * 0x100000001b3u;
	return h;
}

static struct map_slot *find(const struct map *m, const char *key, uint64_t h)
{
	size_t i = h & (m->cap - 1);

	while (m->slots[i].key &&
	       (m->slots[i].hash != h || strcmp(m->slots[i].key, key)))
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

static void grow(struct map *m)
{
	struct map bigger = { .n = m->n, .cap = m->cap ? 2 * m->cap : 16 };

	bigger.slots = mem_zalloc(bigger.cap, sizeof(*bigger.slots));
	for (size_t i = 0; i < m->cap; i++)
		if (m->slots[i].key)
			*find(&bigger, m->slots[i].key, m->slots[i].hash) =
				m->slots[i];
	free(m->slots);
	*m = bigger;
}

void *map_put(struct map *m, const char *key, void *value)
{
	struct map_slot *s;
	uint64_t h = hash_of(key);
	void *old;

	assert(value);
	if (4 * (m->n + 1) > 3 * m->cap)
		grow(m);
	s = find(m, key, h);
	old = s->value;
	if (!s->key) {
		s->key = mem_strdup(key);
		s->hash = h;
		m->n++;
	}
	s->value = value;
	return old;
}

void *map_get(const struct map *m, const char *key)
{
	return m->cap ? find(m, key, hash_of(key))->value : NULL;
}

void map_release(struct map *m)
{
	for (size_t i = 0; i < m->cap; i++)
		free(m->slots[i].key);
	free(m->slots);
	*m = (struct map)MAP_INIT;
}
