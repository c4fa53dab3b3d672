#include "plot/report/content.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct content {
	enum content_kind kind;
	char *text;
	size_t length;
	struct content_item {
		char *name; /* NULL in a list */
		struct content *content;
	} *items;
	size_t n;
	size_t cap;
};

static struct content *content_new(enum content_kind kind)
{
	struct content *v = mem_zalloc(1, sizeof(*v));

	v->kind = kind;
	return v;
}

struct content *content_text_n(const char *text, size_t n)
{
	struct content *v = content_new(CONTENT_TEXT);

	v->text = mem_alloc(n + 1);
	if (n)
		memcpy(v->text, text, n);
	v->text[n] = '\0';
	v->length = n;
	return v;
}

struct content *content_text(const char *text)
{
	return content_text_n(text, text ? strlen(text) : 0);
}

struct content *content_list(void)
{
	return content_new(CONTENT_LIST);
}

struct content *content_object(void)
{
	return content_new(CONTENT_OBJECT);
}

static void add_item(struct content *v, char *name, struct content *item)
{
	MEM_GROW(v->items, v->n, v->cap);
	v->items[v->n++] = (struct content_item){ name, item };
}

void content_push(struct content *list, struct content *item)
{
	assert(list->kind == CONTENT_LIST);
	add_item(list, NULL, item);
}

static struct content_item *find(const struct content *v, const char *name,
			       size_t n)
{
	for (size_t i = 0; i < v->n; i++)
		if (!strncmp(v->items[i].name, name, n) &&
		    !v->items[i].name[n])
			return &v->items[i];
	return NULL;
}

void content_set(struct content *object, const char *name, struct content *item)
{
	struct content_item *there;

	assert(object->kind == CONTENT_OBJECT);
	there = find(object, name, strlen(name));
	if (there) {
		content_free(there->content);
		there->content = item;
	} else {
		add_item(object, mem_strdup(name), item);
	}
}

void content_set_text(struct content *object, const char *name, const char *text)
{
	content_set(object, name, content_text(text));
}

void content_free(struct content *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < v->n; i++) {
		free(v->items[i].name);
		content_free(v->items[i].content);
	}
	free(v->items);
	free(v->text);
	free(v);
}

enum content_kind content_kind(const struct content *v)
{
	return v->kind;
}

const char *content_bytes(const struct content *v, size_t *n)
{
	assert(v->kind == CONTENT_TEXT);
	if (n)
		*n = v->length;
	return v->text;
}

size_t content_count(const struct content *list)
{
	assert(list->kind == CONTENT_LIST);
	return list->n;
}

const struct content *content_at(const struct content *list, size_t i)
{
	assert(list->kind == CONTENT_LIST && i < list->n);
	return list->items[i].content;
}

const struct content *content_get(const struct content *object, const char *name,
			      size_t n)
{
	const struct content_item *item;

	if (object->kind != CONTENT_OBJECT)
		return NULL;
	item = find(object, name, n);
	return item ? item->content : NULL;
}

bool content_is_true(const struct content *v)
{
	switch (v->kind) {
	case CONTENT_TEXT:
		return v->length > 0;
	case CONTENT_LIST:
		return v->n > 0;
	case CONTENT_OBJECT:
		return true;
	}
	return false;
}
