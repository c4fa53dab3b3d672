#ifndef STORE_SCOPE_H
#define STORE_SCOPE_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct store;

/*
 * The part of the plan that one `assay run` was asked to make. Texts in the
 * form that the command line takes, NULL where nothing was said; all of them
 * NULL: the whole plan.
 */
struct scope {
	char *profiles;      /* "quick,long": in the order given */
	char *tags;          /* an expression */
	char *only;          /* "place=disk,memory size=4": factors as
	                      * declared, a blank between them */
	char *skip;          /* the same */
	uint32_t replicates; /* in place of the file's; 0 unsaid */
};
void scope_release(struct scope *s);
void scope_copy(struct scope *out, const struct scope *from);

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
