#ifndef CMD_PAGES_H
#define CMD_PAGES_H

#include <stddef.h>

#include "base/buf.h"
#include "cmd/drawing.h"
#include "plot/table/table.h"

struct analysis;
struct document;
struct error;
struct origin;
struct schedule;
struct subject;
struct tally;

/* A report under way, and what its document borrows until it is written. */
struct pages {
	const struct subject *subject;
	const struct origin *origin;
	const struct analysis *analysis;
	const struct schedule *schedule;
	const struct tally *tally;
	struct document *document;
	struct page_chart {
		struct drawing drawing;
		struct buf svg;
	} *charts;
	size_t n_charts;
	struct table *tables; /* the experiment's, then the hosts' facts */
	size_t n_tables;
};

/* Fills in the document from the five pointers in front. */
int pages_make(struct pages *p, struct error *err);
void pages_release(struct pages *p);

#endif
