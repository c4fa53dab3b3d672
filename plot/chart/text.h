#ifndef PLOT_CHART_TEXT_H
#define PLOT_CHART_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "plot/chart/theme.h"

struct canvas;
struct error;

/*
 * Texts, measured before anything is drawn: Pango behind two structs. The
 * setter owns the texts it makes and remembers the first that cannot be shown.
 */
struct text_setter;
struct text;

/* ERROR_ENVIRONMENT: no font at all. */
int text_setter_new(struct text_setter **out, const struct theme *theme,
		    struct error *err);
void text_setter_free(struct text_setter *s);
/* ERROR_ENVIRONMENT when a text had letters that no font has. */
int text_setter_check(const struct text_setter *s, struct error *err);

/* How a text is fitted into a width; TEXT_FREE has none. */
enum text_fit {
	TEXT_FREE,     /* one line */
	TEXT_CUT,      /* one line, cut in its middle */
	TEXT_WRAP,     /* broken between words only; see text_fits() */
	TEXT_WRAP_CUT, /* broken where it must; too many lines: cut at the end */
};

/* Lines up with the edge it is put on. */
enum text_align {
	TEXT_LEFT,
	TEXT_CENTRE,
	TEXT_RIGHT,
};

struct text_box {
	double width;     /* most that it may take */
	unsigned lines;   /* at most, at least 1 */
	enum text_fit fit;
	enum text_align align;
};

/* Newlines and tabs count as spaces; other control characters and bytes that
 * are not UTF-8 show as U+FFFD. `box` NULL: TEXT_FREE. */
struct text *text_new(struct text_setter *s, const struct theme_text *style,
		      const struct text_box *box, const char *content);

/* Of the lines, not of the box; the height includes the font's leading. */
double text_width(const struct text *t);
double text_height(const struct text *t);
/* From the top to the first line's baseline. */
double text_baseline(const struct text *t);
/* Whether a TEXT_WRAP text kept to its width and lines. */
bool text_fits(const struct text *t);

/*
 * Puts the point (across, down) of the text, 0 to 1 each, on (x, y) of the page
 * and turns the text about it, counter-clockwise in degrees.
 */
void text_draw(const struct text *t, struct canvas *c, double x, double y,
	       double across, double down, double degrees);

/*
 * Gives back Pango's font map of this thread; what fontconfig caches stays
 * until the program ends.
 */
void text_shutdown(void);

#endif
