#ifndef EXEC_SWEEP_H
#define EXEC_SWEEP_H

struct error;
struct executor;
struct store;

/*
 * Removes from a host the directories of all campaigns that may still be
 * there by the store, and records that they are gone; what cannot be removed
 * now stays on record for the next session. done() is called once, from the
 * loop: err->kind is ERROR_NONE, or why it could not go on.
 */
struct sweep;

struct sweep *sweep_start(struct executor *x, struct store *store,
			  void (*done)(void *ctx, const struct error *err),
			  void *ctx);
/* done() follows. */
void sweep_cancel(struct sweep *w);

#endif
