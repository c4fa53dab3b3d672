#ifndef CMD_COMPARE_H
#define CMD_COMPARE_H

#include <stddef.h>

#include "cmd/estimates.h"
#include "stats/contrast.h"
#include "stats/estimate.h"

struct cells;

/* A treatment against the baseline, all other factors at the same levels. */
struct comparison {
	size_t benchmark, response;
	size_t treatment, base;  /* of the design */
	struct estimate ratio;   /* treatment / base; NaN: none, see why */
	enum verdict verdict;
	bool charted;            /* its response is in one of the charts */
	struct run_counts runs, base_runs;
	char *why;               /* why there is no ratio, or NULL */
};

struct comparisons {
	struct comparison *items;
	size_t n;
	size_t cap;
};

#define COMPARISONS_INIT { .items = NULL, .n = 0, .cap = 0 }

/* Adds those of one response; none when the file names no baseline. */
void comparisons_add(struct comparisons *list, const struct cells *c,
		     double level);
void comparisons_release(struct comparisons *list);

/* The most telling first: what is drawn, then what differs most surely, then
 * what is the same, then what is open. Stable. */
void comparisons_rank(struct comparisons *list);

#endif
