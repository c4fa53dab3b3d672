#ifndef SPEC_DRAWING_H
#define SPEC_DRAWING_H

#include <stdbool.h>

#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/reading.h"

/* What charts and tables have in common while they are read. Indexes are -1
 * when unsaid or, which has been reported, undefined. */
struct drawing {
	const char *what; /* "chart" */
	const char *name;
	struct mark mark;
	struct localized title;
	int benchmark;
	int response;
	int x, series;    /* of a chart */
	size_t *rows;     /* of a table */
	size_t n_rows;
	int columns;
	struct condition *where;
	size_t n_where;
	enum chart_kind kind;
	int confidence;   /* per cent */
	int cell;
	bool faulty;      /* a factor is undefined: do not complain further */
};

/* Whether the factor is in the table's rows; anywhere in the drawing. */
bool drawing_has_row(const struct drawing *d, int factor);
bool drawing_shows(const struct drawing *d, int factor);

/*
 * The level to fix a factor at that the drawing does not show: one that there is
 * together with what it shows. The baseline's or the centre's, else one that most
 * treatments have; may be DESIGN_ABSENT. LEVEL_UNKNOWN when that takes the
 * treatments themselves.
 */
#define LEVEL_UNKNOWN SIZE_MAX
size_t drawing_level(const struct experiment *e, const struct drawing *d,
		     size_t factor);

/* Once all its keys are read. `chart` says which of both it is. */
void drawing_check(struct reading *r, struct drawing *d, bool chart);

#endif
