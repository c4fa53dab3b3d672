#include "plot/report/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "plot/report/document_parts.h"

static char *printable(const char *text)
{
	struct buf b = BUF_INIT;

	if (text)
		utf8_add_printable(&b, text, strlen(text));
	return buf_detach(&b);
}

static const char *keep(struct document *d, const char *text)
{
	strlist_push_nodup(&d->provenance_texts, printable(text));
	return d->provenance_texts.items[d->provenance_texts.n - 1];
}

struct document *document_new(const char *title, const char *language,
			      const struct provenance *p)
{
	struct document *d = mem_zalloc(1, sizeof(*d));

	d->title = printable(title);
	d->language = printable(language);
	d->provenance.experiment = keep(d, p->experiment);
	d->provenance.commit = keep(d, p->commit);
	d->provenance.campaign = keep(d, p->campaign);
	d->provenance.digest = keep(d, p->digest);
	d->provenance.version = keep(d, p->version);
	return d;
}

void document_free(struct document *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->n; i++) {
		free(d->parts[i].name);
		free(d->parts[i].text);
		free(d->parts[i].alt);
		strlist_release(&d->parts[i].items);
	}
	free(d->parts);
	strlist_release(&d->provenance_texts);
	free(d->title);
	free(d->language);
	free(d);
}

static struct part *add_part(struct document *d, enum part_kind kind)
{
	MEM_GROW(d->parts, d->n, d->cap);
	d->parts[d->n] = (struct part){ .kind = kind };
	return &d->parts[d->n++];
}

void document_heading(struct document *d, const char *text)
{
	add_part(d, PART_HEADING)->text = printable(text);
}

void document_paragraph(struct document *d, const char *text)
{
	add_part(d, PART_PARAGRAPH)->text = printable(text);
}

void document_list(struct document *d, const char *const *items, size_t n)
{
	struct part *part = add_part(d, PART_LIST);

	for (size_t i = 0; i < n; i++)
		strlist_push_nodup(&part->items, printable(items[i]));
}

void document_table(struct document *d, const struct table *t)
{
	add_part(d, PART_TABLE)->table = t;
}

void document_figure(struct document *d, const char *name, const char *svg,
		     size_t n, const char *alt, const char *caption)
{
	struct part *part = add_part(d, PART_FIGURE);

	part->name = printable(name);
	part->svg = svg;
	part->n_svg = n;
	part->alt = printable(alt);
	part->text = printable(caption);
}

void document_listing(struct document *d, const char *name, const char *text)
{
	struct part *part = add_part(d, PART_LISTING);

	part->name = printable(name);
	part->text = printable(text);
}
