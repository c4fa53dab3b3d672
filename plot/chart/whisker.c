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

/* An end at page y: a cap, or an arrow head that points away (up: -1). */
static void draw_end(struct canvas *c, double x, double y, double half,
		     double open, double width, const struct colour *colour)
{
	if (!open) {
		canvas_line(c, x - half, y, x + half, y, width, colour);
		return;
	}
	canvas_line(c, x - half, y - open * 1.5 * half, x, y, width, colour);
	canvas_line(c, x + half, y - open * 1.5 * half, x, y, width, colour);
}

static void draw_once(const struct estimate *e, const struct chart_area *a,
		      double x, double half, double width,
		      const struct colour *colour, struct canvas *c)
{
	double low = scale_map(&a->y, e->low);
	double high = scale_map(&a->y, e->high);

	canvas_line(c, x, low, x, high, width, colour);
	draw_end(c, x, low, half, isinf(e->low) ? 1 : 0, width, colour);
	draw_end(c, x, high, half, isinf(e->high) ? -1 : 0, width, colour);
}

void whisker_draw(const struct estimate *e, const struct chart_area *a,
		  double x, double room, bool halo, struct canvas *c)
{
	double half = fmin(CAP_MAX, 0.3 * room);
	double line = a->theme->line;

	if (!whisker_exists(e))
		return;
	if (halo)
		draw_once(e, a, x, half, line + fmin(HALO, 0.2 * room),
			  &a->theme->paper, c);
	draw_once(e, a, x, half, line, &a->theme->ink, c);
}
