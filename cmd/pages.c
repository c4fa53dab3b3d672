#include "cmd/pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "cmd/analysis.h"
#include "cmd/listing.h"
#include "cmd/methods.h"
#include "cmd/origin.h"
#include "cmd/reading.h"
#include "cmd/remarks.h"
#include "cmd/subject.h"
#include "cmd/subset_text.h"
#include "cmd/tabulate.h"
#include "cmd/tally.h"
#include "plot/report/document.h"

/* More would not be read; `assay analyze` prints all. */
#define SENTENCES_MAX 40
#define FAILED_MAX 200

static void add_list(struct document *d, const struct strlist *l)
{
	if (l->n)
		document_list(d, (const char *const *)l->items, l->n);
}

static void add_reading(struct pages *p)
{
	const struct comparisons *c = &p->analysis->comparisons;
	struct strlist sentences = STRLIST_INIT, remarks = STRLIST_INIT;
	struct buf text = BUF_INIT;

	document_heading(p->document, "What the runs show");
	for (size_t i = 0; i < c->n && i < SENTENCES_MAX; i++) {
		buf_clear(&text);
		reading_sentence(&text, p->subject, &c->items[i]);
		buf_addc(&text, '.');
		strlist_push(&sentences, text.data);
	}
	add_list(p->document, &sentences);
	if (c->n > SENTENCES_MAX) {
		buf_clear(&text);
		buf_addf(&text, "The most telling %d of %zu comparisons.",
			 SENTENCES_MAX, c->n);
		document_paragraph(p->document, text.data);
	}
	remarks_make(&remarks, p->analysis);
	for (size_t i = 0; i < remarks.n; i++)
		document_paragraph(p->document, remarks.items[i]);
	strlist_release(&sentences);
	strlist_release(&remarks);
	buf_release(&text);
}

/* On a page, title and caption are the page's: they wrap and can be read
 * aloud. */
static void place_chart(struct pages *p, struct page_chart *c,
			const char *name, const char *title,
			const char *caption)
{
	const struct chart *chart = &p->subject->experiment.charts[p->n_charts
								  - 1];
	struct buf text = BUF_INIT, plain = BUF_INIT;

	reading_response(&plain, p->subject, chart->benchmark,
			 chart->response);
	title = title ? title : plain.data;
	buf_addf(&text, "%s. ", title);
	buf_addf(&text, "%s.", caption);
	document_figure(p->document, name, c->svg.data, c->svg.n,
			title, text.data);
	buf_release(&plain);
	buf_release(&text);
}

/* A chart without data is told in its place: the rest of the report stands. */
static int add_chart(struct pages *p, size_t chart, struct error *err)
{
	struct page_chart *c = &p->charts[p->n_charts++];
	struct figure *f = &c->drawing.figure;
	const char *name = p->subject->experiment.charts[chart].name;
	const char *title, *caption;
	struct error fault = ERROR_INIT;
	int rc;

	buf_init(&c->svg);
	rc = drawing_make(&c->drawing, p->subject, chart,
			  &p->origin->provenance, &fault);
	title = f->title;
	caption = f->caption;
	f->title = f->caption = NULL;
	if (!rc)
		rc = figure_render(f, FIGURE_SVG, &c->svg, &fault);
	if (!rc)
		place_chart(p, c, name, title, caption);
	else if (fault.kind == ERROR_USAGE)
		document_paragraph(p->document, fault.text);
	else
		return error_set(err, fault.kind, "%s", fault.text);
	return 0;
}

static int add_charts(struct pages *p, struct error *err)
{
	size_t n = p->subject->experiment.n_charts;

	p->charts = mem_zalloc(n + 1, sizeof(*p->charts));
	if (n)
		document_heading(p->document, "Charts");
	for (size_t i = 0; i < n; i++)
		if (add_chart(p, i, err))
			return -1;
	return 0;
}

static int add_tables(struct pages *p, struct error *err)
{
	size_t n = p->subject->experiment.n_tables;

	p->tables = mem_zalloc(n + 2, sizeof(*p->tables));
	if (n)
		document_heading(p->document, "Tables");
	for (size_t i = 0; i < n; i++) {
		struct table *t = &p->tables[p->n_tables++];
		struct error fault = ERROR_INIT;

		if (!tabulate_spec(t, p->subject, i, &fault))
			document_table(p->document, t);
		else if (fault.kind == ERROR_USAGE)
			document_paragraph(p->document, fault.text);
		else
			return error_set(err, fault.kind, "%s", fault.text);
	}
	return 0;
}

static int add_methods(struct pages *p, struct error *err)
{
	struct strlist paragraphs = STRLIST_INIT, subsets = STRLIST_INIT;
	struct table *facts = &p->tables[p->n_tables++];

	if (subset_lines(&subsets, p->subject->store, p->subject->campaign.id,
			 err))
		return -1;
	document_heading(p->document, "How it was measured");
	methods_make(&paragraphs, p->subject, p->schedule, p->tally,
		     &subsets, p->origin->same_recipe);
	for (size_t i = 0; i < paragraphs.n; i++)
		document_paragraph(p->document, paragraphs.items[i]);
	strlist_release(&paragraphs);
	strlist_release(&subsets);
	if (tabulate_host_facts(facts, p->subject, err))
		return -1;
	if (facts->n_rows)
		document_table(p->document, facts);
	return 0;
}

static void add_failed(struct pages *p)
{
	struct strlist lines = STRLIST_INIT;

	for (size_t i = 0; i < p->tally->n_rows && lines.n < FAILED_MAX; i++) {
		const struct run_status_row *row = &p->tally->rows[i];

		if (!tally_is_settled(row) || row->outcome == OUTCOME_OK)
			continue;
		strlist_push_nodup(
			&lines,
			mem_printf("%s on %s: %s%s%s", row->key, row->host,
				   tally_outcome_text(row->outcome),
				   row->reason ? ": " : "",
				   row->reason ? row->reason : ""));
	}
	if (lines.n) {
		document_heading(p->document, "Runs without a result");
		add_list(p->document, &lines);
	}
	strlist_release(&lines);
}

int pages_make(struct pages *p, struct error *err)
{
	const struct experiment *e = &p->subject->experiment;
	const char *title = localized_get(&e->title, e->report_language);
	const char *about = localized_get(&e->description,
					  e->report_language);

	p->document = document_new(title ? title : e->name,
				   e->report_language,
				   &p->origin->provenance);
	if (about)
		document_paragraph(p->document, about);
	add_reading(p);
	if (add_charts(p, err) || add_tables(p, err) || add_methods(p, err))
		return -1;
	add_failed(p);
	document_heading(p->document, "The experiment");
	return listing_add_all(p->document, p->subject, p->origin, err);
}

void pages_release(struct pages *p)
{
	document_free(p->document);
	for (size_t i = 0; i < p->n_charts; i++) {
		drawing_release(&p->charts[i].drawing);
		buf_release(&p->charts[i].svg);
	}
	for (size_t i = 0; i < p->n_tables; i++)
		table_release(&p->tables[i]);
	free(p->charts);
	free(p->tables);
	figure_shutdown();
}
