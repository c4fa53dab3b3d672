#include "plot/chart/canvas.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

#define PNG_DPI 300.0
#define POINTS_PER_INCH 72.0

struct canvas {
	enum figure_format format;
	cairo_surface_t *surface;
	cairo_t *cr;
	struct buf *out;
	struct error fault;
	struct canvas_mark *marks;
	size_t n_marks, marks_cap;
};

static cairo_status_t append(void *out, const unsigned char *data,
			     unsigned int n)
{
	buf_add(out, data, n);
	return CAIRO_STATUS_SUCCESS;
}

static void set_info(cairo_surface_t *pdf, cairo_pdf_metadata_t key,
		     const char *text)
{
	if (text && *text)
		cairo_pdf_surface_set_metadata(pdf, key, text);
}

/*
 * No date: it would come from the clock. Version 1.4, since from 1.5 on newer
 * versions of Cairo pack the information dictionary into a compressed stream,
 * where whoever looks for the commit cannot read it.
 */
static cairo_surface_t *new_pdf(double width, double height,
				const struct canvas_info *info,
				struct buf *out)
{
	cairo_surface_t *s = cairo_pdf_surface_create_for_stream(
		append, out, width, height);

	cairo_pdf_surface_restrict_to_version(s, CAIRO_PDF_VERSION_1_4);
	cairo_pdf_surface_set_metadata(s, CAIRO_PDF_METADATA_CREATE_DATE, "");
	set_info(s, CAIRO_PDF_METADATA_TITLE, info->title);
	set_info(s, CAIRO_PDF_METADATA_SUBJECT, info->subject);
	set_info(s, CAIRO_PDF_METADATA_KEYWORDS, info->keywords);
	set_info(s, CAIRO_PDF_METADATA_CREATOR, info->creator);
	return s;
}

static cairo_surface_t *new_image(double width, double height)
{
	double scale = PNG_DPI / POINTS_PER_INCH;
	cairo_surface_t *s = cairo_image_surface_create(
		CAIRO_FORMAT_RGB24, (int)ceil(width * scale),
		(int)ceil(height * scale));

	cairo_surface_set_device_scale(s, scale, scale);
	return s;
}

