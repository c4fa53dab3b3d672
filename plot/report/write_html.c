#include "plot/report/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "plot/report/document_parts.h"
#include "plot/report/svg_inline.h"
#include "plot/report/template.h"
#include "plot/table/prose.h"
#include "plot/table/table.h"

/* A list of contents is a help from this many sections on. */
#define CONTENTS_MIN 4

struct writer {
	struct filling *sections;
	struct filling *parts; /* of the section that is being filled */
	struct map ids;      /* those given out */
	unsigned figures;
	struct error *err;
};

/* A template may ask for any of these; those that a part is not are empty. */
static const char *const part_names[] = {
	[PART_PARAGRAPH] = "paragraph", [PART_LIST] = "list",
	[PART_TABLE] = "table",	      [PART_FIGURE] = "figure",
	[PART_LISTING] = "listing",
};

static void add_part(struct writer *w, enum part_kind kind,
		     struct filling *content)
{
	struct filling *part = filling_object();

	for (int k = PART_PARAGRAPH; k <= PART_LISTING; k++)
		filling_set_text(part, part_names[k], "");
	filling_set(part, part_names[kind], content);
	filling_push(w->parts, part);
}

static struct filling *prose(const char *text)
{
	char *bound = prose_bind(text);
	struct filling *v = filling_text(bound);

	free(bound);
	return v;
}

/* "Synced random writes" becomes "synced-random-writes". */
static void add_slug(struct buf *id, const char *text)
{
	size_t start = id->n;

	for (; *text; text++) {
		char c = *text;

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			buf_addc(id, c);
		else if (id->n > start && id->data[id->n - 1] != '-')
			buf_addc(id, '-');
	}
	while (id->n > start && id->data[id->n - 1] == '-')
		id->data[--id->n] = '\0';
}

/* An id of the page that no other element has; caller frees. */
static char *new_id(struct writer *w, const char *kind, const char *text)
{
	struct buf id = BUF_INIT;
	size_t base;

	buf_adds(&id, kind);
	buf_addc(&id, '-');
	add_slug(&id, text);
	base = id.n;
	for (unsigned i = 2; map_get(&w->ids, id.data); i++) {
		id.n = base;
		buf_addf(&id, "-%u", i);
	}
	map_put(&w->ids, id.data, w);
	return buf_detach(&id);
}

static void open_section(struct writer *w, const char *heading)
{
	struct filling *section = filling_object();
	char *id = new_id(w, "section", heading);

	w->parts = filling_list();
	filling_set_text(section, "heading", heading);
	filling_set_text(section, "id", id);
	filling_set(section, "parts", w->parts);
	filling_push(w->sections, section);
	free(id);
}

static void add_list(struct writer *w, const struct strlist *items)
{
	struct filling *list = filling_object(), *values = filling_list();

	for (size_t i = 0; i < items->n; i++)
		filling_push(values, prose(items->items[i]));
	filling_set(list, "items", values);
	add_part(w, PART_LIST, list);
}

static void add_table(struct writer *w, const struct table *t)
{
	struct filling *table = filling_object();
	struct buf html = BUF_INIT;

	table_write_html(t, &html);
	filling_set(table, "html", filling_text_n(html.data, html.n));
	buf_release(&html);
	add_part(w, PART_TABLE, table);
}

static int add_figure(struct writer *w, const struct part *part)
{
	struct filling *figure = filling_object();
	char *id = new_id(w, "figure", part->name);
	char *prefix = mem_printf("f%u-", ++w->figures);
	struct svg_source svg = { .name = part->name,
				  .data = part->svg,
				  .n = part->n_svg,
				  .alt = part->alt,
				  .prefix = prefix };
	struct buf html = BUF_INIT;
	int rc = svg_inline(&svg, &html, w->err);

	filling_set_text(figure, "id", id);
	filling_set_text(figure, "name", part->name);
	filling_set_text(figure, "alt", part->alt);
	filling_set(figure, "caption", prose(part->text));
	filling_set(figure, "svg", filling_text_n(html.data, html.n));
	add_part(w, PART_FIGURE, figure);
	buf_release(&html);
	free(prefix);
	free(id);
	return rc;
}

static void add_listing(struct writer *w, const struct part *part)
{
	struct filling *listing = filling_object();
	char *id = new_id(w, "listing", part->name);

	filling_set_text(listing, "id", id);
	filling_set_text(listing, "name", part->name);
	filling_set_text(listing, "text", part->text);
	add_part(w, PART_LISTING, listing);
	free(id);
}

static int write_part(struct writer *w, const struct part *part)
{
	if (part->kind == PART_HEADING) {
		open_section(w, part->text);
		return 0;
	}
	if (!w->parts)
		open_section(w, "");
	switch (part->kind) {
	case PART_PARAGRAPH:
		add_part(w, PART_PARAGRAPH, prose(part->text));
		return 0;
	case PART_LIST:
		add_list(w, &part->items);
		return 0;
	case PART_TABLE:
		add_table(w, part->table);
		return 0;
	case PART_FIGURE:
		return add_figure(w, part);
	case PART_LISTING:
		add_listing(w, part);
		return 0;
	case PART_HEADING:
		break;
	}
	return 0;
}

static struct filling *provenance_filling(const struct provenance *p)
{
	struct filling *v = filling_object();

	filling_set_text(v, "experiment", p->experiment);
	filling_set_text(v, "commit", p->commit);
	filling_set_text(v, "campaign", p->campaign);
	filling_set_text(v, "digest", p->digest);
	filling_set_text(v, "version", p->version);
	return v;
}

/* The headings with their ids, or nothing when they are few. */
static struct filling *contents_filling(const struct filling *sections)
{
	static const char *const names[] = { "heading", "id" };
	struct filling *contents = filling_object(), *list = filling_list();

	for (size_t i = 0; i < filling_count(sections); i++) {
		const struct filling *section = filling_at(sections, i);
		struct filling *entry = filling_object();

		for (size_t k = 0; k < 2; k++)
			filling_set_text(entry, names[k],
				       filling_bytes(filling_get(section, names[k],
							     strlen(names[k])),
						   NULL));
		if (filling_is_true(filling_get(entry, "heading", 7)))
			filling_push(list, entry);
		else
			filling_free(entry);
	}
	if (filling_count(list) < CONTENTS_MIN) {
		filling_free(contents);
		filling_free(list);
		return filling_text("");
	}
	filling_set(contents, "entries", list);
	return contents;
}

int document_write_html(const struct document *d, const char *template_name,
			const char *template_text, struct buf *out,
			struct error *err)
{
	struct filling *root = filling_object();
	struct writer w = { .sections = filling_list(), .ids = MAP_INIT,
			    .err = err };
	int rc = 0;

	filling_set_text(root, "title", d->title);
	filling_set_text(root, "language", d->language);
	filling_set(root, "provenance", provenance_filling(&d->provenance));
	filling_set(root, "sections", w.sections);
	for (size_t i = 0; i < d->n && rc == 0; i++)
		rc = write_part(&w, &d->parts[i]);
	filling_set(root, "contents", contents_filling(w.sections));
	if (rc == 0)
		rc = template_render(template_name, template_text, root, out,
				     err);
	map_release(&w.ids);
	filling_free(root);
	return rc;
}
