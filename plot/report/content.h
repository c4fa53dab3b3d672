#ifndef PLOT_REPORT_CONTENT_H
#define PLOT_REPORT_CONTENT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The data of a template: a tree of texts, lists and objects. A parent owns
 * its children.
 */
enum content_kind { CONTENT_TEXT, CONTENT_LIST, CONTENT_OBJECT };

struct content;

struct content *content_text(const char *text);     /* copies; NULL is "" */
struct content *content_text_n(const char *text, size_t n);
struct content *content_list(void);
struct content *content_object(void);
void content_push(struct content *list, struct content *item);   /* takes */
/* Takes; a name that is there already gets the new value. */
void content_set(struct content *object, const char *name, struct content *item);
void content_set_text(struct content *object, const char *name, const char *text);
void content_free(struct content *v);

enum content_kind content_kind(const struct content *v);
/* The bytes of a text; *n may be NULL. NUL-terminated. */
const char *content_bytes(const struct content *v, size_t *n);
size_t content_count(const struct content *list);
const struct content *content_at(const struct content *list, size_t i);
/* NULL: no object, or no such name. `name` has `n` bytes. */
const struct content *content_get(const struct content *object, const char *name,
			      size_t n);
/* False: the empty text, the empty list. An object is true. */
bool content_is_true(const struct content *v);

#endif
