#ifndef PLOT_REPORT_SVG_INLINE_H
#define PLOT_REPORT_SVG_INLINE_H

#include <stddef.h>

struct buf;
struct error;

/* An SVG file that is to become part of an HTML page. */
struct svg_source {
	const char *name;   /* for messages */
	const char *data;
	size_t n;
	const char *alt;    /* becomes aria-label */
	const char *prefix; /* put in front of every id: ids are the page's */
};

/*
 * Appends the svg element without XML declaration, document type and
 * comments, with role="img" and aria-label. ERROR_USAGE when it is not SVG or
 * does not belong into a page that wants nothing from outside: scripts,
 * styles (they would reach the whole page), HTML elements, links to other
 * files.
 */
int svg_inline(const struct svg_source *svg, struct buf *out,
	       struct error *err);

#endif
