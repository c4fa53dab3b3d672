#ifndef PLOT_REPORT_DOCUMENT_H
#define PLOT_REPORT_DOCUMENT_H

#include <stddef.h>

#include "plot/provenance.h"

struct buf;
struct error;
struct table;

/*
 * A report as parts in order; the template decides how it looks. Strings are
 * copied and made printable (what is not UTF-8 becomes U+FFFD); the provenance
 * is copied; tables and SVG bytes are borrowed until the document is written.
 */
struct document;

struct document *document_new(const char *title, const char *language,
			      const struct provenance *p);
void document_free(struct document *d);
/* Opens a section: what follows belongs to it. */
void document_heading(struct document *d, const char *text);
void document_paragraph(struct document *d, const char *text);
/* A list of sentences. */
void document_list(struct document *d, const char *const *items, size_t n);
void document_table(struct document *d, const struct table *t);
/* Inline SVG; alt is read to those who do not see it. */
void document_figure(struct document *d, const char *name, const char *svg,
		     size_t n, const char *alt, const char *caption);
/* A source listing (the experiment file). */
void document_listing(struct document *d, const char *name, const char *text);

/*
 * Renders with a template (text of report-templates/NAME.html: see template.h
 * for the language, report-templates/README.md for the names) as one HTML
 * page without any outside resource, appended to `out`; deterministic.
 * ERROR_USAGE with template:line when the template is wrong, with the figure's
 * name when its SVG is none, or is not fit for a page of its own (scripts,
 * links to other files).
 */
int document_write_html(const struct document *d, const char *template_name,
			const char *template_text, struct buf *out,
			struct error *err);

#endif
