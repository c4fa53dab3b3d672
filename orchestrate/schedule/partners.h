#ifndef SCHEDULE_PARTNERS_H
#define SCHEDULE_PARTNERS_H

#include <stdbool.h>
#include <stddef.h>

struct schedule;

/* The hosts that take part in a run, and which layers are for which. */
struct partners {
	const struct schedule *s;
	bool *needed;      /* per benchmark: its runs may have partners */
	bool any_applies;  /* some definition applies_to a role */
	size_t run;
	size_t *hosts;     /* the run's own first; each once */
	size_t n_hosts;
	size_t *pool;      /* room for any pool */
	bool *wanted;      /* by partners_layers() */
};

void partners_init(struct partners *p, const struct schedule *s);
void partners_release(struct partners *p);

/* Finds the hosts of the run: its own, those of the roles of its services and
 * monitors, and of the roles that its layers apply to. False: its own only, and
 * all layers are for that. */
bool partners_find(struct partners *p, size_t run);
/* Fills `wanted`: which layers are for the k-th of them. False: none. */
bool partners_layers(struct partners *p, size_t k);

#endif
