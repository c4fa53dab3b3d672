#ifndef CMD_CELLS_H
#define CMD_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "orchestrate/spec/experiment.h"
#include "stats/frame.h"
#include "stats/sample.h"
#include "stats/selection.h"

struct error;
struct occurrences;
struct setting;
struct subject;

/*
 * The recorded runs of one response of one benchmark, tied to the treatments
 * of today's experiment file.
 */
struct cells {
	const struct subject *subject; /* borrowed */
	size_t benchmark, response;
	struct frame frame;
	struct selection selection;
	bool *measured;         /* for each treatment whether the file asks for
	                         * the benchmark under it */
	struct sample *samples; /* for each key of the frame */
	size_t n_foreign;       /* runs of treatments that the file no longer
	                         * has */
	size_t n_beyond;        /* runs of more replicates than it asks for */
};

int cells_load(struct cells *c, const struct subject *s, size_t benchmark,
	       size_t response, struct error *err);
void cells_release(struct cells *c);

const struct benchmark *cells_benchmark(const struct cells *c);
const struct response *cells_response(const struct cells *c);

/* The runs under every one of the conditions, whatever the other factors. */
int cells_sample(const struct cells *c, const struct condition *where,
		 size_t n_where, struct sample *out, struct error *err);

/* The combinations of the factors' levels that the file asks for under the
 * conditions. Must be released. */
void cells_occurrences(const struct cells *c, const size_t *factors,
		       size_t n_factors, const struct condition *where,
		       size_t n_where, struct occurrences *out);

/* Nothing is asked for under the conditions, or (`any`) nothing is recorded
 * yet. `what` has them: "chart 'x'". Returns -1. */
int cells_none(const struct cells *c, bool any, const char *what,
	       const char *name, struct error *err);

/* The level's label; of an absent factor a dash. */
const char *cells_level(const struct cells *c, size_t factor, size_t level);

/* Whether the benchmark is measured under the treatment: in a file of several
 * matrices not every one is. */
bool cells_measures(const struct cells *c, size_t treatment);

/* The runs of one treatment of the design; borrowed, n = 0 without any. */
const struct sample *cells_treatment(const struct cells *c, size_t treatment);

/* The experiment's conditions as statistics know them; the caller frees. */
struct setting *cells_settings(const struct condition *where, size_t n);

#endif
