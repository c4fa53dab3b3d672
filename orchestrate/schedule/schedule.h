#ifndef SCHEDULE_SCHEDULE_H
#define SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/design.h"

struct buf;
struct error;
struct expansion;
struct experiment;
struct role_choice;

/* One planned application: 24 bytes, since there may be millions. */
struct run {
	uint32_t treatment; /* index into the design */
	uint32_t replicate; /* 1 .. */
	uint32_t block;     /* 0 ..: round, host or day; see below */
	uint32_t position;  /* 1 ..: the run's number. Narrowing keeps it */
	uint16_t benchmark; /* index into experiment.benchmarks */
	uint16_t matrix;    /* index into experiment.matrices */
	uint16_t host;      /* index into experiment.hosts: of the role that
	                     * runs the benchmark, the first of them */
	bool optional;      /* only made while a stop rule asks for more */
};

/*
 * The runs in the order they are to be made. A pure function of experiment,
 * expansion and seed.
 */
struct schedule {
	const struct experiment *experiment; /* borrowed */
	const struct design *design;         /* the expansion's, borrowed */
	const struct expansion *expansion;   /* borrowed */
	uint64_t seed;
	struct run *runs;
	size_t n_runs;
	size_t n_optional;  /* of them */
	size_t n_planned;   /* before narrowing (narrow.h) */
	struct role_choice *choices; /* for each benchmark */
	uint32_t *first;    /* n_matrices x n_roles: the place in the role's
	                     * pool of the host that starts */
};

/* More runs than this are refused (ERROR_USAGE). */
#define SCHEDULE_MAX_RUNS 100000000

/*
 * Matrices follow one another in the order written; each has benchmarks,
 * replicates, blocks and order of its own.
 *
 * Rounds: replicate r of every benchmark and treatment of a matrix forms its
 * round r: a randomized complete block in time. Rounds follow one another, 1,
 * 2, ...
 *
 * Replicates: each treatment gets matrix.replicates runs in all; with
 * BLOCK_HOST it gets that many on every host of the pool, so that there are
 * replicates x hosts rounds (replicate numbers go on counting over the hosts:
 * 1 .. replicates x hosts). A benchmark whose pool is smaller than another's
 * has no runs in the last rounds. Rounds above matrix.replicates, up to
 * replicates_max, are planned too; their runs are `optional`.
 *
 * Blocks: run.block is the round with BLOCK_ROUND, the host with BLOCK_HOST,
 * and with BLOCK_DAY rounds_a_day rounds have one number. A matrix goes on
 * with the numbers after those of the matrices before it: rounds, hosts of
 * the experiment (used or not), or days.
 *
 * Hosts: all runs of a benchmark and role within a round are on one host. The
 * hosts of its role's pool take turns by round, in the pool's order; which of
 * them starts is drawn once for each matrix and role. So with 2 hosts and 5
 * replicates every treatment gets 3 runs on one host and 2 on the other, the
 * same two numbers for all treatments: no comparison within a benchmark is
 * one of hosts. Where the role depends on a factor, its levels are on the
 * hosts of their roles.
 *
 * Shared treatments: what two matrices ask for is one run for each replicate,
 * made in the first that asks for that replicate; so there are as many as the
 * larger number says. It is optional only if it is for all that ask.
 *
 * Order within a round, ORDER_RANDOMIZED: hard factors (factor.hard) form
 * whole plots, one for each combination of their levels; the plots are
 * shuffled, then the runs within each plot. Without hard factors the whole
 * round is one plot. Benchmarks are shuffled together. ORDER_AS_WRITTEN:
 * nothing is drawn, pools start at their first host, squares are cyclic, and a
 * round is the benchmarks as written, each through the matrix in order.
 *
 * Latin squares with host or round as a side have k letters (levels of the
 * factor `letters`), k rows and k columns; `replicates` counts squares:
 *	host x round     k rounds make a square: in each, every letter is on
 *	                 another host; replicates x k rounds
 *	host x factor    each round is a square: the level of the factor and
 *	                 the letter say on which host
 *	factor x round   k rounds make a square and one replicate: a round
 *	                 has one letter with each level of the factor; the
 *	                 pool takes turns by square
 * A treatment in which one of the factors is absent goes by turns, as without
 * a square. Other factors and benchmarks are crossed with the square.
 *
 * Draws, for each matrix from a stream of its own: random_seed(seed ^ h) with
 * h = 0, then for each byte of the matrix's name h = (h ^ byte) *
 * 0x100000001b3 mod 2^64 (FNV-1a from 0; the name "" gives 0). From it, for
 * every role in turn random_below(hosts), then for every round
 * first, if a square begins, random_shuffle() of the square's rows, columns
 * and letters (square.h), then random_shuffle() of the plots and of each
 * plot's runs in the plots' new order. Runs that an earlier matrix makes are
 * dropped after that. More replicates therefore leave the earlier rounds as
 * they are, and other matrices the order of this one.
 *
 * ERROR_USAGE when there is nothing to run or too much, or a square does not
 * fit its hosts; then nothing is left to release.
 */
int schedule_plan(struct schedule *s, const struct experiment *e,
		  const struct expansion *x, uint64_t seed, struct error *err);
void schedule_release(struct schedule *s);

/*
 * Which hosts of the role take part in the run: `count` (at least one, at
 * most the pool) that follow one another in the pool, from the host whose
 * turn it is; after the last comes the first again. Roles take turns by round
 * like run.host, which is the first of the benchmark's own role; in a square
 * with hosts the other roles go along with run.host's place in its pool.
 * `out` has room for the pool. Returns their number; 0: there is no such
 * role.
 */
size_t schedule_hosts(const struct schedule *s, size_t run, const char *role,
		      size_t count, size_t *out);

/* The role that runs the run's benchmark: index into experiment.roles. */
size_t schedule_role(const struct schedule *s, size_t run);

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
