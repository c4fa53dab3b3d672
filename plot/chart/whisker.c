#include "plot/chart/whisker.h"

#include <math.h>

#include "plot/chart/canvas.h"
#include "plot/chart/chart.h"
#include "plot/chart/scale.h"

#define CAP_MAX 3.5  /* pt, half a cap */
#define HALO 1.2     /* pt, paper around the line where it crosses a fill */

bool whisker_exists(const struct estimate *e)
{
	return !isnan(e->low) && !isnan(e->high);
}

bool whisker_is_open(const struct estimate *e)
{
	return isinf(e->low) || isinf(e->high);
}

void whisker_extent(const struct estimate *e, struct range *y)
{
	if (!whisker_exists(e))
		return;
	range_include(y, e->low);
	range_include(y, e->high);
}

/* An end at page y: a cap, or an arrow head that points along `open` (up: -1).
 * Returns how many segments it took. */
static size_t add_end(struct segment *s, double x, double y, double half,
		      double open)
{
	double tail = y - open * 1.5 * half;

	if (!open) {
		s[0] = (struct segment){ x - half, y, x + half, y };
		return 1;
	}
	s[0] = (struct segment){ x - half, tail, x, y };
	s[1] = (struct segment){ x + half, tail, x, y };
	return 2;
}

void whisker_draw(const struct estimate *e, const struct chart_area *a,
		  double x, double room, bool halo, struct canvas *c)
{
	double half = fmin(CAP_MAX, 0.3 * room), line = a->theme->line;
	double low = scale_map(&a->y, e->low);
	double high = scale_map(&a->y, e->high);
	struct segment s[5] = { { x, low, x, high } };
	size_t n = 1;

	if (!whisker_exists(e))
		return;
	n += add_end(s + n, x, low, half, isinf(e->low) ? 1 : 0);
	n += add_end(s + n, x, high, half, isinf(e->high) ? -1 : 0);
	if (halo)
		canvas_lines(c, s, n, line + fmin(HALO, 0.2 * room),
			     &a->theme->paper);
	canvas_lines(c, s, n, line, &a->theme->ink);
}
