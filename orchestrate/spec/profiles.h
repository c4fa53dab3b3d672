#ifndef SPEC_PROFILES_H
#define SPEC_PROFILES_H

#include "orchestrate/spec/reading.h"

/*
 * Named changes of an experiment: what a profile has goes over the file
 * (yaml_merge.h), those that are chosen in the order chosen. `only`, `skip` and
 * `tags` narrow the runs, as on the command line.
 */

/*
 * The tree with the options' profiles put over it. One that does not exist is
 * reported. NULL when the result is too large, which is too.
 */
const struct yaml_node *profiles_apply(struct reading *r,
				       const struct yaml_node *root);

/* The key `profiles`: what those in force leave of the runs, and whether the
 * others have keys that do not exist. After factors and benchmarks. */
void profiles_section_read(struct reading *r, void *into,
			   const struct yaml_node *value);

extern const struct key_table profile_keys;

#endif
