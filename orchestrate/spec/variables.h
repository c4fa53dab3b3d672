#ifndef SPEC_VARIABLES_H
#define SPEC_VARIABLES_H

#include <stddef.h>

#include "orchestrate/spec/parameter.h"
#include "orchestrate/spec/reading.h"
#include "orchestrate/spec/variable.h"

/* A mapping of variable names to texts (`env`, `set`). `what` one is, for
 * messages: "host variable". Values may be '' but not nothing. */
void variables_read(struct reading *r, const struct yaml_node *map,
		    const char *what, struct variable **out, size_t *n);

/* Parameters given to a definition, as found in the file. */
struct given {
	const struct yaml_pair **items;
	size_t n;
	size_t cap;
};
void given_add(struct given *g, const struct yaml_pair *pair);
void given_add_all(struct given *g, const struct yaml_node *map);
void given_release(struct given *g);

/* What a definition takes. */
struct declared {
	const char *of;                /* "benchmark fio": for messages */
	const struct parameter *params;
	size_t n;
};

/*
 * The given values, in the order written, then the defaults of those not
 * given. Unknown and missing ones are reported, missing ones at `use`, and
 * those that are not of the parameter's type.
 * The first *n_given of *n are the given ones.
 */
void params_merge(struct reading *r, const struct declared *d,
		  const struct given *g, struct mark use,
		  struct variable **out, size_t *n, size_t *n_given);

#endif
