#ifndef SCHEDULE_SCHEDULE_H
#define SCHEDULE_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "stats/design.h"

struct buf;
struct error;
struct expansion;
struct experiment;

/* One planned application. */
struct run {
	uint32_t benchmark; /* index into experiment.benchmarks */
	uint32_t treatment; /* index into the design */
	uint32_t replicate; /* 1 .. */
	uint32_t host;      /* index into experiment.hosts: of the role that
	                     * runs the benchmark, the first of them */
	uint32_t block;     /* 0 ..: round, host or day, counted over all
	                     * matrices */
	uint32_t matrix;    /* index into experiment.matrices */
};

/*
 * The runs in the order they are to be made. A pure function of experiment,
 * design and seed. Run number i + 1 is runs[i].
 */
struct schedule {
	const struct experiment *experiment; /* borrowed */
	const struct design *design;         /* the expansion's, borrowed */
	const struct expansion *expansion;   /* borrowed */
	uint64_t seed;
	struct run *runs;
	size_t n_runs;
};

/* More runs than this are refused (ERROR_USAGE). */
#define SCHEDULE_MAX_RUNS 100000000

/*
 * Replicate r of every benchmark and treatment forms round r: a randomized
 * complete block in time. Rounds follow one another, 1, 2, ...
 *
 * Hosts: all runs of a benchmark within a round are on one host. The hosts of
 * its role's pool take turns by round, in the pool's order; which of them
 * starts is drawn once for each role. So with 2 hosts and 5 replicates every
 * treatment gets 3 runs on one host and 2 on the other, the same two numbers
 * for all treatments: no comparison within a benchmark is one of hosts.
 *
 * Replicates: each treatment gets matrix.replicates runs in all; with
 * BLOCK_HOST it gets that many on every host of the pool, so that there are
 * replicates x hosts rounds (replicate numbers go on counting over the hosts:
 * 1 .. replicates x hosts). A benchmark whose pool is smaller than another's
 * has no runs in the last rounds.
 *
 * Order within a round, ORDER_RANDOMIZED: hard factors (factor.hard) form
 * whole plots, one for each combination of their levels; the plots are
 * shuffled, then the runs within each plot. Without hard factors the whole
 * round is one plot. Benchmarks are shuffled together. ORDER_AS_WRITTEN:
 * nothing is drawn, pools start at their first host, and a round is the
 * benchmarks as written, each through the design in order.
 *
 * Draws: random_seed(seed), then for every role in turn random_below(hosts),
 * then for every round random_shuffle() of the plots and of each plot's runs
 * in the plots' new order. More replicates therefore leave the earlier rounds
 * as they are.
 *
 * ERROR_USAGE when there is nothing to run or too much.
 */
int schedule_plan(struct schedule *s, const struct experiment *e,
		  const struct expansion *x, uint64_t seed, struct error *err);
void schedule_release(struct schedule *s);

/*
 * A run's identity by content, appended: "benchmark/treatment-key#replicate".
 * The benchmark's name is escaped as in a treatment's key.
 */
void schedule_run_key(const struct schedule *s, size_t run, struct buf *out);

/*
 * What resume has to do: the runs for which done(ctx, key) is 0, in order.
 * Returns their number; `out` has room for n_runs indexes. A negative answer
 * of done() (an error, kept in ctx) ends the search.
 */
size_t schedule_missing(const struct schedule *s,
			int (*done)(void *ctx, const char *key), void *ctx,
			size_t *out);

#endif
