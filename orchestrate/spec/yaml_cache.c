#include "orchestrate/spec/yaml_cache.h"

#include <stdlib.h>

#include "base/mem.h"
#include "orchestrate/spec/problem.h"
#include "orchestrate/spec/yaml_doc.h"

void yaml_cache_release(struct yaml_cache *c)
{
	for (size_t i = 0; i < c->n; i++) {
		yaml_doc_release(c->items[i]);
		free(c->items[i]);
	}
	free(c->items);
	map_release(&c->docs);
	*c = (struct yaml_cache)YAML_CACHE_INIT;
}

static void rename_marks(struct yaml_doc *d, const char *file)
{
	for (size_t i = 0; i < d->n_nodes; i++) {
		struct yaml_node *node = d->nodes[i];

		node->mark.file = file;
		for (size_t k = 0; k < node->n_pairs; k++)
			node->pairs[k].mark.file = file;
	}
}

const struct yaml_doc *yaml_cache_load(struct yaml_cache *c, const char *file,
				       const char *what, struct problems *p)
{
	struct yaml_doc *doc = map_get(&c->docs, file);
	size_t before = p->total;

	if (doc) {
		rename_marks(doc, file);
		return doc;
	}
	doc = mem_zalloc(1, sizeof(*doc));
	MEM_GROW(c->items, c->n, c->cap);
	c->items[c->n++] = doc;
	if (yaml_doc_load(doc, file, what, p) < 0)
		return NULL;
	if (p->total == before)
		map_put(&c->docs, file, doc);
	return doc;
}
