#include "plot/chart/figure.h"

#include <math.h>

#include "base/buf.h"
#include "base/error.h"
#include "plot/chart/canvas.h"
#include "plot/chart/chart.h"
#include "plot/chart/layout.h"
#include "plot/chart/stamp.h"
#include "plot/chart/text.h"

#define WIDTH_MIN_MM 40.0
#define SIDE_MAX_MM 600.0
/* Beyond these a double has no room left for an axis around it. */
#define VALUE_MAX 1e300
#define VALUE_MIN 1e-280

static int check_page(const struct figure *f, struct error *err)
{
	if (!(f->width_mm >= WIDTH_MIN_MM && f->width_mm <= SIDE_MAX_MM))
		return error_set(err, ERROR_USAGE,
				 "chart: a width of %g mm; it must be %g to %g",
				 f->width_mm, WIDTH_MIN_MM, SIDE_MAX_MM);
	if (!(f->height_mm >= 0 && f->height_mm <= SIDE_MAX_MM))
		return error_set(err, ERROR_USAGE,
				 "chart: a height of %g mm; it must be at most "
				 "%g, or 0 for one that suits", f->height_mm,
				 SIDE_MAX_MM);
	return 0;
}

static int check_shape(const struct figure *f, struct error *err)
{
	if (!chart_kind_get(f->kind))
		return error_set(err, ERROR_USAGE,
				 "chart: there is no kind number %d",
				 (int)f->kind);
	if (!f->n_categories || !f->n_series)
		return error_set(err, ERROR_USAGE,
				 "chart: nothing to draw: %zu categories, "
				 "%zu series", f->n_categories, f->n_series);
	if (f->n_series > 1 && !f->series)
		return error_set(err, ERROR_USAGE,
				 "chart: %zu series without names",
				 f->n_series);
	if (f->n_series > THEME_SERIES_MAX)
		return error_set(err, ERROR_USAGE,
				 "chart: %zu series cannot be told apart, at "
				 "most %d can: choose fewer levels, or make "
				 "the factor the x axis", f->n_series,
				 THEME_SERIES_MAX);
	return 0;
}

static bool can_draw(double v)
{
	return isnan(v) || v == 0 ||
	       (fabs(v) <= VALUE_MAX && fabs(v) >= VALUE_MIN);
}

static bool can_end(double v)
{
	return isinf(v) || can_draw(v);
}

static int check_cell(const struct figure *f, size_t i, struct error *err)
{
	const struct estimate *e = &f->cells[i];
	const char *category = f->categories[i / f->n_series];
	const char *series = f->n_series > 1 ? f->series[i % f->n_series] : "";

	if (!can_draw(e->value) || !can_end(e->low) || !can_end(e->high))
		return error_set(err, ERROR_USAGE,
				 "chart: %s%s%s: cannot draw %g [%g, %g]",
				 category, *series ? ", " : "", series,
				 e->value, e->low, e->high);
	if (e->low > e->high)
		return error_set(err, ERROR_USAGE,
				 "chart: %s%s%s: the interval [%g, %g] ends "
				 "before it begins", category,
				 *series ? ", " : "", series, e->low,
				 e->high);
	return 0;
}

static int check_cells(const struct figure *f, struct error *err)
{
	size_t n = f->n_categories * f->n_series, missing = 0;

	for (size_t i = 0; i < n; i++) {
		if (check_cell(f, i, err) < 0)
			return -1;
		missing += isnan(f->cells[i].value);
	}
	if (missing == n)
		return error_set(err, ERROR_USAGE,
				 "chart: nothing to draw: no cell has a value");
	return 0;
}

static int draw_page(const struct layout *l, enum figure_format format,
		     struct buf *out, struct error *err)
{
	struct buf keywords = BUF_INIT, subject = BUF_INIT, creator = BUF_INIT;
	struct buf title = BUF_INIT;
	const struct figure *f = l->figure;
	struct canvas_info info;
	struct canvas *c;
	int rc;

	stamp_title(&title, f);
	stamp_keywords(&keywords, f);
	stamp_description(&subject, f);
	stamp_creator(&creator, f);
	info = (struct canvas_info){ .title = title.data,
				     .subject = subject.data,
				     .keywords = keywords.data,
				     .creator = creator.data };
	c = canvas_new(format, l->width, l->height, &info, &l->theme->paper,
		       out);
	layout_draw(l, c);
	rc = canvas_finish(c, err);
	canvas_free(c);
	buf_release(&creator);
	buf_release(&subject);
	buf_release(&keywords);
	buf_release(&title);
	return rc;
}

int figure_render(const struct figure *f, enum figure_format format,
		  struct buf *out, struct error *err)
{
	struct layout l;
	int rc;

	buf_clear(out);
	if (check_page(f, err) < 0 || check_shape(f, err) < 0 ||
	    check_cells(f, err) < 0)
		return -1;
	if (layout_init(&l, f, err) < 0)
		return -1;
	rc = draw_page(&l, format, out, err);
	layout_release(&l);
	if (rc < 0) {
		buf_clear(out);
		return -1;
	}
	if (format == FIGURE_SVG)
		stamp_svg(out, f);
	if (format == FIGURE_PNG)
		stamp_png(out, f);
	return 0;
}

void figure_shutdown(void)
{
	text_shutdown();
}
