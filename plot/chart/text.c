#include "plot/chart/text.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "plot/chart/canvas.h"

/* On a canvas a unit is a point. */
#define UNITS_PER_INCH 72.0
#define REPLACEMENT "\xef\xbf\xbd"
#define ELLIPSIS "\xe2\x80\xa6"

struct text {
	PangoLayout *layout;
	struct colour colour;
	struct text_box box;
	double left; /* of the lines within the layout */
	double width, height;
	struct text *next;
};

struct text_setter {
	PangoContext *context;
	const struct theme *theme;
	struct text *texts;
	struct error fault;
};

static PangoFontDescription *describe(const struct theme *theme,
				      const struct theme_text *style)
{
	PangoFontDescription *d = pango_font_description_new();

	pango_font_description_set_family_static(d, theme->family);
	pango_font_description_set_absolute_size(d,
						 style->size * PANGO_SCALE);
	pango_font_description_set_weight(d, style->bold ? PANGO_WEIGHT_BOLD
							 : PANGO_WEIGHT_NORMAL);
	return d;
}

/* Hinting would tie widths to the machine and to the pixel grid. */
static void fix_options(PangoContext *context)
{
	cairo_font_options_t *o = cairo_font_options_create();

	cairo_font_options_set_antialias(o, CAIRO_ANTIALIAS_GRAY);
	cairo_font_options_set_hint_style(o, CAIRO_HINT_STYLE_NONE);
	cairo_font_options_set_hint_metrics(o, CAIRO_HINT_METRICS_OFF);
	pango_cairo_context_set_font_options(context, o);
	cairo_font_options_destroy(o);
	pango_cairo_context_set_resolution(context, UNITS_PER_INCH);
	pango_context_set_round_glyph_positions(context, FALSE);
	pango_context_set_language(context, pango_language_from_string("en"));
}

/* Pango itself would only warn, and then draw nothing or stop the program. */
static bool has_font(PangoFontMap *map, PangoContext *context,
		     const struct theme *theme)
{
	PangoFontDescription *d = describe(theme, &theme->tick);
	PangoFontFamily **families = NULL;
	PangoFont *font = NULL;
	int n = 0;

	pango_font_map_list_families(map, &families, &n);
	if (n > 0)
		font = pango_font_map_load_font(map, context, d);
	g_free(families);
	pango_font_description_free(d);
	if (font)
		g_object_unref(font);
	return font != NULL;
}

int text_setter_new(struct text_setter **out, const struct theme *theme,
		    struct error *err)
{
	PangoFontMap *map = pango_cairo_font_map_get_default();
	struct text_setter *s = mem_zalloc(1, sizeof(*s));

	s->theme = theme;
	s->context = pango_font_map_create_context(map);
	fix_options(s->context);
	if (!has_font(map, s->context, theme)) {
		text_setter_free(s);
		return error_set(err, ERROR_ENVIRONMENT,
				 "no font found to label charts with: install "
				 "one (Debian: apt-get install "
				 "fonts-dejavu-core)");
	}
	*out = s;
	return 0;
}

void text_setter_free(struct text_setter *s)
{
	if (!s)
		return;
	while (s->texts) {
		struct text *t = s->texts;

		s->texts = t->next;
		g_object_unref(t->layout);
		free(t);
	}
	g_object_unref(s->context);
	free(s);
}

int text_setter_check(const struct text_setter *s, struct error *err)
{
	if (s->fault.kind)
		return error_set(err, s->fault.kind, "%s", s->fault.text);
	return 0;
}

static const char *font_package(const char *content)
{
	for (const char *p = content; *p; p = g_utf8_next_char(p)) {
		switch (g_unichar_get_script(g_utf8_get_char(p))) {
		case G_UNICODE_SCRIPT_HAN:
		case G_UNICODE_SCRIPT_HIRAGANA:
		case G_UNICODE_SCRIPT_KATAKANA:
		case G_UNICODE_SCRIPT_HANGUL:
		case G_UNICODE_SCRIPT_BOPOMOFO:
			return "fonts-noto-cjk";
		default:
			break;
		}
	}
	return "fonts-noto-core";
}

