#include "plot/chart/category_axis.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "plot/chart/chart.h"
#include "plot/chart/text.h"

#define LABEL_LINES 4
#define TURNED_LINES 2
#define TITLE_LINES 2
#define BETWEEN 5.0      /* pt between the labels of neighbours */
#define LINE_HEIGHT 1.25 /* of the font's size: more than any font's ink */
#define SIN45 0.70710678118654752

void category_axis_release(struct category_axis *a)
{
	free(a->labels);
	a->labels = NULL;
}

double category_axis_min_step(const struct theme *theme)
{
	return LINE_HEIGHT * theme->tick.size;
}

static void set_labels(struct category_axis *a, const struct figure *f,
		       const struct theme *theme, struct text_setter *texts,
		       const struct text_box *box)
{
	for (size_t i = 0; i < a->n; i++)
		a->labels[i] = text_new(texts, &theme->tick, box,
					f->categories[i]);
}

static bool all_fit(const struct category_axis *a)
{
	for (size_t i = 0; i < a->n; i++)
		if (!text_fits(a->labels[i]))
			return false;
	return true;
}

static bool set_level(struct category_axis *a, const struct figure *f,
		      const struct theme *theme, struct text_setter *texts,
		      double step)
{
	struct text_box box = { .width = step - BETWEEN, .lines = LABEL_LINES,
				.fit = TEXT_WRAP, .align = TEXT_CENTRE };

	a->degrees = 0;
	set_labels(a, f, theme, texts, &box);
	if (!all_fit(a))
		return false;
	a->labels_height = 0;
	for (size_t i = 0; i < a->n; i++)
		a->labels_height = fmax(a->labels_height,
					text_height(a->labels[i]));
	return true;
}

/* Lines of turned text that a category has room for. */
static unsigned turned_lines(const struct theme *theme, double room)
{
	double lines = floor(room / (LINE_HEIGHT * theme->tick.size));

	return (unsigned)fmin(fmax(lines, 1), TURNED_LINES);
}

/* In two lines when words allow it, else in one, cut where it must. */
static void set_turned(struct category_axis *a, const struct figure *f,
		       const struct theme *theme, struct text_setter *texts,
		       double room, double longest)
{
	struct text_box box = { .width = longest, .align = TEXT_RIGHT,
				.fit = TEXT_WRAP,
				.lines = turned_lines(theme, room) };

	set_labels(a, f, theme, texts, &box);
	if (all_fit(a))
		return;
	box.lines = 1;
	box.fit = TEXT_CUT;
	set_labels(a, f, theme, texts, &box);
}

/* At 45 degrees a label reaches left of its category by its width's sine. */
static bool set_slanted(struct category_axis *a, const struct figure *f,
			const struct theme *theme, struct text_setter *texts,
			double step, double left, double longest)
{
	double height = 0;

	if (step * SIN45 < LINE_HEIGHT * theme->tick.size)
		return false;
	a->degrees = 45;
	set_turned(a, f, theme, texts, step * SIN45, longest);
	for (size_t i = 0; i < a->n; i++) {
		double across = text_width(a->labels[i]);
		double reach = (across + text_height(a->labels[i]) / 2) *
			       SIN45;

		if (reach > left + ((double)i + 0.5) * step)
			return false;
		height = fmax(height, (across + text_height(a->labels[i])) *
					      SIN45);
	}
	a->labels_height = height;
	return true;
}

static void set_upright(struct category_axis *a, const struct figure *f,
			const struct theme *theme, struct text_setter *texts,
			double step, double longest)
{
	a->degrees = 90;
	a->labels_height = 0;
	set_turned(a, f, theme, texts, step, longest);
	for (size_t i = 0; i < a->n; i++)
		a->labels_height = fmax(a->labels_height,
					text_width(a->labels[i]));
}

void category_axis_measure(struct category_axis *a, const struct figure *f,
			   const struct theme *theme,
			   struct text_setter *texts, double panel_width,
			   double left, double longest)
{
	struct text_box box = { .width = panel_width, .lines = TITLE_LINES,
				.fit = TEXT_WRAP_CUT, .align = TEXT_CENTRE };
	double step = panel_width / (double)f->n_categories;

	if (a->labels && a->panel_width == panel_width)
		return;
	if (!a->labels) {
		a->n = f->n_categories;
		a->labels = mem_zalloc(a->n, sizeof(struct text *));
	}
	a->panel_width = panel_width;
	if (!set_level(a, f, theme, texts, step) &&
	    !set_slanted(a, f, theme, texts, step, left, longest))
		set_upright(a, f, theme, texts, step, longest);
	a->height = theme->gap + a->labels_height;
	a->title = NULL;
	if (f->x_title && *f->x_title) {
		a->title = text_new(texts, &theme->axis, &box, f->x_title);
		a->height += theme->gap + text_height(a->title);
	}
}

/* Turned labels end below their category, with the middle of their edge. */
static void draw_label(const struct category_axis *a, size_t i, double x,
		       double y, struct canvas *c)
{
	const struct text *t = a->labels[i];

	if (a->degrees == 0)
		text_draw(t, c, x, y, 0.5, 0, 0);
	else if (a->degrees < 90)
		text_draw(t, c, x - text_height(t) / 2 * SIN45, y, 1, 0, 45);
	else
		text_draw(t, c, x, y, 1, 0.5, 90);
}

void category_axis_draw(const struct category_axis *a,
			const struct chart_area *area, struct canvas *c)
{
	const struct rect *p = &area->panel;
	double y = p->y + p->height + area->theme->gap;

	for (size_t i = 0; i < a->n; i++)
		draw_label(a, i, chart_centre(area, i), y, c);
	if (a->title)
		text_draw(a->title, c, p->x + p->width / 2,
			  y + a->labels_height + area->theme->gap, 0.5, 0, 0);
}
