#ifndef PLOT_CHART_CATEGORY_AXIS_H
#define PLOT_CHART_CATEGORY_AXIS_H

#include <stddef.h>

struct canvas;
struct chart_area;
struct figure;
struct text;
struct text_setter;
struct theme;

/* The x axis: a label below each category, and the title below them. */
struct category_axis {
	struct text **labels; /* array owned, texts the setter's */
	size_t n;
	double degrees;       /* 0, or turned until they fit */
	struct text *title;   /* NULL: none */
	double labels_height;
	double height;        /* panel to the end of it */
	double panel_width;   /* measured for */
};

void category_axis_release(struct category_axis *a);

/*
 * Labels are broken between words; where that is not enough, turned by 45, then
 * by 90 degrees, and only then cut. `left` is the room at the panel's left,
 * `longest` that of a turned label. Cheap when the width does not change.
 */
void category_axis_measure(struct category_axis *a, const struct figure *f,
			   const struct theme *theme,
			   struct text_setter *texts, double panel_width,
			   double left, double longest);
/* Least width of a category whose label can be read at all. */
double category_axis_min_step(const struct theme *theme);
void category_axis_draw(const struct category_axis *a,
			const struct chart_area *area, struct canvas *c);

#endif