static void check_glyphs(struct text_setter *s, struct text *t)
{
	const char *content = pango_layout_get_text(t->layout);

	if (s->fault.kind || !pango_layout_get_unknown_glyphs_count(t->layout))
		return;
	error_set(&s->fault, ERROR_ENVIRONMENT,
		  "no installed font has all letters of '%.200s': install one "
		  "(Debian: apt-get install %s)",
		  content, font_package(content));
}

/* A hyphen of Pango's would be read as one of the name's. */
static void forbid_hyphens(PangoLayout *layout)
{
	PangoAttrList *list = pango_attr_list_new();

	pango_attr_list_insert(list, pango_attr_insert_hyphens_new(FALSE));
	pango_layout_set_attributes(layout, list);
	pango_attr_list_unref(list);
}

static void set_box(PangoLayout *layout, const struct text_box *box)
{
	static const PangoAlignment aligns[] = {
		[TEXT_LEFT] = PANGO_ALIGN_LEFT,
		[TEXT_CENTRE] = PANGO_ALIGN_CENTER,
		[TEXT_RIGHT] = PANGO_ALIGN_RIGHT,
	};

	if (box->fit == TEXT_FREE || box->fit == TEXT_CUT)
		return;
	pango_layout_set_width(layout,
			       (int)(fmax(box->width, 1) * PANGO_SCALE));
	pango_layout_set_alignment(layout, aligns[box->align]);
	pango_layout_set_wrap(layout, box->fit == TEXT_WRAP
					      ? PANGO_WRAP_WORD
					      : PANGO_WRAP_WORD_CHAR);
	if (box->fit == TEXT_WRAP_CUT) {
		forbid_hyphens(layout);
		pango_layout_set_height(layout, -(int)box->lines);
		pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END);
	}
}

/* Few fonts have pictures of control characters: they show as bad bytes do. */
static void set_content(PangoLayout *layout, const char *content)
{
	struct buf plain = BUF_INIT, shown = BUF_INIT;

	for (const char *p = content; *p; p++) {
		if (*p == '\n' || *p == '\t')
			buf_addc(&plain, ' ');
		else if ((unsigned char)*p < 0x20 || *p == 0x7f)
			buf_adds(&plain, REPLACEMENT);
		else
			buf_addc(&plain, *p);
	}
	utf8_add_printable(&shown, plain.data, plain.n);
	pango_layout_set_text(layout, shown.data, (int)shown.n);
	buf_release(&shown);
	buf_release(&plain);
}

/* Keeps `n` of the graphemes that begin at starts[], those at both ends. */
static void keep_ends(PangoLayout *layout, const char *whole,
		      const size_t *starts, size_t all, size_t n)
{
	struct buf shown = BUF_INIT;

	buf_add(&shown, whole, starts[(n + 1) / 2]);
	buf_adds(&shown, ELLIPSIS);
	buf_adds(&shown, whole + starts[all - n / 2]);
	pango_layout_set_text(layout, shown.data, (int)shown.n);
	buf_release(&shown);
}

static bool is_wider(PangoLayout *layout, double width)
{
	int now;

	pango_layout_get_size(layout, &now, NULL);
	return now > (int)(width * PANGO_SCALE);
}

/*
 * Takes out of the middle what does not fit: labels often differ at their end.
 * Pango can do that too, but pads what is left to the full width.
 */
