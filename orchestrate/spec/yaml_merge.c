#include "orchestrate/spec/yaml_merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"

static struct yaml_node *mapping_new(struct yaml_doc *made,
				     const struct yaml_node *like,
				     size_t room)
{
	struct yaml_node *node = mem_zalloc(1, sizeof(*node));

	node->kind = YAML_MAPPING;
	node->mark = like->mark;
	node->values = 1;
	node->cap_pairs = room;
	node->pairs = mem_zalloc(room, sizeof(*node->pairs));
	MEM_GROW(made->nodes, made->n_nodes, made->cap_nodes);
	made->nodes[made->n_nodes++] = node;
	return node;
}

static void append(struct yaml_node *map, const struct yaml_pair *pair,
		   const struct yaml_node *value)
{
	map->pairs[map->n_pairs++] = (struct yaml_pair){
		.key = mem_strdup(pair->key), .mark = pair->mark,
		.value = value
	};
	map->values += value->values;
	map->bytes += value->bytes + strlen(pair->key);
	if (value->height + 1 > map->height)
		map->height = value->height + 1;
}

/* The nearer pair that goes over this one, and notes that it has a place. */
static const struct yaml_pair *over(const struct map *places,
				    const struct yaml_node *near, bool *placed,
				    const char *key)
{
	const struct yaml_pair *pair = map_get(places, key);

	if (pair)
		placed[pair - near->pairs] = true;
	return pair;
}

static const struct yaml_node *merge_mappings(struct yaml_doc *made,
					      const struct yaml_node *far,
					      const struct yaml_node *near)
{
	struct yaml_node *map =
		mapping_new(made, near, far->n_pairs + near->n_pairs);
	bool *placed = mem_zalloc(near->n_pairs, sizeof(*placed));
	struct map places = MAP_INIT;

	for (size_t i = 0; i < near->n_pairs; i++)
		map_put(&places, near->pairs[i].key, &near->pairs[i]);
	for (size_t i = 0; i < far->n_pairs; i++) {
		const struct yaml_pair *old = &far->pairs[i];
		const struct yaml_pair *new =
			over(&places, near, placed, old->key);

		if (!new)
			append(map, old, old->value);
		else if (!yaml_is_nothing(new->value))
			append(map, new,
			       yaml_merge(made, old->value, new->value));
	}
	for (size_t i = 0; i < near->n_pairs; i++)
		if (!placed[i])
			append(map, &near->pairs[i], near->pairs[i].value);
	map_release(&places);
	free(placed);
	return map;
}

const struct yaml_node *yaml_merge(struct yaml_doc *made,
				   const struct yaml_node *far,
				   const struct yaml_node *near)
{
	if (far->kind != YAML_MAPPING || near->kind != YAML_MAPPING)
		return near;
	return merge_mappings(made, far, near);
}

static bool is_in(const char *const *keys, const char *key)
{
	for (; *keys; keys++)
		if (!strcmp(*keys, key))
			return true;
	return false;
}

const struct yaml_node *yaml_without(struct yaml_doc *made,
				     const struct yaml_node *map,
				     const char *const *keys)
{
	struct yaml_node *out = mapping_new(made, map, map->n_pairs);

	for (size_t i = 0; i < map->n_pairs; i++)
		if (!is_in(keys, map->pairs[i].key))
			append(out, &map->pairs[i], map->pairs[i].value);
	return out;
}

bool yaml_merge_fits(const struct yaml_node *root, struct mark at,
		     const char *what, struct problems *p)
{
	if (root->values <= YAML_DOC_MAX_VALUES &&
	    root->bytes <= YAML_DOC_MAX_TEXT)
		return true;
	problems_add(p, at, "put together, %s is too large: at most %d "
		     "values, %d MiB", what, YAML_DOC_MAX_VALUES,
		     YAML_DOC_MAX_TEXT / (1024 * 1024));
	return false;
}
