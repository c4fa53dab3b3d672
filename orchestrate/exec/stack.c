#include "orchestrate/exec/stack_private.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/reason.h"
#include "orchestrate/exec/saved_text.h"
#include "orchestrate/exec/script.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/store/store_attempt.h"
#include "orchestrate/store/store_state.h"

struct stack *stack_new(const struct stack_options *o)
{
	struct stack *s = mem_zalloc(1, sizeof(*s));

	s->o = *o;
	s->entries = mem_zalloc(o->experiment->n_layers + 1,
				sizeof(*s->entries));
	s->levels = mem_zalloc(o->experiment->n_factors + 1,
			       sizeof(*s->levels));
	return s;
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
	stack_entry_release(&s->coming);
	free(s->entries);
	free(s->levels);
	free(s);
}

size_t stack_height(const struct stack *s)
{
	return s->n;
}

size_t stack_layer_above(const struct stack *s)
{
	const struct experiment *e = s->o.experiment;
	size_t layer = s->n ? s->entries[s->n - 1].layer + 1 : 0;

	/* what is absent, or a variable only, is passed over */
	while (layer < e->n_layers && !layer_treatment(e, layer, s->levels))
		layer++;
	return layer;
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

/* The top could not be put back; behind what may have gone wrong before. */
static void finish_stuck(struct stack *s, const struct job *job,
			 const struct error *why)
{
	const struct entry *top = &s->entries[s->n - 1];
	struct error before = s->err;
	bool failed = before.kind != ERROR_NONE && !s->reverting;

	s->err = *why;
	if (before.kind != ERROR_NONE)
		error_context(&s->err, "%s", before.text);
	if (stack_record(s, top, "revert", job) == 0)
		stack_finish(s, failed ? STACK_FAILED_BROKEN : STACK_BROKEN);
}

/* The top is as it was found. */
static void drop_top(struct stack *s)
{
	struct entry *top = &s->entries[s->n - 1];
	struct error err;

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

static bool is_as_saved(const struct entry *e, const struct job *job)
{
	size_t n = stack_saved_length(job);

	return job->exit_status == 0 && !job->out_truncated &&
	       strlen(e->saved) == n && memcmp(e->saved, job->out.data, n) == 0;
}

/* t=two: revert did not bring back the saved state ("one" is now "two") */
static void say_not_back(const struct stack *s, const struct entry *e,
			 const struct job *job, struct error *err)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s=%s: revert did not bring back the saved state (",
		 stack_name(s, e), e->level);
	if (job->exit_status == 0) {
		saved_text_add(&text, e->saved, strlen(e->saved));
		buf_adds(&text, " is now ");
		saved_text_add(&text, job->out.data,
				  stack_saved_length(job));
	} else {
		buf_addf(&text, "save after it: exit %d", job->exit_status);
		reason_add_last_line(&text, job->err.data, job->err.n);
	}
	error_set(err, ERROR_NEGATIVE, "%s)", text.data);
	buf_release(&text);
}

/* A revert that does nothing ends well, too; and what stands then would be
 * taken for what was found by the next level's save. */
static void on_put_back_checked(void *ctx, const struct job *job)
{
	struct stack *s = ctx;
	const struct entry *top = &s->entries[s->n - 1];
	struct error why;

	if (stack_is_over(s, job))
		return;
	if (is_as_saved(top, job)) {
		drop_top(s);
		return;
	}
	say_not_back(s, top, job, &why);
	finish_stuck(s, job, &why);
}

static void on_reverted(void *ctx, const struct job *job)
{
	struct stack *s = ctx;
	const struct entry *top = &s->entries[s->n - 1];
	const struct layer_scripts *scripts = &top->scripts;
	struct error why;

	if (stack_is_over(s, job))
		return;
	if (job->exit_status != 0) {
		stack_say_failed(s, top, "revert", job, &why);
		finish_stuck(s, job, &why);
	} else if (scripts->save) {
		stack_send(s, scripts->save, scripts->timeout,
			   on_put_back_checked);
	} else {
		drop_top(s);
	}
}

static void revert_top(struct stack *s)
{
	const struct entry *top = &s->entries[s->n - 1];
	struct buf script = BUF_INIT;

	script_with_saved(&script, top->scripts.revert, top->saved);
	stack_send(s, script.data, top->scripts.timeout, on_reverted);
	buf_release(&script);
}

/* Of a setting that was in force before: it holds, or it is applied anew. */
static void on_kept_checked(void *ctx, const struct job *job)
{
	struct stack *s = ctx;
	struct entry *e = &s->entries[s->cursor];

	if (stack_is_over(s, job))
		return;
	if (stack_record(s, e, "verify-before", job))
		return;
	if (job->exit_status == 0) {
		stack_remember_shown(e, job);
		e->fresh = true;
	} else {
		e->drifted = true;
	}
	stack_advance(s);
}

/* Whether it is wanted as it is, and all that is beneath it. */
static bool can_stay(const struct stack *s, const struct entry *e)
{
	return !e->drifted && layers_lowest_change(s->o.experiment, e->levels,
						   s->levels) > e->layer;
}

/* How many of the lowest entries can stay. */
static size_t keepable(const struct stack *s)
{
	size_t i = 0;

	while (i < s->n && can_stay(s, &s->entries[i]))
		i++;
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
	size_t layer = stack_layer_above(s);

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
	} else if (layer < s->o.experiment->n_layers) {
		stack_put(s, layer);
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
