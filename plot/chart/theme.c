#include "plot/chart/theme.h"

#include <assert.h>

/*
 * The hues of Okabe and Ito, "Color Universal Design" (2008), which stay apart
 * under the common colour vision deficiencies, in an order in which the first
 * four also differ as greys (L* 46, 71, 28, 92); their bluish green is
 * darkened and their yellow lightened for that, their black left to the text.
 * From the fifth on lightness alone is not enough: a hatch tells them apart.
 */
static const struct theme_series palette[THEME_SERIES_MAX] = {
	{ COLOUR(0x0072b2), COLOUR(0x003e61), HATCH_NONE },
	{ COLOUR(0xe69f00), COLOUR(0x7d5600), HATCH_NONE },
	{ COLOUR(0x004d38), COLOUR(0x002a1f), HATCH_NONE },
	{ COLOUR(0xf5ec7a), COLOUR(0x857d10), HATCH_NONE },
	{ COLOUR(0xcc79a7), COLOUR(0x6b3455), HATCH_RISING },
	{ COLOUR(0x9ad4f5), COLOUR(0x1f6a96), HATCH_RISING },
	{ COLOUR(0xd55e00), COLOUR(0x692e00), HATCH_FALLING },
	{ COLOUR(0xe3e3e3), COLOUR(0x555555), HATCH_CROSS },
};

#define INK COLOUR(0x1a1a1a)
#define SOFT COLOUR(0x595959)

/* Few sizes: each brings its own outlines into an SVG. */
static const struct theme print = {
	.family = "DejaVu Sans, Verdana, Noto Sans, Liberation Sans, "
		  "sans-serif",
	.title = { 10.5, true, INK },
	.axis = { 9.0, false, INK },
	.tick = { 8.0, false, INK },
	.legend = { 9.0, false, INK },
	.legend_title = { 9.0, false, SOFT },
	.hint = { 8.0, false, SOFT },
	.caption = { 8.0, false, SOFT },
	.provenance = { 6.5, false, COLOUR(0x767676) },
	.ink = INK,
	.grid = COLOUR(0xdcdcdc),
	.paper = COLOUR(0xffffff),
	.margin = 4.0,
	.gap = 4.0,
	.hairline = 0.5,
	.line = 0.75,
	.hatch_spacing = 3.2,
	.swatch_width = 12.0,
	.swatch_height = 7.5,
};

const struct theme *theme_print(void)
{
	return &print;
}

const struct theme_series *theme_series(size_t i)
{
	assert(i < THEME_SERIES_MAX);
	return &palette[i];
}
