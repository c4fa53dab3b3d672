#ifndef SCHEDULE_ROUNDS_H
#define SCHEDULE_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchestrate/schedule/square.h"

struct error;
struct matrix;
struct random;
struct role;
struct run;
struct schedule;

enum rounds_kind {
	ROUNDS_TURNS,        /* hosts take turns by round */
	ROUNDS_HOST_ROUND,   /* Latin squares: rows x columns */
	ROUNDS_HOST_FACTOR,
	ROUNDS_FACTOR_ROUND,
};

/* The rounds of a matrix: where each of its runs goes (schedule.h). */
struct rounds {
	const struct schedule *s;
	const struct matrix *m;
	uint32_t matrix;
	const uint32_t *first; /* the matrix's part of schedule.first */
	enum rounds_kind kind;
	struct square square;
	size_t side;           /* the factor that is a side of the square */
	size_t letters;
	size_t n;              /* with the optional ones */
	uint32_t first_block;
};

/*
 * Of the schedule's n-th matrix; its experiment, expansion and choices are
 * there, `first` need not be. ERROR_USAGE when a square does not fit. Must be
 * released in both cases.
 */
int rounds_init(struct rounds *r, const struct schedule *s, size_t matrix,
		struct error *err);
void rounds_release(struct rounds *r);

/* Runs at most, each treatment's summed; SCHEDULE_MAX_RUNS + 1: more. */
uint64_t rounds_count(const struct rounds *r);
/* Block numbers that it takes. */
uint32_t rounds_blocks(const struct rounds *r);
/* Replicates of the treatments whose benchmark has the role, at least or (with
 * the optional ones) at most. */
uint64_t rounds_replicates(const struct rounds *r, uint32_t role, bool most);

/* Before the runs of a round, 0 .., are placed. `random` NULL: as written. */
void rounds_begin(struct rounds *r, size_t round, struct random *random);
/* Fills the run of this round; false: there is none. */
bool rounds_place(const struct rounds *r, size_t round, size_t benchmark,
		  size_t treatment, struct run *run);

/* Runs of a treatment that one of the matrix's replicates stands for: one on
 * every host of the pool where hosts are blocks, or rows of a square of hosts
 * and rounds; else one. */
uint32_t replicate_hosts(const struct matrix *m, const struct role *pool);

#endif
