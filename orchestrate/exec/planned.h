#ifndef EXEC_PLANNED_H
#define EXEC_PLANNED_H

#include <stddef.h>

#include "orchestrate/spec/binding.h"

struct error;
struct experiment;
struct schedule;
struct strlist;

/* A run of a schedule with its levels at hand, as bindings and layers take it. */
struct planned {
	size_t *levels;         /* one for each factor, or DESIGN_ABSENT */
	struct binding_run run; /* borrows them */
};

void planned_init(struct planned *p, const struct experiment *e);
/* Which run it is: an index into the schedule. May be set again. */
void planned_set(struct planned *p, const struct schedule *s, size_t run);
void planned_release(struct planned *p);

/*
 * Whether all variables of these runs (indexes into the schedule) can be
 * computed: of their scripts and of what is put into effect for them. ERROR_USAGE
 * names the first place in the file that cannot.
 */
int planned_check(const struct experiment *e, const struct schedule *s,
		  const size_t *runs, size_t n, struct error *err);

/*
 * The same of the first run of each treatment and benchmark of the schedule, at
 * most `most` of them: all that is wrong, each place once, is added to `out`.
 */
void planned_faults(const struct experiment *e, const struct schedule *s,
		    size_t most, struct strlist *out);

#endif
