#ifndef PLOT_REPORT_VALUE_H
#define PLOT_REPORT_VALUE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The data of a template: a tree of texts, lists and objects. A parent owns
 * its children.
 */
enum value_kind { VALUE_TEXT, VALUE_LIST, VALUE_OBJECT };

struct value;

struct value *value_text(const char *text);     /* copies; NULL is "" */
struct value *value_text_n(const char *text, size_t n);
struct value *value_list(void);
struct value *value_object(void);
void value_push(struct value *list, struct value *item);   /* takes */
/* Takes; a name that is there already gets the new value. */
void value_set(struct value *object, const char *name, struct value *item);
void value_set_text(struct value *object, const char *name, const char *text);
void value_free(struct value *v);

enum value_kind value_kind(const struct value *v);
/* The bytes of a text; *n may be NULL. NUL-terminated. */
const char *value_bytes(const struct value *v, size_t *n);
size_t value_count(const struct value *list);
const struct value *value_at(const struct value *list, size_t i);
/* NULL: no object, or no such name. `name` has `n` bytes. */
const struct value *value_get(const struct value *object, const char *name,
			      size_t n);
/* False: the empty text, the empty list. An object is true. */
bool value_is_true(const struct value *v);

#endif
