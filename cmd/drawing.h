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
	bool *exists;
	struct buf caption;
	unsigned warnings;   /* of all cells, or-ed */
	size_t n_empty;      /* cells of treatments without a run */
};

/*
 * Has a place for every level that treatments of the benchmark have, the absence
 * of a factor last. chart: index into the experiment's. ERROR_USAGE when it has
 * no run at all.
 */
int drawing_make(struct drawing *d, const struct subject *s, size_t chart,
		 const struct provenance *p, struct error *err);
void drawing_release(struct drawing *d);

#endif
