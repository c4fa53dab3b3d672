#ifndef PLOT_CHART_THEME_H
#define PLOT_CHART_THEME_H

#include <stdbool.h>
#include <stddef.h>

#include "plot/chart/colour.h"

/* Lines drawn over a fill: the channel that is left without colour. */
enum hatch {
	HATCH_NONE,
	HATCH_RISING,
	HATCH_FALLING,
	HATCH_CROSS,
};

struct theme_series {
	struct colour fill;
	struct colour line; /* outline and hatch: the same hue, darker */
	enum hatch hatch;
};

struct theme_text {
	double size; /* pt */
	bool bold;
	struct colour colour;
};

/* Sizes in pt, on paper: a figure is made for its printed width. */
struct theme {
	const char *family; /* Pango's list, first choice first */
	struct theme_text title, axis, tick, legend,
		legend_title, hint, caption,
		provenance;
	struct colour ink;    /* baseline, whiskers, marks */
	struct colour grid;
	struct colour paper;
	double margin;        /* page edge to anything */
	double gap;           /* between neighbours */
	double hairline;      /* thinnest line there is */
	double line;          /* baseline, whiskers */
	double hatch_spacing;
	double swatch_width, swatch_height;
};

/* More series than this cannot be told apart. */
#define THEME_SERIES_MAX 8

const struct theme *theme_print(void);

/*
 * Fill of series `i` (below THEME_SERIES_MAX); the same whatever the number of
 * series, so that a series keeps its look from chart to chart. Any two differ
 * by THEME_LIGHTNESS_APART in lightness or by their hatch.
 */
#define THEME_LIGHTNESS_APART 15.0
const struct theme_series *theme_series(size_t i);

#endif
