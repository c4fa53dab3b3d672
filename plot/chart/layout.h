#ifndef PLOT_CHART_LAYOUT_H
#define PLOT_CHART_LAYOUT_H

#include "plot/chart/category_axis.h"
#include "plot/chart/chart.h"
#include "plot/chart/legend.h"
#include "plot/chart/value_axis.h"

struct error;

/*
 * Everything measured, nothing drawn: from top to bottom title, legend, panel
 * between its axes, caption, provenance.
 */
struct layout {
	const struct figure *figure;
	const struct chart_kind *kind;
	const struct theme *theme;
	struct text_setter *texts;
	double width, height; /* of the page */
	struct text *title, *caption, *provenance; /* NULL: none */
	struct legend legend;
	struct value_axis value_axis;
	struct category_axis category_axis;
	struct chart_area area;
	double legend_y, caption_y, provenance_y;
};

/* `f` has been checked. ERROR_USAGE when the page is too small for it,
 * ERROR_ENVIRONMENT for want of a font. */
int layout_init(struct layout *l, const struct figure *f, struct error *err);
void layout_release(struct layout *l);
void layout_draw(const struct layout *l, struct canvas *c);

#endif
