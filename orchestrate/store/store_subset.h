#ifndef STORE_SUBSET_H
#define STORE_SUBSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct store;

/*
 * The part of the plan that one `assay run` was asked to make. NULL where
 * nothing was said; all of them NULL: the whole plan.
 */
struct subset {
	char *profiles;  /* "quick,long": in the order given */
	char *tags;      /* an expression */
	char *narrowing; /* "only place=disk,memory; replicates=3": one text
	                  * for all ways to say the same */
};
void subset_release(struct subset *s);
/* Whether it is the whole plan. */
bool subset_is_all(const struct subset *s);

/* The subsets of the plan with which a campaign's runs were made, in the order of
 * their first use. */
struct subset_row {
	struct subset subset;
	size_t n_sessions;
	size_t n_runs;       /* that were tried */
};
int store_subsets(struct store *s, int64_t campaign,
		     struct subset_row **out, size_t *n,
		     struct error *err);
void subset_rows_free(struct subset_row *rows, size_t n);

#endif
