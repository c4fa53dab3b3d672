#ifndef PLOT_CHART_CANVAS_H
#define PLOT_CHART_CANVAS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "plot/chart/colour.h"
#include "plot/chart/figure.h"
#include "plot/chart/theme.h"

struct buf;
struct _cairo;

/*
 * A page to draw on; points, origin in the upper left corner. It remembers
 * its first fault and ignores what is drawn after it, so that drawing code
 * need not check: canvas_finish() reports it once.
 */
struct canvas;

/* x, y: the corner nearest to the origin */
struct rect {
	double x, y, width, height;
};

/* Goes into a PDF's document information; strings borrowed. */
struct canvas_info {
	const char *title;
	const char *subject;
	const char *keywords;
	const char *creator;
};

/* The page's bytes are appended to `out`, which outlives the canvas. */
struct canvas *canvas_new(enum figure_format format, double width,
			  double height, const struct canvas_info *info,
			  const struct colour *paper, struct buf *out);
void canvas_free(struct canvas *c);
/* Completes the bytes; the first fault of all, if any. */
int canvas_finish(struct canvas *c, struct error *err);
bool canvas_failed(const struct canvas *c);
void canvas_fail(struct canvas *c, enum error_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void canvas_fill(struct canvas *c, const struct rect *r,
		 const struct colour *colour);
/* The line runs inside the rectangle. */
void canvas_outline(struct canvas *c, const struct rect *r, double width,
		    const struct colour *colour);
void canvas_hatch(struct canvas *c, const struct rect *r, enum hatch hatch,
		  double spacing, double width, const struct colour *colour);
/* Any number of segments of one look, as one object of the file. */
struct segment {
	double x0, y0, x1, y1;
};
void canvas_lines(struct canvas *c, const struct segment *segments, size_t n,
		  double width, const struct colour *colour);

/* For text.c, which alone draws text. */
struct _cairo *canvas_cairo(struct canvas *c);

/*
 * Where ink went, for tests: corners in order. Text is noted by text.c.
 */
struct canvas_mark {
	double x[4], y[4];
	bool is_text;
};
void canvas_note(struct canvas *c, const struct canvas_mark *mark);
const struct canvas_mark *canvas_marks(const struct canvas *c, size_t *n);

#endif
