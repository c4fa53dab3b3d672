#include "plot/report/value.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct value {
	enum value_kind kind;
	char *text;
	size_t length;
	struct value_item {
		char *name; /* NULL in a list */
		struct value *value;
	} *items;
	size_t n;
	size_t cap;
};

static struct value *value_new(enum value_kind kind)
{
	struct value *v = mem_zalloc(1, sizeof(*v));

	v->kind = kind;
	return v;
}

struct value *value_text_n(const char *text, size_t n)
{
	struct value *v = value_new(VALUE_TEXT);

	v->text = mem_alloc(n + 1);
	if (n)
		memcpy(v->text, text, n);
	v->text[n] = '\0';
	v->length = n;
	return v;
}

struct value *value_text(const char *text)
{
	return value_text_n(text, text ? strlen(text) : 0);
}

struct value *value_list(void)
{
	return value_new(VALUE_LIST);
}

struct value *value_object(void)
{
	return value_new(VALUE_OBJECT);
}

static void add_item(struct value *v, char *name, struct value *item)
{
	MEM_GROW(v->items, v->n, v->cap);
	v->items[v->n++] = (struct value_item){ name, item };
}

void value_push(struct value *list, struct value *item)
{
	assert(list->kind == VALUE_LIST);
	add_item(list, NULL, item);
}

static struct value_item *find(const struct value *v, const char *name,
			       size_t n)
{
	for (size_t i = 0; i < v->n; i++)
		if (!strncmp(v->items[i].name, name, n) &&
		    !v->items[i].name[n])
			return &v->items[i];
	return NULL;
}

void value_set(struct value *object, const char *name, struct value *item)
{
	struct value_item *there;

	assert(object->kind == VALUE_OBJECT);
	there = find(object, name, strlen(name));
	if (there) {
		value_free(there->value);
		there->value = item;
	} else {
		add_item(object, mem_strdup(name), item);
	}
}

void value_set_text(struct value *object, const char *name, const char *text)
{
	value_set(object, name, value_text(text));
}

void value_free(struct value *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < v->n; i++) {
		free(v->items[i].name);
		value_free(v->items[i].value);
	}
	free(v->items);
	free(v->text);
	free(v);
}

enum value_kind value_kind(const struct value *v)
{
	return v->kind;
}

const char *value_bytes(const struct value *v, size_t *n)
{
	assert(v->kind == VALUE_TEXT);
	if (n)
		*n = v->length;
	return v->text;
}

size_t value_count(const struct value *list)
{
	assert(list->kind == VALUE_LIST);
	return list->n;
}

const struct value *value_at(const struct value *list, size_t i)
{
	assert(list->kind == VALUE_LIST && i < list->n);
	return list->items[i].value;
}

const struct value *value_get(const struct value *object, const char *name,
			      size_t n)
{
	const struct value_item *item;

	if (object->kind != VALUE_OBJECT)
		return NULL;
	item = find(object, name, n);
	return item ? item->value : NULL;
}

bool value_is_true(const struct value *v)
{
	switch (v->kind) {
	case VALUE_TEXT:
		return v->length > 0;
	case VALUE_LIST:
		return v->n > 0;
	case VALUE_OBJECT:
		return true;
	}
	return false;
}
