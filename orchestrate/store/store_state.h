#ifndef STORE_STATE_H
#define STORE_STATE_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct store;

/*
 * What must be put back on a host. Recorded (durably) before `apply` runs and
 * complete in itself: restoring needs neither the experiment file nor the
 * definition. Strings are owned by the struct when read.
 */
struct saved_state {
	int64_t id;
	int64_t campaign;
	char *host;         /* name in the experiment */
	char *target;       /* JSON written by exec: how to reach the host */
	char *factor;
	char *level;
	char *saved;        /* what `save` printed, trailing newlines cut */
	char *revert;       /* the complete script, variables included,
	                     * except $saved */
	double timeout;
};
void saved_state_release(struct saved_state *s);

/* Records it; fills id. */
int store_state_save(struct store *s, struct saved_state *state,
		     struct error *err);
/* Records that it was put back (append-only: a row of its own). */
int store_state_reverted(struct store *s, int64_t id, struct error *err);
/* What is not put back yet, in the order to revert (newest first). host NULL = all. */
int store_state_pending(struct store *s, const char *host,
			struct saved_state **out, size_t *n,
			struct error *err);
void saved_states_free(struct saved_state *states, size_t n);

#endif
