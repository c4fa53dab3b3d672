#ifndef EXEC_STACK_H
#define EXEC_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct executor;
struct experiment;
struct saved_state;
struct store;

/*
 * The treatments in force on one host: the layers of spec/layers.h, the
 * first one lowest. A layer that is absent at the levels of a run, or is only a
 * variable there, is passed over. From one run to the next only what differs
 * and what stands on top of it is put back (top first, each by the definition
 * that put it into effect) and applied anew. What `save` printed and the whole
 * revert script are in the store before `apply` is sent.
 */
struct stack;

enum stack_verdict {
	STACK_OK,
	STACK_FAILED, /* a setting is not in effect: the run is invalid; the
	               * host is as it was found in this respect */
	STACK_BROKEN, /* a setting could not be put back: nothing more may be
	               * measured on this host; says nothing of the run */
	STACK_FAILED_BROKEN, /* a setting of the run failed, and could not be
	                      * put back either */
	STACK_LOST,   /* the host does not answer; all stays pending */
	STACK_STORE,  /* the store failed (all stays pending there) */
};

/* `err` holds one line unless the verdict is STACK_OK. Called from the loop,
 * never from within the call that it answers. */
typedef void stack_done(void *ctx, enum stack_verdict verdict,
			const struct error *err);

struct stack_options {
	struct executor *executor;
	struct store *store;
	const struct experiment *experiment;
	size_t host;
	int64_t campaign;
	const char *target; /* how to reach the host, for restoring */
	const char *mark;   /* of the scripts, see place.h; NULL = none */
};

struct stack *stack_new(const struct stack_options *o);
void stack_free(struct stack *s); /* NULL-safe; reverts nothing */

/*
 * Brings the host to these levels (layers.h) and verifies
 * everything that was in force before. A setting found changed is
 * applied once more. `attempt`: where the evidence goes.
 */
void stack_apply(struct stack *s, int64_t attempt, const size_t *levels,
		 stack_done *done, void *ctx);

/* Verifies all again, after the command. What has drifted is applied anew by
 * the next stack_apply(). */
void stack_verify(struct stack *s, int64_t attempt, stack_done *done,
		  void *ctx);

/* Puts everything back. Goes on after a failure as far as it can be: the
 * layers above a failed one are back by then, those below stay. */
void stack_revert(struct stack *s, stack_done *done, void *ctx);

/* Gives up the script under way, if any: STACK_LOST follows. */
void stack_cancel(struct stack *s);

/*
 * Takes over what an earlier controller left in force (as the store has it,
 * newest first), to verify it for a run that is collected. False when that is
 * not exactly these levels.
 */
bool stack_adopt(struct stack *s, const struct saved_state *states, size_t n,
		 const size_t *levels);

/* Forgets what is in force: it is put back by other means. */
void stack_forget(struct stack *s);

/* Settings in force. */
size_t stack_height(const struct stack *s);

#endif
