#ifndef CMD_COMPARE_H
#define CMD_COMPARE_H

#include <stddef.h>

#include "cmd/estimates.h"
#include "stats/contrast.h"
#include "stats/estimate.h"

struct cells;
struct subject;

/* A treatment against the baseline, all other factors at the same levels; or
 * against the centre of a one-at-a-time design. */
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

/*
 * Adds those of one response. Without a baseline the treatments of one-at-a-time
 * designs are compared with the centre, and others with nothing.
 */
void comparisons_add(struct comparisons *list, const struct cells *c,
		     double level);
/* Why there is none at all: a sentence, which the caller frees. */
char *comparisons_none(const struct subject *s);
void comparisons_release(struct comparisons *list);

/* The most telling first: what is drawn, then what differs most surely, then
 * what is the same, then what is open. Stable. */
void comparisons_rank(struct comparisons *list);

#endif
