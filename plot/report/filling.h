#ifndef PLOT_REPORT_FILLING_H
#define PLOT_REPORT_FILLING_H

#include <stdbool.h>
#include <stddef.h>

/*
 * What fills a template: a tree of texts, lists and objects. A parent owns
 * its children.
 */
enum filling_kind { FILLING_TEXT, FILLING_LIST, FILLING_OBJECT };

struct filling;

struct filling *filling_text(const char *text);     /* copies; NULL is "" */
struct filling *filling_text_n(const char *text, size_t n);
struct filling *filling_list(void);
struct filling *filling_object(void);
void filling_push(struct filling *list, struct filling *item);   /* takes */
/* Takes; a name that is there already gets the new value. */
void filling_set(struct filling *object, const char *name,
		 struct filling *item);
void filling_set_text(struct filling *object, const char *name,
		      const char *text);
void filling_free(struct filling *v);

enum filling_kind filling_kind(const struct filling *v);
/* The bytes of a text; *n may be NULL. NUL-terminated. */
const char *filling_bytes(const struct filling *v, size_t *n);
size_t filling_count(const struct filling *list);
const struct filling *filling_at(const struct filling *list, size_t i);
/* NULL: no object, or no such name. `name` has `n` bytes. */
const struct filling *filling_get(const struct filling *object,
				  const char *name, size_t n);
/* False: the empty text, the empty list. An object is true. */
bool filling_is_true(const struct filling *v);

#endif
