#ifndef EXEC_STACK_PRIVATE_H
#define EXEC_STACK_PRIVATE_H

/* For stack*.c only: stack.c decides what comes next, stack_put.c puts one
 * setting on top, stack_verify.c looks at what is in force, stack_step.c
 * sends scripts and records what they say. */

#include <stdbool.h>

#include "base/error.h"
#include "orchestrate/exec/layer_scripts.h"
#include "orchestrate/exec/remote.h"
#include "orchestrate/exec/stack.h"

struct job;
struct timer;

/* One layer in effect, or on its way. What it was made from stays with it: the
 * levels that are wanted next say nothing of it. */
struct entry {
	size_t layer;
	size_t *levels; /* of every factor when it was put into effect */
	char *level;    /* its own, as text */
	struct layer_scripts scripts;
	int64_t state;  /* in the store */
	char *saved;
	bool fresh;     /* verified since the present stack_apply() began */
	bool drifted;
	char *shown;    /* what `show` printed last */
};

struct stack {
	struct stack_options o;
	struct entry *entries; /* room for every layer */
	size_t n;
	struct entry coming;   /* its `save` is under way */
	size_t *levels;        /* wanted */
	size_t cursor;         /* entry being verified */
	bool reverting;        /* all the way down */
	int64_t attempt;
	struct error err;      /* why the run is invalid, once known */
	struct remote *remote; /* script under way */
	struct timer *finishing;
	enum stack_verdict verdict;
	stack_done *done;
	void *ctx;
};

void stack_begin(struct stack *s, int64_t attempt, stack_done *done,
		 void *ctx);
/* Answers, from the loop. */
void stack_finish(struct stack *s, enum stack_verdict verdict);
/* Decides the next step; every step's answer comes back here. */
void stack_advance(struct stack *s);
/* The layer that comes on the present top; n_layers when there is none. */
size_t stack_layer_above(const struct stack *s);

/* Saves, applies, verifies and shows the layer at the wanted levels. */
void stack_put(struct stack *s, size_t layer);

/* An entry for the layer at the wanted levels, not in effect yet; nothing to
 * release after a fault. */
int stack_entry_make(const struct stack *s, struct entry *e, size_t layer,
		     struct error *err);
void stack_entry_release(struct entry *e);
const char *stack_name(const struct stack *s, const struct entry *e);

/* What `save` printed, without the newlines at the end. */
size_t stack_saved_length(const struct job *job);
void stack_send(struct stack *s, const char *script, double timeout,
		remote_done *done);
/* Sends verify and show for the entry at the cursor. */
void stack_check(struct stack *s, remote_done *done);
/* Whether the host is gone; then the stack has finished. */
bool stack_is_over(struct stack *s, const struct job *job);
/* "place=memory: apply failed (exit 1): last line" */
void stack_say_failed(const struct stack *s, const struct entry *e,
		      const char *step, const struct job *job,
		      struct error *err);
/* Evidence; 0, or -1 and the stack has finished. */
int stack_record(struct stack *s, const struct entry *e, const char *phase,
		 const struct job *job);
void stack_remember_shown(struct entry *e, const struct job *job);

#endif
