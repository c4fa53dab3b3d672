#include "plot/chart/layout.h"

#include <math.h>

#include "base/buf.h"
#include "base/error.h"
#include "plot/chart/text.h"

#define POINTS_PER_MM (72.0 / 25.4)
#define SHAPE 0.62          /* height by width, when it is ours to choose */
#define PANEL_SHAPE 0.40    /* of a chosen height the panel keeps this much */
#define PANEL_MIN_HEIGHT 48.0
#define TURNED_SHARE 0.4    /* longest turned label, of the width, */
#define TURNED_MAX 140.0    /* in pt, */
#define TURNED_OF_HEIGHT 0.3 /* and of a height that is given */
#define TITLE_LINES 3
#define CAPTION_LINES 5
#define PASSES 4

static double inner_width(const struct layout *l)
{
	return l->width - 2 * l->theme->margin;
}

static struct text *set_words(struct layout *l, const struct theme_text *style,
			      unsigned lines, const char *words)
{
	struct text_box box = { .width = inner_width(l), .lines = lines,
				.fit = TEXT_WRAP_CUT };

	if (!words || !*words)
		return NULL;
	return text_new(l->texts, style, &box, words);
}

static void set_caption(struct layout *l)
{
	const struct figure *f = l->figure;
	size_t skip = sizeof(CHART_NOTE_SEPARATOR) - 1;
	struct buf words = BUF_INIT;

	if (f->caption)
		buf_adds(&words, f->caption);
	if (words.n)
		skip = 0;
	l->kind->add_notes(f, &words);
	if (words.n)
		l->caption = set_words(l, &l->theme->caption, CAPTION_LINES,
				       words.data + skip);
	buf_release(&words);
}

/* "commit abc1234 · data 0123abcd" */
static void set_provenance(struct layout *l)
{
	const struct provenance *p = &l->figure->provenance;
	bool has_commit = p->commit && *p->commit;
	bool has_digest = p->digest && *p->digest;
	struct buf words = BUF_INIT;

	if (!has_commit && !has_digest)
		return;
	if (has_commit)
		buf_addf(&words, "commit %.7s", p->commit);
	else
		buf_adds(&words, "no commit");
	if (has_digest)
		buf_addf(&words, CHART_NOTE_SEPARATOR "data %.8s", p->digest);
	l->provenance = set_words(l, &l->theme->provenance, 1, words.data);
	buf_release(&words);
}

/* Sets the legend's place; returns where the panel begins. */
static double place_above(struct layout *l)
{
	double y = l->theme->margin;

	if (l->title)
		y += text_height(l->title) + l->theme->gap;
	l->legend_y = y;
	if (l->legend.height > 0)
		y += l->legend.height + l->theme->gap;
	/* the upper half of the topmost number */
	return y + 0.6 * l->theme->tick.size;
}

static bool shares_line(const struct layout *l)
{
	return l->caption && l->provenance &&
	       text_height(l->caption) < 2 * l->theme->caption.size &&
	       text_width(l->caption) + text_width(l->provenance) +
			       4 * l->theme->gap <= inner_width(l);
}

/* Height of what is below the panel. */
static double height_below(const struct layout *l)
{
	double h = l->category_axis.height + l->theme->margin;

	if (l->caption)
		h += 1.5 * l->theme->gap + text_height(l->caption);
	if (l->provenance && !shares_line(l))
		h += (l->caption ? 0.5 : 1.5) * l->theme->gap +
		     text_height(l->provenance);
	return h;
}

static void place_below(struct layout *l)
{
	double bottom = l->height - l->theme->margin;

	if (l->provenance)
		l->provenance_y = bottom - text_height(l->provenance);
	if (l->provenance && !shares_line(l))
		bottom = l->provenance_y - 0.5 * l->theme->gap;
	if (l->caption)
		l->caption_y = bottom - text_height(l->caption);
}

static double longest_label(const struct layout *l)
{
	double longest = fmin(TURNED_SHARE * l->width, TURNED_MAX);
	double given = l->figure->height_mm * POINTS_PER_MM;

	return given > 0 ? fmin(longest, TURNED_OF_HEIGHT * given) : longest;
}

/*
 * The numbers' width depends on the panel's height (how many ticks), the
 * labels' height on its width: a few rounds settle it.
 */
static int place_panel(struct layout *l, const struct range *data,
		       struct error *err)
{
	const struct figure *f = l->figure;
	bool chosen = f->height_mm == 0;
	struct rect *p = &l->area.panel;
	double height = SHAPE * l->width, panel = 0.6 * height;

