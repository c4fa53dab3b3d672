#ifndef CMD_ANALYSIS_H
#define CMD_ANALYSIS_H

#include <stddef.h>

#include "cmd/compare.h"
#include "cmd/estimates.h"

struct cells;
struct error;
struct subject;

/* Everything that the recorded runs say, response by response. */
struct analysis {
	const struct subject *subject;
	double level;
	struct cells *cells;      /* one for each benchmark and response */
	size_t n_cells;
	struct comparisons comparisons; /* ranked */
	struct run_counts counts; /* over the benchmarks, one response each */
	struct warning_counts warnings; /* of the means and the ratios */
	size_t n_foreign, n_beyond; /* runs */
	size_t n_again;           /* runs that were made again */
};

/* The subject must be open. ERROR_USAGE when no run is recorded yet. */
int analysis_make(struct analysis *a, const struct subject *s, double level,
		  struct error *err);
void analysis_release(struct analysis *a);

#endif