static void cut(PangoLayout *layout, double width)
{
	char *whole = mem_strdup(pango_layout_get_text(layout));
	const char *p = whole;
	const PangoLogAttr *attrs;
	size_t *starts, all = 0, low = 0, high;
	int n;

	attrs = pango_layout_get_log_attrs_readonly(layout, &n);
	starts = mem_zalloc((size_t)n + 1, sizeof(*starts));
	for (int i = 0; i < n; i++) {
		if (attrs[i].is_cursor_position)
			starts[all++] = (size_t)(p - whole);
		p = *p ? g_utf8_next_char(p) : p;
	}
	all = all ? all - 1 : 0; /* the last one is the end */
	high = all;
	while (low + 1 < high) {
		size_t middle = (low + high) / 2;

		keep_ends(layout, whole, starts, all, middle);
		if (is_wider(layout, width))
			high = middle;
		else
			low = middle;
	}
	keep_ends(layout, whole, starts, all, low);
	free(starts);
	free(whole);
}

static void measure(struct text *t)
{
	PangoRectangle logical;

	pango_layout_get_extents(t->layout, NULL, &logical);
	t->left = (double)logical.x / PANGO_SCALE;
	t->width = (double)logical.width / PANGO_SCALE;
	t->height = (double)logical.height / PANGO_SCALE;
}

struct text *text_new(struct text_setter *s, const struct theme_text *style,
		      const struct text_box *box, const char *content)
{
	static const struct text_box none = { .lines = 1, .fit = TEXT_FREE };
	PangoFontDescription *d = describe(s->theme, style);
	struct text *t = mem_zalloc(1, sizeof(*t));

	t->box = box ? *box : none;
	t->colour = style->colour;
	t->layout = pango_layout_new(s->context);
	pango_layout_set_font_description(t->layout, d);
	pango_font_description_free(d);
	pango_layout_set_single_paragraph_mode(t->layout, TRUE);
	/* a right-to-left text stays on the side that it is put on */
	pango_layout_set_auto_dir(t->layout, TRUE);
	set_content(t->layout, content ? content : "");
	set_box(t->layout, &t->box);
	if (t->box.fit == TEXT_CUT && is_wider(t->layout, t->box.width))
		cut(t->layout, t->box.width);
	measure(t);
	check_glyphs(s, t);
	t->next = s->texts;
	s->texts = t;
	return t;
}

double text_width(const struct text *t)
{
	return t->width;
}

double text_height(const struct text *t)
{
	return t->height;
}

double text_baseline(const struct text *t)
{
	return (double)pango_layout_get_baseline(t->layout) / PANGO_SCALE;
}

bool text_fits(const struct text *t)
{
	return t->width <= t->box.width &&
	       pango_layout_get_line_count(t->layout) <= (int)t->box.lines;
}

/* The ink's corners on the page: the layout's origin is (x0, y0), turned. */
static void note(const struct text *t, struct canvas *c, cairo_t *cr)
{
	struct canvas_mark m = { .is_text = true };
	PangoRectangle ink;

	pango_layout_get_extents(t->layout, &ink, NULL);
	if (!ink.width || !ink.height)
		return;
	for (int i = 0; i < 4; i++) {
		bool right = i == 1 || i == 2, low = i >= 2;

		m.x[i] = (double)(ink.x + (right ? ink.width : 0)) /
			 PANGO_SCALE;
		m.y[i] = (double)(ink.y + (low ? ink.height : 0)) /
			 PANGO_SCALE;
		cairo_user_to_device(cr, &m.x[i], &m.y[i]);
	}
	canvas_note(c, &m);
}

void text_draw(const struct text *t, struct canvas *c, double x, double y,
	       double across, double down, double degrees)
{
	cairo_t *cr = canvas_cairo(c);

	if (canvas_failed(c))
		return;
	cairo_save(cr);
	cairo_translate(cr, x, y);
	cairo_rotate(cr, -degrees * M_PI / 180);
	cairo_translate(cr, -t->left - across * t->width, -down * t->height);
	cairo_set_source_rgb(cr, t->colour.r, t->colour.g, t->colour.b);
	cairo_move_to(cr, 0, 0);
	pango_cairo_show_layout(cr, t->layout);
	note(t, c, cr);
	cairo_restore(cr);
}

void text_shutdown(void)
{
	pango_cairo_font_map_set_default(NULL);
}
