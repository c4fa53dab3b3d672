#ifndef CMD_PLAN_WALK_H
#define CMD_PLAN_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct run;
struct schedule;
struct strlist;

/* The runs one after another, and what changes on their host between two. */
struct walk {
	const struct schedule *schedule;
	struct walk_host *hosts;   /* where each host is */
	size_t *levels;            /* n_hosts x n_factors: in force there */
	size_t *wanted;            /* n_factors: of the run at hand */
	uint32_t *first_block;     /* of each matrix */
	bool *has_plots;           /* each matrix: it has hard factors */
};

/* One run, compared with the one before it on the same host. */
struct walk_step {
	const struct run *run;
	size_t lowest;       /* layer that is put anew; n_layers: none */
	const size_t *levels;
	size_t plot;         /* number of its whole plot on the host; 0: the
	                      * matrix has no hard factor */
	bool begins_plot;
};

void walk_init(struct walk *w, const struct schedule *s);
void walk_release(struct walk *w);
/* Runs are to be asked for in order, from 0 on. */
void walk_next(struct walk *w, size_t run, struct walk_step *step);

/* Names of the layers that are put anew, lowest first. */
void walk_changes(const struct walk *w, const struct walk_step *step,
		  struct strlist *out);
/* "round 3", "host alpha", "day 1"; appended. */
void walk_block(const struct walk *w, const struct run *run, struct buf *out);

#endif
