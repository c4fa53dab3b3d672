#include "plot/chart/value_axis.h"

#include <math.h>

#include "base/buf.h"
#include "plot/chart/chart.h"
#include "plot/chart/text.h"

#define TICK_APART 34.0 /* pt, about */
#define TITLE_LINES 3
#define NO_BREAK_SPACE "\xc2\xa0"
#define WORD_JOINER "\xe2\x81\xa0"

/* A unit must not be torn into "MiB/" and "s)". */
static void add_tied(struct buf *out, const char *s)
{
	for (; *s; s++) {
		if (*s == ' ')
			buf_adds(out, NO_BREAK_SPACE);
		else
			buf_addc(out, *s);
		if (*s == '/' || *s == '-')
			buf_adds(out, WORD_JOINER);
	}
}

/* "Bandwidth (×10⁶ MiB/s)" */
static void title_text(struct buf *out, const struct figure *f,
		       const struct ticks *t)
{
	char factor[TICKS_LABEL_SIZE];
	bool has_uom = f->uom && *f->uom;

	ticks_factor(t, factor);
	buf_adds(out, f->y_title ? f->y_title : "");
	if (!*factor && !has_uom)
		return;
	buf_addf(out, "%s(%s", out->n ? " " : "", factor);
	if (has_uom) {
		if (*factor)
			buf_adds(out, NO_BREAK_SPACE);
		add_tied(out, f->uom);
	}
	buf_addc(out, ')');
}

static void measure_title(struct value_axis *a, const struct figure *f,
			  const struct theme *theme,
			  struct text_setter *texts, double height)
{
	struct text_box box = { .width = height, .lines = TITLE_LINES,
				.fit = TEXT_WRAP_CUT, .align = TEXT_CENTRE };
	struct buf title = BUF_INIT;

	title_text(&title, f, &a->ticks);
	if (title.n)
		a->title = text_new(texts, &theme->axis, &box, title.data);
	buf_release(&title);
}

static void measure_labels(struct value_axis *a, const struct theme *theme,
			   struct text_setter *texts)
{
	a->label_width = 0;
	for (size_t i = 0; i < a->ticks.n; i++) {
		a->labels[i] = text_new(texts, &theme->tick, NULL,
					a->ticks.label[i]);
		a->label_width = fmax(a->label_width,
				      text_width(a->labels[i]));
	}
}

void value_axis_measure(struct value_axis *a, const struct figure *f,
			const struct theme *theme, struct text_setter *texts,
			const struct range *data, double height)
{
	unsigned wanted = 1 + (unsigned)fmax(height / TICK_APART, 1);

	wanted = wanted < TICKS_MIN ? TICKS_MIN : wanted;
	wanted = wanted > TICKS_MAX - 1 ? TICKS_MAX - 1 : wanted;
	if (wanted != a->wanted) {
		a->wanted = wanted;
		ticks_choose(&a->ticks, data, wanted);
		measure_labels(a, theme, texts);
	}
	measure_title(a, f, theme, texts, height);
	a->width = a->label_width + theme->gap;
	if (a->title)
		a->width += text_height(a->title) + theme->gap;
}

void value_axis_draw_grid(const struct value_axis *a,
			  const struct chart_area *area, struct canvas *c)
{
	const struct rect *p = &area->panel;
	struct segment grid[TICKS_MAX];

	for (size_t i = 0; i < a->ticks.n; i++) {
		double y = scale_map(&area->y, a->ticks.value[i]);

		grid[i] = (struct segment){ p->x, y, p->x + p->width, y };
	}
	canvas_lines(c, grid, a->ticks.n, area->theme->hairline,
		     &area->theme->grid);
}

void value_axis_draw(const struct value_axis *a, const struct chart_area *area,
		     struct canvas *c)
{
	const struct rect *p = &area->panel;
	double right = p->x - area->theme->gap;
	double y = scale_map(&area->y, 0);
	struct segment zero = { p->x, y, p->x + p->width, y };

	if (area->y.data.lo <= 0 && area->y.data.hi >= 0)
		canvas_lines(c, &zero, 1, area->theme->line,
			     &area->theme->ink);
	for (size_t i = 0; i < a->ticks.n; i++)
		text_draw(a->labels[i], c, right,
			  scale_map(&area->y, a->ticks.value[i]), 1, 0.5, 0);
	if (a->title)
		text_draw(a->title, c, p->x - a->width, p->y + p->height / 2,
			  0.5, 0, 90);
}