	for (int pass = 0; pass < PASSES; pass++) {
		double before = panel;

		value_axis_measure(&l->value_axis, f, l->theme, l->texts, data,
				   panel);
		p->x = l->theme->margin + l->value_axis.width;
		p->width = l->width - l->theme->margin - p->x;
		category_axis_measure(&l->category_axis, f, l->theme, l->texts,
				      p->width, p->x - l->theme->margin,
				      longest_label(l));
		p->y = place_above(l);
		height = chosen ? fmax(SHAPE * l->width,
				       p->y + PANEL_SHAPE * l->width +
					       height_below(l))
				: f->height_mm * POINTS_PER_MM;
		panel = height - p->y - height_below(l);
		if (panel < PANEL_MIN_HEIGHT)
			return error_set(err, ERROR_USAGE,
					 "chart: a height of %g mm leaves no "
					 "room for the data; it needs at least "
					 "%.0f mm", f->height_mm,
					 ceil((height - panel +
					       PANEL_MIN_HEIGHT) /
					      POINTS_PER_MM));
		if (fabs(panel - before) < 1)
			break;
	}
	l->height = height;
	p->height = panel;
	return 0;
}

static int check_step(struct layout *l, struct error *err)
{
	const struct figure *f = l->figure;
	double need = fmax(l->kind->min_step(f),
			   category_axis_min_step(l->theme));
	double n = (double)f->n_categories;

	l->area.step = l->area.panel.width / n;
	if (l->area.step >= need)
		return 0;
	return error_set(err, ERROR_USAGE,
			 "chart: %zu categories with %zu bar%s each need a "
			 "width of %.0f mm and have %g mm: choose fewer "
			 "levels, or a wider figure", f->n_categories,
			 f->n_series, f->n_series == 1 ? "" : "s",
			 ceil((l->width - l->area.panel.width + n * need) /
			      POINTS_PER_MM), f->width_mm);
}

static void set_scale(struct layout *l)
{
	const struct rect *p = &l->area.panel;

	l->area.theme = l->theme;
	l->area.y.data = l->value_axis.ticks.axis;
	l->area.y.from = p->y + p->height;
	l->area.y.to = p->y;
}

/* A little air beyond the data, so that a cap does not lie on the edge; more
 * where an arrow must show that it goes on. Never across zero. */
static void add_headroom(const struct figure *f, struct range *y)
{
	double air = 0.02, span;

	for (size_t i = 0; i < f->n_categories * f->n_series; i++)
		if (isinf(f->cells[i].low) || isinf(f->cells[i].high))
			air = 0.1;
	if (y->lo == 0 && y->hi == 0)
		y->hi = 1;
	span = y->hi - y->lo;
	if (y->hi > 0)
		y->hi += air * span;
	if (y->lo < 0)
		y->lo -= air * span;
}

int layout_init(struct layout *l, const struct figure *f, struct error *err)
{
	struct range data = RANGE_EMPTY;

	*l = (struct layout){ .figure = f, .theme = theme_print(),
			      .kind = chart_kind_get(f->kind),
			      .width = f->width_mm * POINTS_PER_MM };
	if (text_setter_new(&l->texts, l->theme, err) < 0)
		return -1;
	l->kind->extent(f, &data);
	add_headroom(f, &data);
	l->title = set_words(l, &l->theme->title, TITLE_LINES, f->title);
	legend_measure(&l->legend, f, l->theme, l->texts, inner_width(l));
	set_caption(l);
	set_provenance(l);
	if (place_panel(l, &data, err) < 0 || check_step(l, err) < 0 ||
	    text_setter_check(l->texts, err) < 0) {
		layout_release(l);
		return -1;
	}
	set_scale(l);
	place_below(l);
	return 0;
}

void layout_release(struct layout *l)
{
	category_axis_release(&l->category_axis);
	text_setter_free(l->texts);
	l->texts = NULL;
}

void layout_draw(const struct layout *l, struct canvas *c)
{
	double left = l->theme->margin, right = l->width - left;

	if (l->title)
		text_draw(l->title, c, left, l->theme->margin, 0, 0, 0);
	legend_draw(&l->legend, l->theme, left, l->legend_y, c);
	value_axis_draw_grid(&l->value_axis, &l->area, c);
	l->kind->draw(l->figure, &l->area, c);
	value_axis_draw(&l->value_axis, &l->area, c);
	category_axis_draw(&l->category_axis, &l->area, c);
	if (l->caption)
		text_draw(l->caption, c, left, l->caption_y, 0, 0, 0);
	if (l->provenance)
		text_draw(l->provenance, c, right, l->provenance_y, 1, 0, 0);
}
