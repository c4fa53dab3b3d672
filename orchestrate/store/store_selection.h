#ifndef STORE_SELECTION_H
#define STORE_SELECTION_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct store;

/*
 * The part of the plan that one `assay run` was asked to make. Texts in the
 * form that the command line takes, NULL where nothing was said; all of them
 * NULL: the whole plan.
 */
struct selection {
	char *profiles;      /* "quick,long": in the order given */
	char *tags;          /* an expression */
	char *only;          /* "place=disk,memory size=4": factors as
	                      * declared, a blank between them */
	char *skip;          /* the same */
	uint32_t replicates; /* in place of the file's; 0 unsaid */
};
void selection_release(struct selection *s);
void selection_copy(struct selection *out, const struct selection *from);

/* The selections with which a campaign's runs were made, in the order of
 * their first use. */
struct selection_row {
	struct selection selection;
	size_t n_sessions;
	size_t n_runs;       /* that were tried */
};
int store_selections(struct store *s, int64_t campaign,
		     struct selection_row **out, size_t *n,
		     struct error *err);
void selection_rows_free(struct selection_row *rows, size_t n);

#endif
