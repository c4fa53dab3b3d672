#include "plot/chart/chart.h"

/* One row a kind. */
static const struct chart_kind *const kinds[] = {
	[FIGURE_BARS] = &chart_bars,
};

const struct chart_kind *chart_kind_get(enum figure_kind kind)
{
	if ((size_t)kind >= sizeof(kinds) / sizeof(kinds[0]))
		return NULL;
	return kinds[kind];
}

double chart_centre(const struct chart_area *a, size_t i)
{
	return a->panel.x + ((double)i + 0.5) * a->step;
}
