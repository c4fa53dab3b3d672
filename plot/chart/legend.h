#ifndef PLOT_CHART_LEGEND_H
#define PLOT_CHART_LEGEND_H

#include <stddef.h>

#include "plot/chart/theme.h"

struct canvas;
struct figure;
struct text;
struct text_setter;

/*
 * Above the panel: which series looks how, in the order of the bars; and, at
 * the right, which direction is better. Absent parts take no room.
 */
struct legend {
	struct text *title; /* NULL: none */
	struct text *items[THEME_SERIES_MAX];
	size_t n;           /* 0 when there is nothing to tell apart */
	struct text *hint;  /* NULL: none */
	double title_x, title_y, hint_y;
	double x[THEME_SERIES_MAX], y[THEME_SERIES_MAX];
	double width, height;
};

void legend_measure(struct legend *l, const struct figure *f,
		    const struct theme *theme, struct text_setter *texts,
		    double width);
void legend_draw(const struct legend *l, const struct theme *theme, double x,
		 double y, struct canvas *c);

#endif
