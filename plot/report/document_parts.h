#ifndef PLOT_REPORT_DOCUMENT_PARTS_H
#define PLOT_REPORT_DOCUMENT_PARTS_H

#include <stddef.h>

#include "base/strlist.h"
#include "plot/provenance.h"

struct table;

/* What document_* has collected, for the writers. */
enum part_kind {
	PART_HEADING,
	PART_PARAGRAPH,
	PART_LIST,
	PART_TABLE,
	PART_FIGURE,
	PART_LISTING,
};

struct part {
	enum part_kind kind;
	char *name;    /* of a figure or listing */
	char *text;    /* of a heading, paragraph or listing; a caption */
	char *alt;
	struct strlist items;
	const struct table *table; /* borrowed */
	const char *svg;           /* borrowed, n_svg bytes */
	size_t n_svg;
};

struct document {
	char *title;
	char *language;
	struct provenance provenance; /* of the copies below */
	struct strlist provenance_texts;
	struct part *parts;
	size_t n;
	size_t cap;
};

#endif
