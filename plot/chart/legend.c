#include "plot/chart/legend.h"

#include <math.h>

#include "plot/chart/canvas.h"
#include "plot/chart/figure.h"
#include "plot/chart/text.h"

#define APART 12.0 /* pt between items */
#define LINES 2    /* of an item that is too long for the page */

static struct text *hint_text(const struct figure *f,
			      const struct theme *theme,
			      struct text_setter *texts)
{
	switch (f->better) {
	case BETTER_HIGHER:
		return text_new(texts, &theme->hint, NULL,
				"higher is better \xe2\x86\x91");
	case BETTER_LOWER:
		return text_new(texts, &theme->hint, NULL,
				"lower is better \xe2\x86\x93");
	case BETTER_UNSAID:
		break;
	}
	return NULL;
}

static double key_width(const struct theme *theme)
{
	return theme->swatch_width + theme->gap;
}

static double item_width(const struct legend *l, const struct theme *theme,
			 size_t i)
{
	return key_width(theme) + text_width(l->items[i]);
}

static void set_texts(struct legend *l, const struct figure *f,
		      const struct theme *theme, struct text_setter *texts)
{
	struct text_box box = { .width = l->width - key_width(theme),
				.lines = LINES, .fit = TEXT_WRAP_CUT };
	struct text_box title_box = { .width = l->width, .lines = LINES,
				      .fit = TEXT_WRAP_CUT };

	l->hint = hint_text(f, theme, texts);
	if (!f->series || (!f->series_title && f->n_series < 2))
		return;
	if (f->series_title && *f->series_title)
		l->title = text_new(texts, &theme->legend_title, &title_box,
				    f->series_title);
	l->n = f->n_series;
	for (size_t i = 0; i < l->n; i++)
		l->items[i] = text_new(texts, &theme->legend, &box,
				       f->series[i]);
}

/* All in one row; false when the width does not hold it. */
static bool place_row(struct legend *l, const struct theme *theme)
{
	double x = 0, height = 0;

	if (l->title) {
		x = text_width(l->title) + APART;
		height = text_height(l->title);
	}
	for (size_t i = 0; i < l->n; i++) {
		l->x[i] = x;
		l->y[i] = 0;
		x += item_width(l, theme, i) + APART;
		height = fmax(height, text_height(l->items[i]));
	}
	l->height = height;
	return x - APART <= l->width;
}

static size_t count_columns(const struct legend *l, double widest)
{
	double fit = floor((l->width + APART) / (widest + APART));
	size_t columns = (size_t)fmax(1, fit);
	size_t rows = (l->n + columns - 1) / columns;

	return (l->n + rows - 1) / rows; /* the last row not nearly empty */
}

/* Below the title in columns of equal width, rows filled one by one. */
static void place_columns(struct legend *l, const struct theme *theme)
{
	double widest = 0, top = 0, row = 0;
	size_t columns;

	if (l->title)
		top = text_height(l->title) + theme->gap / 2;
	for (size_t i = 0; i < l->n; i++)
		widest = fmax(widest, item_width(l, theme, i));
	columns = count_columns(l, widest);
	for (size_t i = 0; i < l->n; i++) {
		if (i && i % columns == 0) {
			top += row + theme->gap / 2;
			row = 0;
		}
		l->x[i] = (double)(i % columns) * (widest + APART);
		l->y[i] = top;
		row = fmax(row, text_height(l->items[i]));
	}
	l->height = top + row;
}

/* Right end of what stands in the row at `y`, the title included. */
static double row_end(const struct legend *l, const struct theme *theme,
		      double y)
{
	double end = l->title && y == 0 ? text_width(l->title) : 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->y[i] == y)
			end = fmax(end, l->x[i] + item_width(l, theme, i));
	return end;
}

static bool has_room(const struct legend *l, const struct theme *theme,
		     double y)
{
	return row_end(l, theme, y) + 2 * APART + text_width(l->hint) <=
	       l->width;
}

/* At the right of the last row or the first, else in a row of its own. */
static void place_hint(struct legend *l, const struct theme *theme)
{
	double last = l->n ? l->y[l->n - 1] : 0;
	double rise;

	if (!l->n) {
		l->height = text_height(l->hint);
		return;
	}
	rise = text_baseline(l->items[l->n - 1]) - text_baseline(l->hint);
	if (has_room(l, theme, last)) {
		l->hint_y = last + rise;
	} else if (has_room(l, theme, 0)) {
		l->hint_y = rise;
	} else {
		l->hint_y = l->height + theme->gap / 2;
		l->height = l->hint_y + text_height(l->hint);
	}
}

void legend_measure(struct legend *l, const struct figure *f,
		    const struct theme *theme, struct text_setter *texts,
		    double width)
{
	*l = (struct legend){ .width = width };
	set_texts(l, f, theme, texts);
	if (l->n && !place_row(l, theme))
		place_columns(l, theme);
	if (l->hint)
		place_hint(l, theme);
}

static void draw_swatch(const struct theme *theme, size_t i, double x,
			double middle, struct canvas *c)
{
	const struct theme_series *look = theme_series(i);
	struct rect r = { x, middle - theme->swatch_height / 2,
			  theme->swatch_width, theme->swatch_height };

	canvas_fill(c, &r, &look->fill);
	canvas_hatch(c, &r, look->hatch, theme->hatch_spacing,
		     theme->hairline, &look->line);
	canvas_outline(c, &r, theme->hairline, &look->line);
}

void legend_draw(const struct legend *l, const struct theme *theme, double x,
		 double y, struct canvas *c)
{
	if (l->title)
		text_draw(l->title, c, x, y, 0, 0, 0);
	for (size_t i = 0; i < l->n; i++) {
		/* the middle of the letters of the first line */
		double middle = y + l->y[i] + text_baseline(l->items[i]) -
				0.36 * theme->legend.size;

		draw_swatch(theme, i, x + l->x[i], middle, c);
		text_draw(l->items[i], c, x + l->x[i] + key_width(theme),
			  y + l->y[i], 0, 0, 0);
	}
	if (l->hint)
		text_draw(l->hint, c, x + l->width, y + l->hint_y, 1, 0, 0);
}
