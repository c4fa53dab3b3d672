#include "orchestrate/exec/stack_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/reason.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/store/store_state.h"

static void verify_next(struct stack *s);

static void say_drifted(struct stack *s, const struct entry *e,
			const struct job *job)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s=%s was no longer in effect after the command",
		 stack_name(s, e), e->level);
	reason_add_last_line(&text, job->err.data, job->err.n);
	error_set(&s->err, ERROR_NEGATIVE, "%s", text.data);
	buf_release(&text);
}

/* After the command only news is recorded: what `show` prints unchanged is in
 * the evidence from before. */
static bool is_news(const struct entry *e, const struct job *job)
{
	return job->exit_status != 0 || !e->shown ||
	       strlen(e->shown) != job->out.n ||
	       memcmp(e->shown, job->out.data, job->out.n);
}

static void on_verified(void *ctx, const struct job *job)
{
	struct stack *s = ctx;
	struct entry *e = &s->entries[s->cursor];

	if (stack_is_over(s, job))
		return;
	if (is_news(e, job) && stack_record(s, e, "verify-after", job))
		return;
	if (job->exit_status != 0) {
		e->drifted = true;
		if (s->err.kind == ERROR_NONE)
			say_drifted(s, e, job);
	}
	s->cursor++;
	verify_next(s);
}

static void verify_next(struct stack *s)
{
	if (s->cursor < s->n)
		stack_check(s, on_verified);
	else
		stack_finish(s, s->err.kind == ERROR_NONE ? STACK_OK :
							    STACK_FAILED);
}

void stack_verify(struct stack *s, int64_t attempt, stack_done *done,
		  void *ctx)
{
	stack_begin(s, attempt, done, ctx);
	verify_next(s);
}

/* Whether the state is what the entry would have left. */
static bool is_of(const struct stack *s, const struct entry *e,
		  const struct saved_state *state)
{
	return strcmp(state->factor, stack_name(s, e)) == 0 &&
	       strcmp(state->level, e->level) == 0;
}

static bool adopt_one(struct stack *s, const struct saved_state *state)
{
	size_t layer = stack_layer_above(s);
	struct entry *e = &s->entries[s->n];
	struct error err;

	if (layer == s->o.experiment->n_layers ||
	    stack_entry_make(s, e, layer, &err))
		return false;
	if (!is_of(s, e, state)) {
		stack_entry_release(e);
		return false;
	}
	e->state = state->id;
	e->saved = mem_strdup(state->saved);
	free(e->scripts.revert);
	e->scripts.revert = mem_strdup(state->revert);
	e->scripts.timeout = state->timeout;
	s->n++;
	return true;
}

bool stack_adopt(struct stack *s, const struct saved_state *states, size_t n,
		 const size_t *levels)
{
	memcpy(s->levels, levels,
	       s->o.experiment->n_factors * sizeof(*levels));
	stack_forget(s);
	/* newest first: the last one is the lowest */
	for (size_t i = n; i > 0; i--)
		if (!adopt_one(s, &states[i - 1]))
			return false;
	return stack_layer_above(s) == s->o.experiment->n_layers;
}
