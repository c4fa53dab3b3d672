#ifndef SCHEDULE_ROLE_CHOICE_H
#define SCHEDULE_ROLE_CHOICE_H

#include <stddef.h>
#include <stdint.h>

struct design;
struct error;
struct experiment;

/* In place of a role's index: the file names none. */
#define ROLE_NONE UINT32_MAX

/* Which role runs a benchmark: one, or by the level of a factor. */
struct role_choice {
	size_t by;        /* the factor, when n > 1 */
	uint32_t *roles;  /* indexes into experiment.roles: for each level,
	                   * then for the factor's absence; or the only one */
	size_t n;
};

/*
 * Those of all benchmarks. ERROR_USAGE when a name is no role's, or no host
 * has the role. To be freed in both cases: n is e->n_benchmarks.
 */
int role_choices_make(struct role_choice **out, const struct experiment *e,
		      struct error *err);
void role_choices_free(struct role_choice *c, size_t n);

/* The index of the role of that name, or ROLE_NONE. */
uint32_t role_index(const struct experiment *e, const char *name);

/* Of this treatment; ROLE_NONE when the factor is absent and there is no
 * `else`. */
uint32_t role_choose(const struct role_choice *c, const struct design *d,
		     size_t treatment);

#endif
