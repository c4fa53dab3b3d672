#ifndef SCHEDULE_PARTNERS_H
#define SCHEDULE_PARTNERS_H

#include <stdbool.h>
#include <stddef.h>

#include "orchestrate/schedule/role_counts.h"

struct problems;
struct schedule;

/* The hosts that take part in a run, and which layers are for which. */
struct partners {
	const struct schedule *s;
	bool *needed;      /* per benchmark: its runs may have partners */
	bool any_applies;  /* some definition applies_to a role */
	struct role_counts counts;
	size_t *levels;    /* of the run */
	size_t run;
	size_t *roles;     /* that take part: the benchmark's own first */
	size_t n_roles;
	size_t *hosts;     /* the run's own first; each once */
	size_t n_hosts;
	size_t *pool;      /* room for any pool */
	bool *wanted;      /* by partners_layers() */
};

/* `problems` as in role_counts.h. */
void partners_init(struct partners *p, const struct schedule *s,
		   struct problems *problems);
void partners_release(struct partners *p);

/* Finds the hosts of the run: its own, those of the roles of its services and
 * monitors, and of the roles that its layers apply to. False: its own only, and
 * all layers are for that; roles are not looked for then. */
bool partners_find(struct partners *p, size_t run);
/* The same, whether there are others or not. */
void partners_list(struct partners *p, size_t run);
/* Of a role that takes part: its hosts, `pool` has them. Returns their
 * number. */
size_t partners_hosts(struct partners *p, size_t role);
/* Fills `wanted`: which layers are for the k-th of them. False: none. */
bool partners_layers(struct partners *p, size_t k);

/* Computes every count that the schedule needs; what is wrong with one is a
 * problem. */
void partners_check(const struct schedule *s, struct problems *problems);

#endif
