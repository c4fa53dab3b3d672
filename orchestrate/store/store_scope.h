#ifndef STORE_SCOPE_H
#define STORE_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct store;

/*
 * The part of the plan that one `assay run` was asked to make. NULL where
 * nothing was said; all of them NULL: the whole plan.
 */
struct scope {
	char *profiles;  /* "quick,long": in the order given */
	char *tags;      /* an expression */
	char *narrowing; /* "only place=disk,memory; replicates=3": one text
	                  * for all ways to say the same */
};
void scope_release(struct scope *s);
/* Whether it is the whole plan. */
bool scope_is_all(const struct scope *s);

/* The scopes with which a campaign's runs were made, in the order of
 * their first use. */
struct scope_row {
	struct scope scope;
	size_t n_sessions;
	size_t n_runs;       /* that were tried */
};
int store_scopes(struct store *s, int64_t campaign,
		     struct scope_row **out, size_t *n,
		     struct error *err);
void scope_rows_free(struct scope_row *rows, size_t n);

#endif
