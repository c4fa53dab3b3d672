#include "orchestrate/exec/stack_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/exec/environment.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/reason.h"
#include "orchestrate/exec/remote.h"
#include "orchestrate/exec/script.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/treatment_def.h"
#include "orchestrate/store/store_attempt.h"
#include "orchestrate/store/store_state.h"

struct stack *stack_new(const struct stack_options *o)
{
	struct stack *s = mem_zalloc(1, sizeof(*s));

	s->o = *o;
	s->entries = mem_zalloc(o->experiment->n_factors + 1,
				sizeof(*s->entries));
	s->levels = mem_zalloc(o->experiment->n_factors + 1,
			       sizeof(*s->levels));
	return s;
}

void stack_entry_release(struct entry *e)
{
	free(e->saved);
	free(e->revert);
	free(e->shown);
	memset(e, 0, sizeof(*e));
}

void stack_forget(struct stack *s)
{
	while (s->n)
		stack_entry_release(&s->entries[--s->n]);
}

void stack_free(struct stack *s)
{
	if (!s)
		return;
	timer_cancel(s->finishing);
	stack_forget(s);
	free(s->entries);
	free(s->levels);
	free(s->saved);
	free(s);
}

size_t stack_height(const struct stack *s)
{
	return s->n;
}

/* The lowest factor with a definition from `factor` on. */
static size_t next_factor(const struct stack *s, size_t factor)
{
	while (factor < s->o.experiment->n_factors && !stack_def(s, factor))
		factor++;
	return factor;
}

/* The factor that stands on the present top. */
size_t stack_factor_above(const struct stack *s)
{
	return next_factor(s, s->n ? s->entries[s->n - 1].factor + 1 : 0);
}

static void tell(void *ctx)
{
	struct stack *s = ctx;

	s->finishing = NULL;
	s->done(s->ctx, s->verdict, &s->err);
}

void stack_finish(struct stack *s, enum stack_verdict verdict)
{
	s->verdict = verdict;
	s->finishing = timer_start(s->o.executor->loop, 0, tell, s);
}

void stack_begin(struct stack *s, int64_t attempt, stack_done *done,
		  void *ctx)
{
	assert(!s->finishing);
	s->attempt = attempt;
	s->done = done;
	s->ctx = ctx;
	s->err = (struct error)ERROR_INIT;
	s->cursor = 0;
	s->reverting = false;
}

/* Behind what may have gone wrong before. */
static void say_stuck(struct stack *s, const struct entry *top,
		      const struct job *job)
{
	struct error before = s->err;

	stack_say_failed(s, top->factor, top->level, "revert", top->timeout,
			 job, &s->err);
	if (before.kind != ERROR_NONE)
		error_context(&s->err, "%s", before.text);
}

static void on_reverted(void *ctx, const struct job *job)
{
	struct stack *s = ctx;
	struct entry *top = &s->entries[s->n - 1];
	struct error err;

	if (stack_is_over(s, job))
		return;
	if (job->exit_status != 0) {
		say_stuck(s, top, job);
		if (stack_record(s, top->factor, top->level, "revert",
				 job) == 0)
			stack_finish(s, STACK_BROKEN);
		return;
	}
	if (store_state_reverted(s->o.store, top->state, &err)) {
		s->err = err;
		/* All the way down the host comes first: what is put back
		 * twice, as the store does not know it, is still put back. */
		if (!s->reverting) {
			stack_finish(s, STACK_STORE);
			return;
		}
	}
	stack_entry_release(top);
	s->n--;
	stack_advance(s);
}

static void revert_top(struct stack *s)
{
	const struct entry *top = &s->entries[s->n - 1];
	struct buf script = BUF_INIT;

	script_with_saved(&script, top->revert, top->saved);
	stack_send(s, &script, top->timeout, on_reverted);
}

/* Of a setting that was in force before: it holds, or it is applied anew. */
static void on_kept_checked(void *ctx, const struct job *job)
{
	struct stack *s = ctx;
	struct entry *e = &s->entries[s->cursor];

	if (stack_is_over(s, job))
		return;
	if (stack_record(s, e->factor, e->level, "verify-before", job))
		return;
	if (job->exit_status == 0) {
		stack_remember_shown(e, job);
		e->fresh = true;
	} else {
		e->drifted = true;
	}
	stack_advance(s);
}

/* How many of the lowest entries can stay. */
static size_t keepable(const struct stack *s)
{
	size_t i;

	for (i = 0; i < s->n; i++)
		if (s->entries[i].drifted ||
		    s->entries[i].level != s->levels[s->entries[i].factor])
			break;
	return i;
}

static bool find_stale(struct stack *s)
{
	for (s->cursor = 0; s->cursor < s->n; s->cursor++)
		if (!s->entries[s->cursor].fresh)
			return true;
	return false;
}

/* Decides the next step; every step's answer comes back here. */
void stack_advance(struct stack *s)
{
	bool failed = s->err.kind != ERROR_NONE;
	size_t factor = stack_factor_above(s);

	if (s->reverting) {
		if (s->n)
			revert_top(s);
		else
			stack_finish(s, failed ? STACK_STORE : STACK_OK);
	} else if (failed) {
		/* the top was saved but is not in effect */
		if (s->n && !s->entries[s->n - 1].fresh)
			revert_top(s);
		else
			stack_finish(s, STACK_FAILED);
	} else if (s->n > keepable(s)) {
		revert_top(s);
	} else if (find_stale(s)) {
		stack_check(s, on_kept_checked);
	} else if (factor < s->o.experiment->n_factors) {
		stack_put(s, factor);
	} else {
		stack_finish(s, STACK_OK);
	}
}

void stack_apply(struct stack *s, int64_t attempt, const size_t *levels,
		 stack_done *done, void *ctx)
{
	stack_begin(s, attempt, done, ctx);
	memcpy(s->levels, levels,
	       s->o.experiment->n_factors * sizeof(*levels));
	for (size_t i = 0; i < s->n; i++)
		s->entries[i].fresh = false;
	stack_advance(s);
}

void stack_revert(struct stack *s, stack_done *done, void *ctx)
{
	stack_begin(s, 0, done, ctx);
	s->reverting = true;
	stack_advance(s);
}
