#include "plot/chart/scale.h"

#include <math.h>

void range_include(struct range *r, double v)
{
	if (!isfinite(v))
		return;
	if (v < r->lo)
		r->lo = v;
	if (v > r->hi)
		r->hi = v;
}

double scale_map(const struct scale *s, double v)
{
	if (isinf(v))
		return v < 0 ? s->from : s->to;
	return s->from + (v - s->data.lo) / (s->data.hi - s->data.lo) *
				 (s->to - s->from);
}
