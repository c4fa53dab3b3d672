#ifndef SPEC_FACTOR_PARSE_H
#define SPEC_FACTOR_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strlist.h"
#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/variables.h"

/* The parts of the section `factors`: a factor and its levels as they are
 * read, before definitions are put to use. */

/* `use: NAME`, with what is given to it. */
struct use_reading {
	char *name;            /* NULL: nothing is used */
	struct mark mark;
	bool is_family;
	struct strlist family; /* the levels it has */
	struct given given;    /* parameters, or keys that are none */
};

struct level_reading {
	char *name;
	struct mark mark;      /* of the name */
	bool known;            /* its name does not wait for a fact */
	struct localized label;
	struct variable *vars;
	size_t n_vars;
	struct use_reading use;
};

struct factor_reading {
	struct factor *f;
	struct factor_use *u;
	struct use_reading use;
	int change;
	const struct yaml_node *list, *range, *step, *points;
	struct level_reading *levels; /* f->n_levels of them */
	bool unresolved;       /* some definition cannot be had */
};

/* For keys `use` and `params`, and keys that are in no table. */
void use_read(struct reading *r, struct use_reading *use,
	      const struct yaml_node *value);
void use_read_params(struct reading *r, struct use_reading *use,
		     const struct yaml_node *value);
void use_release(struct use_reading *use);

/* Makes the levels of the factor from `list`, from `range`, or from names. */
void levels_from_list(struct reading *r, struct factor_reading *fr);
void levels_from_range(struct reading *r, struct factor_reading *fr);
void levels_from_names(struct factor_reading *fr, const struct strlist *names,
		       struct mark mark);
void levels_release(struct factor_reading *fr);

/* Finds the factor's own definition, or its family; before the levels. */
void uses_resolve_factor(struct reading *r, struct factor_reading *fr);
/* Gives every level its definition, with parameters and what that sets. */
void uses_resolve_levels(struct reading *r, struct factor_reading *fr);

#endif
