#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "plot/chart/figure.h"
#include "plot/chart/stamp.h"

#define PREFIX_SIZE 11 /* letter and 10 hex digits */
#define PLACEHOLDER "z0000000000"

/*
 * Rewrites the ids. Cairo numbers its surfaces through the life of the process,
 * and every figure has a "glyph0-1": new ids are numbered by first appearance,
 * behind a prefix that is filled in when the content is known.
 */
struct renumber {
	struct buf *out;
	struct map ids;    /* old id -> its number from 1, as a pointer */
	size_t *prefixes;  /* offsets in `out` */
	size_t n, cap;
};

static void add_prefix(struct renumber *r)
{
	MEM_GROW(r->prefixes, r->n, r->cap);
	r->prefixes[r->n++] = r->out->n;
	buf_adds(r->out, PLACEHOLDER);
}

static void add_id(struct renumber *r, const char *old, size_t n)
{
	char *key = mem_strndup(old, n);
	uintptr_t number = (uintptr_t)map_get(&r->ids, key);

	if (!number) {
		number = r->ids.n + 1;
		map_put(&r->ids, key, (void *)number);
	}
	add_prefix(r);
	buf_addf(r->out, "-%zu", (size_t)number);
	free(key);
}

static const char *const marks[] = { " id=\"", "href=\"#", "url(#" };
#define N_MARKS (sizeof(marks) / sizeof(marks[0]))

/*
 * The mark nearest after `s`, or NULL; *end is where its id begins. next[]
 * remembers what was found, so that the text is searched once a mark.
 */
static const char *next_mark(const char *s, const char *next[N_MARKS],
			     const char **end)
{
	const char *nearest = NULL;

	for (size_t i = 0; i < N_MARKS; i++) {
		if (next[i] && next[i] < s)
			next[i] = strstr(s, marks[i]);
		if (next[i] && (!nearest || next[i] < nearest)) {
			nearest = next[i];
			*end = nearest + strlen(marks[i]);
		}
	}
	return nearest;
}

/* Cairo's own markup only: no text of ours is in it yet. */
static void copy_renumbered(struct renumber *r, const char *s)
{
	const char *next[N_MARKS], *id;

	for (size_t i = 0; i < N_MARKS; i++)
		next[i] = strstr(s, marks[i]);
	while (next_mark(s, next, &id)) {
		size_t n = strcspn(id, "\")");

		buf_add(r->out, s, (size_t)(id - s));
		add_id(r, id, n);
		s = id + n;
	}
	buf_adds(r->out, s);
}

/* XML 1.0 has no way to write control characters. */
static void add_attribute(struct buf *out, const char *name, const char *value)
{
	struct buf shown = BUF_INIT;

	utf8_add_printable(&shown, value ? value : "",
			   value ? strlen(value) : 0);
	buf_addf(out, " %s=\"", name);
	buf_add_xml(out, shown.data);
	buf_addc(out, '"');
	buf_release(&shown);
}

static void add_labels(struct renumber *r, const struct figure *f)
{
	struct buf title = BUF_INIT, description = BUF_INIT;

	stamp_title(&title, f);
	stamp_description(&description, f);
	buf_adds(r->out, "<title id=\"");
	add_prefix(r);
	buf_adds(r->out, "-title\">");
	buf_add_xml(r->out, title.data);
	buf_adds(r->out, "</title>\n<desc id=\"");
	add_prefix(r);
	buf_adds(r->out, "-desc\">");
	buf_add_xml(r->out, description.data);
	buf_adds(r->out, "</desc>\n");
	buf_release(&description);
	buf_release(&title);
}

static void add_metadata(struct buf *out, const struct figure *f)
{
	const struct provenance *p = &f->provenance;

	buf_adds(out, "<metadata>\n<assay:provenance "
		      "xmlns:assay=\"urn:assay:provenance:1\"");
	add_attribute(out, "experiment", p->experiment);
	add_attribute(out, "commit", p->commit);
	add_attribute(out, "campaign", p->campaign);
	add_attribute(out, "data", p->digest);
	add_attribute(out, "version", p->version);
	buf_adds(out, "/>\n</metadata>\n");
}

static void add_role(struct renumber *r)
{
	buf_adds(r->out, " role=\"img\" aria-labelledby=\"");
	add_prefix(r);
	buf_adds(r->out, "-title ");
	add_prefix(r);
	buf_adds(r->out, "-desc\"");
}

static void fill_prefixes(const struct renumber *r)
{
	struct hash *h = hash_new();
	char hex[HASH_HEX_SIZE];

	hash_add(h, r->out->data, r->out->n);
	hash_finish(h, hex);
	hash_free(h);
	for (size_t i = 0; i < r->n; i++)
		memcpy(r->out->data + r->prefixes[i] + 1, hex,
		       PREFIX_SIZE - 1);
}

void stamp_svg(struct buf *svg, const struct figure *f)
{
	struct buf out = BUF_INIT;
	struct renumber r = { .out = &out, .ids = MAP_INIT };
	char *element = strstr(svg->data, "<svg");
	char *end = element ? strchr(element, '>') : NULL;

	if (!end)
		return;
	buf_add(&out, svg->data, (size_t)(end - svg->data));
	add_role(&r);
	buf_adds(&out, ">\n");
	add_labels(&r, f);
	add_metadata(&out, f);
	copy_renumbered(&r, end + 1);
	fill_prefixes(&r);
	map_release(&r.ids);
	free(r.prefixes);
	buf_release(svg);
	*svg = out;
}
