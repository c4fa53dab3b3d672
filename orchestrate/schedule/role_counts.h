#ifndef SCHEDULE_ROLE_COUNTS_H
#define SCHEDULE_ROLE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct problems;
struct schedule;

/* How many hosts of each role take part in the runs of a schedule. */
struct role_counts {
	const struct schedule *s;
	struct role_count {
		size_t plain;    /* the same for all runs; 0: it depends */
		bool told;       /* a problem of it */
		uint32_t *known; /* by benchmark, treatment and host; 0: not
		                  * computed yet */
	} *roles;
	bool by_host;        /* hosts set variables */
	size_t *levels;      /* of the run at hand */
	struct problems *problems; /* borrowed; NULL: nobody wants to know */
};

/* A count that cannot be computed, or is not one of the pool's, is a problem:
 * the first of each role is added to `problems`, which may be NULL. */
void role_counts_init(struct role_counts *c, const struct schedule *s,
		      struct problems *problems);
void role_counts_release(struct role_counts *c);

/* Whether any has to be looked up or computed. */
bool role_counts_depend(const struct role_counts *c);
/* Of the role, in this run. 1 where there is a problem. */
size_t role_counts_get(struct role_counts *c, size_t run, size_t role);

#endif
