#ifndef EXEC_RESTORE_H
#define EXEC_RESTORE_H

#include <stddef.h>

struct error;
struct executor;
struct saved_state;
struct store;

/*
 * Puts back what an earlier controller left on a host, newest first. It stops
 * at the first that fails: what lies below may be in use by it. Before that the
 * scripts of settings that still run there without their controller are ended
 * (script_orphans.h); when one cannot be, nothing is put back.
 */
struct restore;

struct restore_options {
	struct executor *executor;
	struct store *store;
	const struct saved_state *states; /* borrowed until done */
	size_t n;
	const char *mark; /* whose scripts are ended beside the states' own
	                   * campaigns'; NULL = nobody's */
	/* after each that was put back */
	void (*each)(void *ctx, const struct saved_state *state);
	/* from the loop; err->kind NONE = all; `n` were put back */
	void (*done)(void *ctx, size_t n, const struct error *err);
	void *ctx;
};

struct restore *restore_start(const struct restore_options *o);
void restore_cancel(struct restore *r); /* done() follows, with an error */

#endif
