#ifndef PLOT_CHART_SCALE_H
#define PLOT_CHART_SCALE_H

/* An interval of data that grows with what is put into it. */
struct range {
	double lo, hi;
};

#define RANGE_EMPTY { .lo = INFINITY, .hi = -INFINITY }

/* Values that are not finite leave the range as it is. */
void range_include(struct range *r, double v);

/* Linear, from data to page; `from` is where lo lands, `to` where hi does. */
struct scale {
	struct range data;
	double from, to;
};

/* -INF and +INF land on the ends; finite values are not clamped. */
double scale_map(const struct scale *s, double v);

#endif
