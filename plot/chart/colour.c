#include "plot/chart/colour.h"

#include <math.h>

/* IEC 61966-2-1: from the stored value to linear light. */
static double linear(double v)
{
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

double colour_lightness(const struct colour *c)
{
	/* Y of the sRGB primaries under D65; L* of CIE 15:2004. */
	double y = 0.2126 * linear(c->r) + 0.7152 * linear(c->g) +
		   0.0722 * linear(c->b);

	if (y <= 216.0 / 24389.0)
		return y * 24389.0 / 27.0;
	return 116.0 * cbrt(y) - 16.0;
}
