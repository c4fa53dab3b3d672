#ifndef PLOT_REPORT_TEMPLATE_H
#define PLOT_REPORT_TEMPLATE_H

#include "plot/report/filling.h"

struct buf;
struct error;

/*
 * Templates are Mustache (mustache(5)), made strict:
 *
 *	{{name}}                 a text, escaped for HTML
 *	{{{name}}}, {{&name}}    a text as it is
 *	{{#name}}...{{/name}}    once per item of a list; once for an object or
 *	                         a text that is not empty
 *	{{^name}}...{{/name}}    when the list or text is empty
 *	{{! comment}}
 *
 * Inside a section, names are looked up in its object first, then further
 * out; {{a.b}} looks up `a` so and takes its `b`; {{.}} is the item itself.
 * Sections, ends and comments alone on a line take the line with them.
 * Partials and changed delimiters are refused. A name that is not there is an
 * error, not an empty text: a template never drops a number quietly.
 */
#define TEMPLATE_DEPTH_MAX 32 /* sections within sections */

/*
 * Appends to `out`; on error nothing is appended. ERROR_USAGE with
 * "name:line: ..." for unclosed or mismatched sections, unknown names, and
 * templates that would go on forever (4 million tags, 256 MiB).
 */
int template_render(const char *name, const char *text,
		    const struct filling *root, struct buf *out,
		    struct error *err);

#endif
