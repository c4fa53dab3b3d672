#include "plot/chart/stamp.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "plot/chart/chart.h"
#include "plot/chart/figure.h"

static bool said(const char *s)
{
	return s && *s;
}

/* `before`, then the text as valid UTF-8. */
static void add(struct buf *out, const char *before, const char *text)
{
	buf_adds(out, before);
	utf8_add_printable(out, text, strlen(text));
}

static void add_fact(struct buf *out, const char *name, const char *value)
{
	if (!said(value))
		return;
	buf_addf(out, "%s%s", out->n ? "; " : "", name);
	add(out, ": ", value);
}

void stamp_keywords(struct buf *out, const struct figure *f)
{
	const struct provenance *p = &f->provenance;

	add_fact(out, "experiment", p->experiment);
	add_fact(out, "commit", p->commit);
	add_fact(out, "campaign", p->campaign);
	add_fact(out, "data", p->digest);
	add_fact(out, "version", p->version);
}

void stamp_title(struct buf *out, const struct figure *f)
{
	if (said(f->title))
		add(out, "", f->title);
	else if (said(f->y_title))
		add(out, "", f->y_title);
}

static void add_list(struct buf *out, const char *const *items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		add(out, i ? ", " : ": ", items[i] ? items[i] : "");
}

void stamp_description(struct buf *out, const struct figure *f)
{
	const struct chart_kind *kind = chart_kind_get(f->kind);

	buf_adds(out, kind ? kind->noun : "Chart");
	if (said(f->y_title))
		add(out, " of ", f->y_title);
	if (said(f->uom)) {
		add(out, " (", f->uom);
		buf_addc(out, ')');
	}
	if (said(f->x_title))
		add(out, " by ", f->x_title);
	add_list(out, f->categories, f->n_categories);
	if (f->series && (f->n_series > 1 || said(f->series_title))) {
		add(out, "; ", said(f->series_title) ? f->series_title
						     : "series");
		add_list(out, f->series, f->n_series);
	}
	buf_addc(out, '.');
	if (said(f->caption))
		add(out, " ", f->caption);
}

void stamp_creator(struct buf *out, const struct figure *f)
{
	buf_adds(out, "assay");
	if (said(f->provenance.version))
		add(out, " ", f->provenance.version);
}
