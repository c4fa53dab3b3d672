#ifndef EXEC_STACK_PRIVATE_H
#define EXEC_STACK_PRIVATE_H

/* For stack*.c only: stack.c decides what comes next, stack_put.c puts one
 * setting on top, stack_verify.c looks at what is in force, stack_step.c
 * sends scripts and records what they say. */

#include <stdbool.h>

#include "base/error.h"
#include "orchestrate/exec/remote.h"
#include "orchestrate/exec/stack.h"

struct buf;
struct environment;
struct job;
struct timer;
struct treatment_def;

struct entry {
	size_t factor;
	size_t level;
	int64_t state;  /* in the store */
	char *saved;
	char *revert;   /* without $saved */
	char *check;    /* `save` once more, as it was sent; NULL: none */
	double timeout;
	bool fresh;     /* verified since the present stack_apply() began */
	bool drifted;
	char *shown;    /* what `show` printed last */
};

struct stack {
	struct stack_options o;
	struct entry *entries; /* room for every factor */
	size_t n;
	size_t *levels;        /* wanted */
	size_t cursor;         /* entry being verified */
	bool reverting;        /* all the way down */
	char *saved;           /* printed by the `save` under way */
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
/* The factor that stands on the present top; n_factors when there is none. */
size_t stack_factor_above(const struct stack *s);

/* Saves, applies, verifies and shows the wanted level of the factor. */
void stack_put(struct stack *s, size_t factor);

const struct treatment_def *stack_def(const struct stack *s, size_t factor);
const char *stack_factor_name(const struct stack *s, size_t factor);
const char *stack_level_name(const struct stack *s, size_t factor,
			     size_t level);

/* The variables of the factor's scripts at the wanted levels. */
void stack_environment(const struct stack *s, size_t factor,
		       struct environment *env);
/* `save` as a whole script, at the wanted levels; NULL: the factor has none.
 * Caller frees. */
char *stack_save_script(const struct stack *s, size_t factor);
/* What it printed, without the newlines at the end. */
size_t stack_saved_length(const struct job *job);
void stack_send(struct stack *s, struct buf *script, double timeout,
		remote_done *done);
void stack_send_step(struct stack *s, size_t factor, const char *body,
		     remote_done *done);
/* Sends verify and show for the entry at the cursor. */
void stack_check(struct stack *s, remote_done *done);
/* Whether the host is gone; then the stack has finished. */
bool stack_is_over(struct stack *s, const struct job *job);
/* "place=memory: apply failed (exit 1): last line" */
void stack_say_failed(const struct stack *s, size_t factor, size_t level,
		      const char *step, double timeout,
		      const struct job *job, struct error *err);
/* Evidence; 0, or -1 and the stack has finished. */
int stack_record(struct stack *s, size_t factor, size_t level,
		 const char *phase, const struct job *job);
void stack_remember_shown(struct entry *e, const struct job *job);
void stack_entry_release(struct entry *e);

#endif
