#ifndef CMD_DRAWING_H
#define CMD_DRAWING_H

#include "base/buf.h"
#include "plot/chart/figure.h"

struct error;
struct subject;

/* A chart of the experiment as a figure, with what the figure borrows. */
struct drawing {
	struct figure figure;
	const char **categories;
	const char **series;
	struct estimate *cells;
	struct buf caption;
	unsigned warnings;   /* of all cells, or-ed */
	size_t n_empty;      /* cells without a run */
};

/* chart: index into the experiment's. ERROR_USAGE when it has no run at all. */
int drawing_make(struct drawing *d, const struct subject *s, size_t chart,
		 const struct provenance *p, struct error *err);
void drawing_release(struct drawing *d);

#endif
