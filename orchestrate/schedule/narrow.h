#ifndef SCHEDULE_NARROW_H
#define SCHEDULE_NARROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct experiment;
struct schedule;
struct strlist;

/*
 * A part of the planned runs, chosen on the command line or by a profile. It
 * is taken after the order is drawn: what remains keeps its order, number
 * (run.position), replicate, block and host.
 */
struct narrowing {
	const struct experiment *e; /* borrowed */
	bool **drops;         /* for each factor: for each level, then for its
	                       * absence, whether it is left out; NULL: none */
	bool *drops_benchmark; /* NULL: none */
	uint32_t replicates;  /* at most, on each host where hosts are blocks;
	                       * 0: all. Set by the caller */
};

/*
 * From texts "FACTOR=LEVEL,LEVEL" or "benchmark=NAME,NAME" (a factor called
 * benchmark goes before). `only`: of one factor's texts, any level; of
 * different factors, all. `skip` is taken away from that. Where the factor is
 * absent, `only` leaves the run out and `skip` does not, unless they name
 * "-", which is that (where no level is called so). A name with a comma
 * is written as in a run's key: %2C. Either list may be NULL.
 * ERROR_USAGE says which text is wrong and what may have been meant. Must be
 * released in both cases.
 */
int narrowing_parse(struct narrowing *n, const struct experiment *e,
		    const struct strlist *only, const struct strlist *skip,
		    struct error *err);
void narrowing_release(struct narrowing *n);

/* Whether it leaves anything out. */
bool narrowing_is_empty(const struct narrowing *n);
/* Whether the run (an index) remains. */
bool narrowing_keeps(const struct narrowing *n, const struct schedule *s,
		     size_t run);
/*
 * Removes the others. None may remain: n_runs is 0 then. How many there were
 * is s->n_planned.
 */
void schedule_narrow(struct schedule *s, const struct narrowing *n);

/*
 * One text for all ways to say the same, appended:
 *	only platform=docker,lxc; skip storage=zvol; replicates=3
 * Factors and levels in the file's order, names escaped as in a key; nothing
 * when nothing is left out.
 */
void narrowing_text(const struct narrowing *n, struct buf *out);

#endif
