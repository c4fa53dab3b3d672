#ifndef PLOT_CHART_COLOUR_H
#define PLOT_CHART_COLOUR_H

/* sRGB, components 0 .. 1 */
struct colour {
	double r, g, b;
};

/* COLOUR(0x0072b2) as a constant initialiser */
#define COLOUR(hex)                                                          \
	{ (((hex) >> 16) & 0xff) / 255.0, (((hex) >> 8) & 0xff) / 255.0,     \
	  ((hex) & 0xff) / 255.0 }

/*
 * CIE L* of the colour, 0 (black) to 100 (white): how light it looks, and
 * what is left of it on a grey printer.
 */
double colour_lightness(const struct colour *c);

#endif
