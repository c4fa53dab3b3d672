#ifndef STATS_SAMPLE_H
#define STATS_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/frame.h"

struct error;

/*
 * One response under one treatment (or several, pooled on purpose): one
 * value a run. Observations within a run are averaged first (never counted
 * as replicates).
 */
struct sample {
	double *value;      /* n run means, in run order (sequence) */
	size_t n;
	size_t n_values;    /* observations behind them */
	size_t n_failed;
	size_t n_censored;
	size_t n_invalid;
};

#define SAMPLE_INIT { .value = NULL, .n = 0 }

/*
 * The runs of the frame whose treatment index k has selected[k] (frame->n_keys
 * entries). A run that is ok but has no observation counts as failed.
 * ERROR_USAGE when a value is not finite, naming the attempt. The sample must be
 * released in both cases.
 */
int sample_from_frame(struct sample *s, const struct frame *f,
		      const bool *selected, struct error *err);

/*
 * A sample for every key, samples[k] for keys[k], in one pass over the frame
 * (sample_from_frame() for each would take a pass each). All must be released
 * in both cases.
 */
int sample_each_key(struct sample *samples, const struct frame *f,
		    struct error *err);

void sample_release(struct sample *s);

#endif