/* Hinting would tie shapes and widths to the machine and to the pixel grid. */
static void fix_font_options(cairo_t *cr)
{
	cairo_font_options_t *o = cairo_font_options_create();

	cairo_font_options_set_antialias(o, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(o, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(o, CAIRO_HINT_METRICS_OFF);
	cairo_set_font_options(cr, o);
	cairo_font_options_destroy(o);
}

struct canvas *canvas_new(enum figure_format format, double width,
			  double height, const struct canvas_info *info,
			  const struct colour *paper, struct buf *out)
{
	struct canvas *c = mem_zalloc(1, sizeof(*c));

	c->format = format;
	c->out = out;
	switch (format) {
	case FIGURE_PDF:
		c->surface = new_pdf(width, height, info, out);
		break;
	case FIGURE_SVG:
		c->surface = cairo_svg_surface_create_for_stream(
			append, out, width, height);
		break;
	case FIGURE_PNG:
		c->surface = new_image(width, height);
		break;
	}
	c->cr = cairo_create(c->surface);
	fix_font_options(c->cr);
	if (format != FIGURE_PDF) { /* paper has its own colour */
		cairo_set_source_rgb(c->cr, paper->r, paper->g, paper->b);
		cairo_paint(c->cr);
	}
	return c;
}

void canvas_free(struct canvas *c)
{
	if (!c)
		return;
	cairo_destroy(c->cr);
	cairo_surface_destroy(c->surface);
	free(c->marks);
	free(c);
}

void canvas_fail(struct canvas *c, enum error_kind kind, const char *fmt, ...)
{
	char text[sizeof(c->fault.text)];
	va_list ap;

	if (canvas_failed(c))
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	error_set(&c->fault, kind, "%s", text);
}

bool canvas_failed(const struct canvas *c)
{
	return c->fault.kind != ERROR_NONE;
}

static void check_cairo(struct canvas *c, cairo_status_t status)
{
	if (status != CAIRO_STATUS_SUCCESS)
		canvas_fail(c, ERROR_ENVIRONMENT, "drawing failed in Cairo: %s",
			    cairo_status_to_string(status));
}

int canvas_finish(struct canvas *c, struct error *err)
{
	check_cairo(c, cairo_status(c->cr));
	if (c->format == FIGURE_PNG)
		check_cairo(c, cairo_surface_write_to_png_stream(
				       c->surface, append, c->out));
	else
		cairo_show_page(c->cr);
	cairo_surface_finish(c->surface);
	check_cairo(c, cairo_surface_status(c->surface));
	if (canvas_failed(c))
		return error_set(err, c->fault.kind, "%s", c->fault.text);
	return 0;
}

struct _cairo *canvas_cairo(struct canvas *c)
{
	return c->cr;
}

void canvas_note(struct canvas *c, const struct canvas_mark *mark)
{
	MEM_GROW(c->marks, c->n_marks, c->marks_cap);
	c->marks[c->n_marks++] = *mark;
}

const struct canvas_mark *canvas_marks(const struct canvas *c, size_t *n)
{
	*n = c->n_marks;
	return c->marks;
}

static void note_ink(struct canvas *c, double x0, double y0, double x1,
		     double y1)
{
	struct canvas_mark m = { .x = { x0, x1, x1, x0 },
				 .y = { y0, y0, y1, y1 } };

	canvas_note(c, &m);
}

static void set_colour(struct canvas *c, const struct colour *colour)
{
	cairo_set_source_rgb(c->cr, colour->r, colour->g, colour->b);
}

void canvas_fill(struct canvas *c, const struct rect *r,
		 const struct colour *colour)
{
	if (canvas_failed(c))
		return;
	set_colour(c, colour);
	cairo_rectangle(c->cr, r->x, r->y, r->width, r->height);
	cairo_fill(c->cr);
	note_ink(c, r->x, r->y, r->x + r->width, r->y + r->height);
}

void canvas_outline(struct canvas *c, const struct rect *r, double width,
		    const struct colour *colour)
{
	if (canvas_failed(c))
		return;
	if (r->width <= 2 * width || r->height <= 2 * width) {
		canvas_fill(c, r, colour);
		return;
	}
	set_colour(c, colour);
	cairo_set_line_width(c->cr, width);
	cairo_rectangle(c->cr, r->x + width / 2, r->y + width / 2,
			r->width - width, r->height - width);
	cairo_stroke(c->cr);
	note_ink(c, r->x, r->y, r->x + r->width, r->y + r->height);
}

void canvas_lines(struct canvas *c, const struct segment *segments, size_t n,
		  double width, const struct colour *colour)
{
	if (canvas_failed(c))
		return;
	set_colour(c, colour);
	cairo_set_line_width(c->cr, width);
	for (size_t i = 0; i < n; i++) {
		const struct segment *s = &segments[i];

		cairo_move_to(c->cr, s->x0, s->y0);
		cairo_line_to(c->cr, s->x1, s->y1);
		note_ink(c, s->x0, s->y0, s->x1, s->y1);
	}
	cairo_stroke(c->cr);
}

/*
 * The segment of x + y = at (in the rectangle's own coordinates), mirrored
 * left to right when falling. Computed, not clipped: clip paths would be
 * objects of their own in the file.
 */
static void hatch_segment(struct canvas *c, const struct rect *r, double at,
			  bool falling)
{
	double x0 = fmax(0, at - r->height), x1 = fmin(at, r->width);
	double y0 = at - x0, y1 = at - x1;

	if (falling) {
		x0 = r->width - x0;
		x1 = r->width - x1;
	}
	cairo_move_to(c->cr, r->x + x0, r->y + y0);
	cairo_line_to(c->cr, r->x + x1, r->y + y1);
}

void canvas_hatch(struct canvas *c, const struct rect *r, enum hatch hatch,
		  double spacing, double width, const struct colour *colour)
{
	double apart = spacing * sqrt(2);
	int n;

	if (canvas_failed(c) || hatch == HATCH_NONE)
		return;
	set_colour(c, colour);
	cairo_set_line_width(c->cr, width);
	n = (int)ceil((r->width + r->height) / apart - 0.5);
	for (int i = 0; i < n; i++) {
		double at = (i + 0.5) * apart;

		if (hatch != HATCH_FALLING)
			hatch_segment(c, r, at, false);
		if (hatch != HATCH_RISING)
			hatch_segment(c, r, at, true);
	}
	cairo_stroke(c->cr);
	note_ink(c, r->x, r->y, r->x + r->width, r->y + r->height);
}
