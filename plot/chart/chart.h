#ifndef PLOT_CHART_CHART_H
#define PLOT_CHART_CHART_H

#include "plot/chart/canvas.h"
#include "plot/chart/figure.h"
#include "plot/chart/scale.h"
#include "plot/chart/theme.h"

struct buf;

/* Where a chart draws: categories share the panel's width evenly. */
struct chart_area {
	struct rect panel;
	struct scale y;
	double step; /* width of a category */
	const struct theme *theme;
};

/* Between the parts of a caption: " · " */
#define CHART_NOTE_SEPARATOR " \xc2\xb7 "

/*
 * A kind of chart: what the axis must hold, and how the cells become ink. The
 * axes, the legend and the words around are the same for all.
 */
struct chart_kind {
	const char *name; /* as in `kind: bars` */
	const char *noun; /* begins the description: "Bar chart" */
	/* Puts everything that will be drawn into the range. */
	void (*extent)(const struct figure *f, struct range *y);
	/* Least width of a category that can still be read, in pt. */
	double (*min_step)(const struct figure *f);
	void (*draw)(const struct figure *f, const struct chart_area *a,
		     struct canvas *c);
	/* Words for marks that the reader may not know, each behind
	 * CHART_NOTE_SEPARATOR. */
	void (*add_notes)(const struct figure *f, struct buf *out);
};

extern const struct chart_kind chart_bars;

/* NULL: there is no such kind. */
const struct chart_kind *chart_kind_get(enum figure_kind kind);

/* Left edge to centre of category `i`. */
double chart_centre(const struct chart_area *a, size_t i);

#endif
