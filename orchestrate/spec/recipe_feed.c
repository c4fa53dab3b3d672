#include "orchestrate/spec/recipe_feed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static int by_name(const void *a, const void *b)
{
	const char *const *const *x = a;
	const char *const *const *y = b;

	return strcmp(**x, **y);
}

const void **feed_order(const void *items, size_t n, size_t size)
{
	const void **out = mem_zalloc(n, sizeof(*out));

	for (size_t i = 0; i < n; i++)
		out[i] = (const char *)items + i * size;
	if (n)
		qsort(out, n, sizeof(*out), by_name);
	return out;
}

void feed_tag(struct hash *h, const char *tag, size_t n)
{
	char text[64];

	snprintf(text, sizeof(text), "%s %zu", tag, n);
	hash_add_string(h, text);
}

void feed_number(struct hash *h, double v)
{
	char text[32];

	/* whole: the same text in every locale */
	snprintf(text, sizeof(text), "%" PRId64, (int64_t)(v * 1e6 + 0.5));
	hash_add_string(h, text);
}

static void feed_variable(struct hash *h, const struct variable *v)
{
	hash_add_string(h, v->name);
	hash_add_string(h, v->value);
	feed_lookup(h, v->lookup);
}

static void feed_items(struct hash *h, const char *tag,
		       const struct variable *items, size_t n)
{
	const void **order = feed_order(items, n, sizeof(*items));

	feed_tag(h, tag, n);
	for (size_t i = 0; i < n; i++)
		feed_variable(h, order[i]);
	free(order);
}

void feed_variables(struct hash *h, const struct variable *items, size_t n)
{
	feed_items(h, "variables", items, n);
}

void feed_lookup(struct hash *h, const struct lookup *l)
{
	if (!l)
		return;
	feed_items(h, "look-up", l->cases, l->n_cases);
	feed_tag(h, "else", !!l->otherwise);
	hash_add_string(h, l->otherwise);
	hash_add_string(h, l->by);
}

void feed_optional(struct hash *h, const char *tag, const char *text)
{
	if (!text)
		return;
	feed_tag(h, tag, 1);
	hash_add_string(h, text);
}
