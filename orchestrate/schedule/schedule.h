#ifndef SCHEDULE_SCHEDULE_H
#define SCHEDULE_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "stats/design.h"

struct buf;
struct error;
struct experiment;

/* One planned application. */
struct run {
	uint32_t benchmark; /* index into experiment.benchmarks */
	uint32_t treatment; /* index into the design */
	uint32_t replicate; /* 1 .. */
	uint32_t host;      /* index into experiment.hosts */
};

/*
 * The runs in the order they are to be made. A pure function of experiment,
 * design and seed. Run number i + 1 is runs[i].
 */
struct schedule {
	const struct experiment *experiment; /* borrowed */
	const struct design *design;         /* borrowed */
	uint64_t seed;
	struct run *runs;
	size_t n_runs;
};

/*
 * Replicate r of every benchmark and treatment forms round r: a randomized complete
 * block in time. Rounds follow one another; within a round the order is
 * shuffled with the seed (ORDER_RANDOMIZED). Hosts of the benchmark's role take turns
 * by round, starting at the (seeded) first, so that each host sees whole rounds.
 */
int schedule_plan(struct schedule *s, const struct experiment *e,
		  const struct design *d, uint64_t seed, struct error *err);
void schedule_release(struct schedule *s);

/*
 * A run's identity by content, appended: "benchmark/treatment-key#replicate".
 */
void schedule_run_key(const struct schedule *s, size_t run, struct buf *out);

/*
 * What resume has to do: the runs for which done(ctx, key) is 0, in order.
 * Returns their number; `out` has room for n_runs indexes.
 */
size_t schedule_missing(const struct schedule *s,
			int (*done)(void *ctx, const char *key), void *ctx,
			size_t *out);

#endif
