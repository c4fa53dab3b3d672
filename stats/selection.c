#include "stats/selection.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "stats/design.h"
#include "stats/frame.h"

void selection_build(struct selection *s, const struct frame *f,
		     const struct design *d)
{
	struct map keys = MAP_INIT;
	struct buf key = BUF_INIT;

	s->n = d->n_treatments;
	s->key = mem_realloc(NULL, s->n, sizeof(*s->key));
	s->others = f->n_keys;
	for (size_t k = 0; k < f->n_keys; k++)
		map_put(&keys, f->keys[k], &f->keys[k]);
	for (size_t t = 0; t < s->n; t++) {
		char **found;

		buf_clear(&key);
		treatment_key(d, t, &key);
		found = map_get(&keys, key.data);
		s->key[t] = found ? (size_t)(found - f->keys) : SELECTION_NONE;
		if (found)
			s->others--;
	}
	buf_release(&key);
	map_release(&keys);
}

void selection_release(struct selection *s)
{
	free(s->key);
	memset(s, 0, sizeof(*s));
}

size_t selection_mark(const struct selection *s, const struct frame *f,
		      const struct design *d, const struct setting *settings,
		      size_t n, bool *selected)
{
	size_t marked = 0;

	for (size_t k = 0; k < f->n_keys; k++)
		selected[k] = false;
	for (size_t t = 0; t < s->n; t++) {
		if (s->key[t] == SELECTION_NONE ||
		    !design_has(d, t, settings, n))
			continue;
		selected[s->key[t]] = true;
		marked++;
	}
	return marked;
}
