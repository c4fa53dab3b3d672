#ifndef CMD_ESTIMATES_H
#define CMD_ESTIMATES_H

#include <stdbool.h>
#include <stddef.h>

#include "orchestrate/spec/experiment.h"
#include "stats/estimate.h"
#include "stats/sample.h"

struct buf;
struct error;
struct strlist;

/*
 * What a cell shows of its runs. No run at all is no fault: then the value is
 * NaN and n is 0.
 */
int estimate_sample(const struct sample *s, enum cell_kind kind, double level,
		    struct estimate *out, struct error *err);

/* The runs behind several estimates: how few, how many, and what was left out. */
struct run_counts {
	size_t n_min, n_max; /* over the cells that have any run */
	size_t n_failed, n_censored, n_invalid;
	bool any;
};

void run_counts_add(struct run_counts *c, const struct sample *s);
/* "n = 5", or "n = 4 to 5" */
void run_counts_text(const struct run_counts *c, struct buf *out);
/* "1 failed, 2 timed out, 1 invalid"; false when nothing was left out. */
bool run_counts_left_out(const struct run_counts *c, struct buf *out);

/* Adds the text of each warning bit that is not in the list yet. */
void estimate_warnings(unsigned warnings, struct strlist *out);

/* How many of several estimates carry each warning, and which. */
#define WARNING_NAMES 2
struct warning_counts {
	struct warning_count {
		size_t n;
		char *names[WARNING_NAMES]; /* of the first */
	} by_bit[sizeof(unsigned) * 8];
	size_t n_estimates;
};
void warning_counts_add(struct warning_counts *c, const struct estimate *e,
			const char *name);
void warning_counts_release(struct warning_counts *c);
/* A sentence for each warning: its text, and "(3 of 12 estimates: A; B; and 1
 * more)". */
void warning_counts_text(const struct warning_counts *c, struct strlist *out);

/* "95 %" */
void level_percent(double level, struct buf *out);

#endif
