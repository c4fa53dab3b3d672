#include "plot/report/filling.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct filling {
	enum filling_kind kind;
	char *text;
	size_t length;
	struct filling_item {
		char *name; /* NULL in a list */
		struct filling *content;
	} *items;
	size_t n;
	size_t cap;
};

static struct filling *filling_new(enum filling_kind kind)
{
	struct filling *v = mem_zalloc(1, sizeof(*v));

	v->kind = kind;
	return v;
}

struct filling *filling_text_n(const char *text, size_t n)
{
	struct filling *v = filling_new(FILLING_TEXT);

	v->text = mem_alloc(n + 1);
	if (n)
		memcpy(v->text, text, n);
	v->text[n] = '\0';
	v->length = n;
	return v;
}

struct filling *filling_text(const char *text)
{
	return filling_text_n(text, text ? strlen(text) : 0);
}

struct filling *filling_list(void)
{
	return filling_new(FILLING_LIST);
}

struct filling *filling_object(void)
{
	return filling_new(FILLING_OBJECT);
}

static void add_item(struct filling *v, char *name, struct filling *item)
{
	MEM_GROW(v->items, v->n, v->cap);
	v->items[v->n++] = (struct filling_item){ name, item };
}

void filling_push(struct filling *list, struct filling *item)
{
	assert(list->kind == FILLING_LIST);
	add_item(list, NULL, item);
}

static struct filling_item *find(const struct filling *v, const char *name,
			       size_t n)
{
	for (size_t i = 0; i < v->n; i++)
		if (!strncmp(v->items[i].name, name, n) &&
		    !v->items[i].name[n])
			return &v->items[i];
	return NULL;
}

void filling_set(struct filling *object, const char *name,
		 struct filling *item)
{
	struct filling_item *there;

	assert(object->kind == FILLING_OBJECT);
	there = find(object, name, strlen(name));
	if (there) {
		filling_free(there->content);
		there->content = item;
	} else {
		add_item(object, mem_strdup(name), item);
	}
}

void filling_set_text(struct filling *object, const char *name,
		      const char *text)
{
	filling_set(object, name, filling_text(text));
}

void filling_free(struct filling *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < v->n; i++) {
		free(v->items[i].name);
		filling_free(v->items[i].content);
	}
	free(v->items);
	free(v->text);
	free(v);
}

enum filling_kind filling_kind(const struct filling *v)
{
	return v->kind;
}

const char *filling_bytes(const struct filling *v, size_t *n)
{
	assert(v->kind == FILLING_TEXT);
	if (n)
		*n = v->length;
	return v->text;
}

size_t filling_count(const struct filling *list)
{
	assert(list->kind == FILLING_LIST);
	return list->n;
}

const struct filling *filling_at(const struct filling *list, size_t i)
{
	assert(list->kind == FILLING_LIST && i < list->n);
	return list->items[i].content;
}

const struct filling *filling_get(const struct filling *object,
				  const char *name, size_t n)
{
	const struct filling_item *item;

	if (object->kind != FILLING_OBJECT)
		return NULL;
	item = find(object, name, n);
	return item ? item->content : NULL;
}

bool filling_is_true(const struct filling *v)
{
	switch (v->kind) {
	case FILLING_TEXT:
		return v->length > 0;
	case FILLING_LIST:
		return v->n > 0;
	case FILLING_OBJECT:
		return true;
	}
	return false;
}
