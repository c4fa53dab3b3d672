#ifndef PLOT_CHART_WHISKER_H
#define PLOT_CHART_WHISKER_H

#include <stdbool.h>

#include "stats/estimate.h"

struct canvas;
struct chart_area;
struct range;

/* The interval of an estimate as a line with caps; shared by kinds of charts. */
bool whisker_exists(const struct estimate *e);  /* both ends said */
bool whisker_is_open(const struct estimate *e); /* an end is infinite */
void whisker_extent(const struct estimate *e, struct range *y);

/* At page x; `room` is the width of what carries it. An open end becomes an
 * arrow at the panel's edge; without interval nothing is drawn. A halo of paper
 * sets the line off from a dark fill. */
void whisker_draw(const struct estimate *e, const struct chart_area *a,
		  double x, double room, bool halo, struct canvas *c);

#endif
