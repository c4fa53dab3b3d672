#include <math.h>

#include "base/buf.h"
#include "plot/chart/chart.h"
#include "plot/chart/whisker.h"

#define GROUP_SHARE 0.8       /* of a category; the rest keeps groups apart */
#define BAR_MAX 46.0          /* pt: a few wide bars look like blocks */
#define BAR_MIN 2.5
#define BAR_APART 0.75
#define HALO_BELOW 60.0      /* L* */

static const struct estimate *cell(const struct figure *f, size_t category,
				   size_t series)
{
	return &f->cells[category * f->n_series + series];
}

static bool exists(const struct figure *f, size_t category, size_t series)
{
	return !f->exists || f->exists[category * f->n_series + series];
}

static void extent(const struct figure *f, struct range *y)
{
	range_include(y, 0); /* a bar's length is its value */
	for (size_t i = 0; i < f->n_categories * f->n_series; i++) {
		range_include(y, f->cells[i].value);
		if (!isnan(f->cells[i].value))
			whisker_extent(&f->cells[i], y);
	}
}

static double min_step(const struct figure *f)
{
	return (double)f->n_series * BAR_MIN / GROUP_SHARE;
}

/* Dark lines are lost on dark or hatched fills; a sliver needs no help. */
static bool wants_halo(const struct theme_series *look, const struct rect *bar)
{
	return bar->height > 4 &&
	       (look->hatch != HATCH_NONE ||
		colour_lightness(&look->fill) < HALO_BELOW);
}

static void draw_bar(const struct chart_area *a, const struct rect *slot,
		     const struct estimate *e, const struct theme_series *look,
		     struct canvas *c)
{
	double zero = scale_map(&a->y, 0), end = scale_map(&a->y, e->value);
	struct rect bar = { slot->x, fmin(zero, end), slot->width,
			    fabs(end - zero) };
	struct segment flat = { slot->x, end, slot->x + slot->width, end };

	if (bar.height < a->theme->hairline) { /* zero is not nothing */
		canvas_lines(c, &flat, 1, 3 * a->theme->hairline, &look->fill);
	} else {
		canvas_fill(c, &bar, &look->fill);
		canvas_hatch(c, &bar, look->hatch, a->theme->hatch_spacing,
			     a->theme->hairline, &look->line);
		canvas_outline(c, &bar, a->theme->hairline, &look->line);
	}
	whisker_draw(e, a, slot->x + slot->width / 2, slot->width,
		     wants_halo(look, &bar), c);
}

/* A small cross on the baseline where a bar would stand. */
static void draw_missing(const struct chart_area *a, const struct rect *slot,
			 struct canvas *c)
{
	double arm = fmin(2.0, 0.35 * slot->width);
	double x = slot->x + slot->width / 2;
	double y = scale_map(&a->y, 0) - arm - 2.5;
	struct segment cross[] = {
		{ x - arm, y - arm, x + arm, y + arm },
		{ x - arm, y + arm, x + arm, y - arm },
	};

	canvas_lines(c, cross, 2, a->theme->line, &a->theme->hint.colour);
}

/* Of the category's first `n` series, those that exist. */
static size_t count(const struct figure *f, size_t category, size_t n)
{
	size_t count = 0;

	for (size_t j = 0; j < n; j++)
		count += exists(f, category, j);
	return count;
}

/* The slot of one bar; only its x and width mean something. Bars are equally
 * wide everywhere, and those that exist stand together. */
static struct rect slot_of(const struct figure *f, const struct chart_area *a,
			   size_t category, size_t series)
{
	double pitch = fmin(GROUP_SHARE * a->step / (double)f->n_series,
			    BAR_MAX);
	double apart = f->n_series > 1 ? fmin(BAR_APART, 0.1 * pitch) : 0;
	double n = (double)count(f, category, f->n_series);
	double before = (double)count(f, category, series);
	struct rect r = { .width = pitch - apart };

	r.x = chart_centre(a, category) + (before - n / 2) * pitch + apart / 2;
	return r;
}

static void draw(const struct figure *f, const struct chart_area *a,
		 struct canvas *c)
{
	for (size_t i = 0; i < f->n_categories; i++) {
		for (size_t j = 0; j < f->n_series; j++) {
			const struct estimate *e = cell(f, i, j);
			struct rect slot = slot_of(f, a, i, j);

			if (!exists(f, i, j))
				continue;
			if (isnan(e->value)) {
				draw_missing(a, &slot, c);
				continue;
			}
			draw_bar(a, &slot, e, theme_series(j), c);
		}
	}
}

static void add_notes(const struct figure *f, struct buf *out)
{
	size_t missing = 0, open = 0, bare = 0, cells = 0;

	for (size_t i = 0; i < f->n_categories * f->n_series; i++) {
		const struct estimate *e = &f->cells[i];

		if (!exists(f, i / f->n_series, i % f->n_series))
			continue;
		cells++;
		missing += isnan(e->value);
		bare += !isnan(e->value) && !whisker_exists(e);
		open += !isnan(e->value) && whisker_is_open(e);
	}
	if (missing)
		buf_adds(out, CHART_NOTE_SEPARATOR "\xc3\x97: no data");
	if (open)
		buf_adds(out, CHART_NOTE_SEPARATOR
			 "arrow: the interval has no end");
	if (bare && bare + missing < cells)
		buf_adds(out, CHART_NOTE_SEPARATOR
			 "no whisker: no interval");
}

const struct chart_kind chart_bars = {
	.name = "bars",
	.noun = "Bar chart",
	.extent = extent,
	.min_step = min_step,
	.draw = draw,
	.add_notes = add_notes,
};
