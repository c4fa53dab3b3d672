#ifndef SPEC_LOOKUP_H
#define SPEC_LOOKUP_H

#include <stddef.h>

#include "orchestrate/spec/keys.h"
#include "orchestrate/spec/variable.h"

struct experiment;
struct role;

/* What stands in `by` for the host that the script runs on. */
#define LOOKUP_BY_HOST "host"

/*
 * Reads {by: FACTOR|host, values: {level: value}, else: value} as it is
 * written; `what` it is the value of, for messages: "role". Values may be ''
 * but not nothing. Whether its names exist is told by lookups_check(), when
 * all factors and hosts are read. Returns 0, or -1 after reporting why not,
 * with *out NULL.
 */
int lookup_read(struct reading *r, const struct yaml_node *node,
		const char *what, struct lookup **out);
/* Text as it stands, or a look-up: sets one of *text and *by, which are owned
 * by the caller; neither after reporting (returns -1). */
int text_or_lookup_read(struct reading *r, const struct yaml_node *node,
			const char *what, char **text, struct lookup **by);

/* The grammar of both. */
extern const struct key_table lookup_keys;
extern const struct form value_form;  /* text or a look-up */
extern const struct form script_form; /* a script or a look-up of scripts */

/*
 * Reports a `by` that is no factor, cases that are no levels, and levels that
 * have neither a case nor an `else`. `by: host` is fine when `hosts` is
 * given: its cases are the hosts of that role then. Returns 0 or -1.
 */
int lookup_check(struct reading *r, const struct lookup *l, const char *what,
		 const struct role *hosts);
/* All look-ups of variables of the experiment: `variables`, `env`, `set`,
 * parameters, `with`, also those that come from definitions. */
void lookups_check(struct reading *r);

/* The case for these levels (one for each factor, or DESIGN_ABSENT) on that
 * host, or the `else`; NULL when there is neither: the factor is absent.
 * Borrowed. `mark` may be NULL. */
const char *lookup_at(const struct experiment *e, const struct lookup *l,
		      const size_t *levels, size_t host, struct mark *mark);

#endif
