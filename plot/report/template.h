#ifndef PLOT_REPORT_TEMPLATE_H
#define PLOT_REPORT_TEMPLATE_H

#include <stddef.h>

struct buf;
struct error;

/*
 * Templates are Mustache (mustache(5)): {{name}} escaped for HTML, {{{name}}} as is, {{#name}}..{{/name}}
 * sections over lists and truths, {{^name}}..{{/name}} when empty, {{! comment}}. No logic beyond that.
 */
enum value_kind { VALUE_TEXT, VALUE_LIST, VALUE_OBJECT };

struct value;
struct value *value_text(const char *text);     /* copies */
struct value *value_text_n(const char *text, size_t n);
struct value *value_list(void);
struct value *value_object(void);
void value_push(struct value *list, struct value *item);   /* takes */
void value_set(struct value *object, const char *name, struct value *item); /* takes */
void value_free(struct value *v);

/* ERROR_USAGE with "name:line: ..." for unclosed or mismatched sections and unknown names. */
int template_render(const char *name, const char *text,
		    const struct value *root, struct buf *out,
		    struct error *err);

#endif
