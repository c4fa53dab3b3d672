#ifndef SPEC_ROLE_H
#define SPEC_ROLE_H

#include <stddef.h>

#include "orchestrate/spec/experiment.h"

/* Index of the role with that name, or -1. */
int role_find(const struct experiment *e, const char *name);
/* The role's `count` as it is written, for these levels; it may have to be
 * computed (bindings_value()). NULL where the factor is absent. */
const char *role_count_text(const struct experiment *e,
			    const struct role *role, const size_t *levels,
			    struct mark *mark);
/*
 * The number of hosts when `text`, computed, is the role's count: 1 to the
 * size of the pool. Else *fault is why not, for the caller to free, and -1 is
 * returned.
 */
int role_count(size_t *out, const struct role *role, const char *text,
	       char **fault);

void role_release(struct role *role);

#endif
