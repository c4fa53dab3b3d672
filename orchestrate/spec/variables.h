#ifndef SPEC_VARIABLES_H
#define SPEC_VARIABLES_H

#include <stddef.h>

#include "orchestrate/spec/parameter.h"
#include "orchestrate/spec/reading.h"
#include "orchestrate/spec/variable.h"

/* A name and its value, a text or a look-up; '' is one, nothing is not.
 * Returns -1 after reporting: nothing to release then. Whether what the value
 * needs is there is told by variables_check(). */
int variable_read(struct reading *r, const struct yaml_pair *pair,
		  struct variable *out);

/* A mapping of variable names to values (`env`, `set`). `what` one is, for
 * messages: "host variable". */
void variables_read(struct reading *r, const struct yaml_node *map,
		    const char *what, struct variable **out, size_t *n);

/* The section `variables` of an experiment `into`. */
void variables_read_section(struct reading *r, void *into,
			    const struct yaml_node *value);

/*
 * Compiles every value of the experiment that is computed, so that mistakes
 * are told where they stand: those of expr.h, names that no layer gives, and
 * variables that need themselves. To be called when all is read.
 */
void variables_check(struct reading *r);

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
