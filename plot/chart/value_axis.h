#ifndef PLOT_CHART_VALUE_AXIS_H
#define PLOT_CHART_VALUE_AXIS_H

#include "plot/chart/ticks.h"

struct canvas;
struct chart_area;
struct figure;
struct text;
struct text_setter;
struct theme;

/* The y axis: its numbers, and its title along it. No line: the grid shows
 * where a number is, the baseline where zero is. */
struct value_axis {
	struct ticks ticks;
	unsigned wanted; /* number of ticks asked for */
	struct text *labels[TICKS_MAX];
	struct text *title; /* NULL: none */
	double label_width;
	double width; /* page margin to panel, without the margin */
};

/* Measures for a panel of this height; cheap when nothing changes. */
void value_axis_measure(struct value_axis *a, const struct figure *f,
			const struct theme *theme, struct text_setter *texts,
			const struct range *data, double height);

/* Behind the data: the grid. In front of it: zero, numbers and title. */
void value_axis_draw_grid(const struct value_axis *a,
			  const struct chart_area *area, struct canvas *c);
void value_axis_draw(const struct value_axis *a, const struct chart_area *area,
		     struct canvas *c);

#endif
