#include "plot/table/table.h"

#include <stdlib.h>

#include "base/buf.h"
#include "plot/table/prose.h"
#include "plot/table/table_align.h"

/* Spaces about as wide in most fonts as what they stand for. */
static const struct table_pads pads = {
	.digit = "\xe2\x80\x87",   /* figure space */
	.point = "\xe2\x80\x88",   /* punctuation space */
	.group = "\xe2\x80\xaf",   /* narrow no-break space */
	.space = "\xe2\x80\x85",   /* four-per-em space */
	.bracket = "\xe2\x80\x84", /* three-per-em space */
};

static void add_prose(struct buf *out, const char *text)
{
	char *bound = prose_bind(text);

	buf_add_xml(out, bound);
	free(bound);
}

static const char *class_of(const struct table_column *c)
{
	return c->align == TABLE_RIGHT ? " class=\"num\"" : "";
}

static void add_head(const struct table *t, struct buf *out)
{
	buf_adds(out, "<thead>\n<tr>");
	for (size_t i = 0; i < t->n_columns; i++) {
		buf_addf(out, "<th scope=\"col\"%s>",
			 class_of(&t->columns[i]));
		buf_add_xml(out, t->columns[i].header);
		buf_adds(out, "</th>");
	}
	buf_adds(out, "</tr>\n</thead>\n");
}

static void add_cell(const struct table_column *c, const char *text,
		     struct buf *out)
{
	buf_addf(out, c->head ? "<th scope=\"row\"%s>" : "<td%s>",
		 class_of(c));
	buf_add_xml(out, text);
	buf_adds(out, c->head ? "</th>" : "</td>");
}

static void add_body(const struct table *t, struct buf *out)
{
	char **cells = table_align(t, &pads);

	buf_adds(out, "<tbody>\n");
	for (size_t i = 0; i < t->n_rows; i++) {
		buf_adds(out, "<tr>");
		for (size_t k = 0; k < t->n_columns; k++)
			add_cell(&t->columns[k], cells[i * t->n_columns + k],
				 out);
		buf_adds(out, "</tr>\n");
	}
	buf_adds(out, "</tbody>\n");
	table_align_free(t, cells);
}

static void add_notes(const struct table *t, struct buf *out)
{
	if (!t->n_notes)
		return;
	buf_adds(out, "<ul class=\"notes\">\n");
	for (size_t i = 0; i < t->n_notes; i++) {
		buf_adds(out, "<li>");
		add_prose(out, t->notes[i]);
		buf_adds(out, "</li>\n");
	}
	buf_adds(out, "</ul>\n");
}

/* The scrolling box takes the keyboard's focus, and so must have a name. */
static void open_box(const struct table *t, struct buf *out)
{
	buf_adds(out, "<div class=\"table\">\n<div class=\"scroll\"");
	if (t->title) {
		buf_adds(out, " role=\"region\" tabindex=\"0\" aria-label=\"");
		buf_add_xml(out, t->title);
		buf_addc(out, '"');
	}
	buf_adds(out, ">\n<table>\n");
}

void table_write_html(const struct table *t, struct buf *out)
{
	open_box(t, out);
	if (t->title) {
		buf_adds(out, "<caption>");
		add_prose(out, t->title);
		buf_adds(out, "</caption>\n");
	}
	add_head(t, out);
	add_body(t, out);
	buf_adds(out, "</table>\n</div>\n");
	add_notes(t, out);
	buf_adds(out, "</div>\n");
}
