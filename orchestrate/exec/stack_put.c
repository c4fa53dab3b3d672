#include "orchestrate/exec/stack_private.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/exec/environment.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/script.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/treatment_def.h"
#include "orchestrate/store/store_state.h"

/* A step failed: the run is invalid, and what was saved is put back. */
static void fail_step(struct stack *s, const struct job *job, const char *step,
		      size_t factor)
{
	size_t level = s->levels[factor];

	if (s->err.kind == ERROR_NONE)
		stack_say_failed(s, factor, level, step, stack_def(s, factor)->timeout,
			   job, &s->err);
	if (stack_record(s, factor, level, "apply", job) == 0)
		stack_advance(s);
}

static void on_applied_checked(void *ctx, const struct job *job)
{
	struct stack *s = ctx;
	struct entry *top = &s->entries[s->n - 1];

	if (stack_is_over(s, job))
		return;
	if (job->exit_status != 0) {
		fail_step(s, job, "verify after apply", top->factor);
		return;
	}
	stack_remember_shown(top, job);
	top->fresh = true;
	if (stack_record(s, top->factor, top->level, "apply", job) == 0)
		stack_advance(s);
}

static void on_applied(void *ctx, const struct job *job)
{
	struct stack *s = ctx;
	struct entry *top = &s->entries[s->n - 1];

	if (stack_is_over(s, job))
		return;
	if (job->exit_status != 0) {
		fail_step(s, job, "apply", top->factor);
		return;
	}
	s->cursor = s->n - 1;
	stack_check(s, on_applied_checked);
}

/* Keeps what was saved where a crash cannot reach it. */
static int keep_state(struct stack *s, struct entry *e)
{
	const struct treatment_def *def = stack_def(s, e->factor);
	const struct experiment *x = s->o.experiment;
	struct saved_state state = {
		.campaign = s->o.campaign,
		.host = x->hosts[s->o.host].name,
		.target = (char *)(uintptr_t)s->o.target,
		.factor = x->factors[e->factor].name,
		.level = x->factors[e->factor].levels[e->level].name,
		.saved = e->saved,
		.timeout = def->timeout,
	};
	struct environment env = ENVIRONMENT_INIT;
	struct buf revert = BUF_INIT;

	stack_environment(s, e->factor, &env);
	script_treatment(&revert, &env, def->revert, def->timeout);
	environment_release(&env);
	e->revert = buf_detach(&revert);
	state.revert = e->revert;
	if (store_state_save(s->o.store, &state, &s->err))
		return -1;
	e->state = state.id;
	return 0;
}

/* What `save` printed is in s->saved: the level goes on top of the stack. */
static void push(struct stack *s, size_t factor)
{
	const struct treatment_def *def = stack_def(s, factor);
	struct entry e = {
		.factor = factor,
		.level = s->levels[factor],
		.saved = s->saved,
		.check = stack_save_script(s, factor),
		.timeout = def->timeout,
	};

	s->saved = NULL;
	if (keep_state(s, &e)) {
		stack_entry_release(&e);
		stack_finish(s, STACK_STORE);
		return;
	}
	s->entries[s->n++] = e;
	stack_send_step(s, factor, def->apply, on_applied);
}

static void on_saved(void *ctx, const struct job *job)
{
	struct stack *s = ctx;
	size_t factor = stack_factor_above(s);
	size_t n = stack_saved_length(job);

	if (stack_is_over(s, job))
		return;
	if (job->exit_status == 0 &&
	    (job->out_truncated || memchr(job->out.data, '\0', n)))
		error_set(&s->err, ERROR_NEGATIVE,
			  "%s=%s: save printed %s; it has to print a text that "
			  "a shell variable can hold", stack_factor_name(s, factor),
			  stack_level_name(s, factor, s->levels[factor]),
			  job->out_truncated ? "too much" : "a NUL byte");
	if (job->exit_status != 0 || s->err.kind != ERROR_NONE) {
		fail_step(s, job, "save", factor);
		return;
	}
	s->saved = mem_strndup(job->out.data, n);
	push(s, factor);
}

void stack_put(struct stack *s, size_t factor)
{
	const struct treatment_def *def = stack_def(s, factor);

	if (def->save) {
		stack_send_step(s, factor, def->save, on_saved);
	} else {
		s->saved = mem_strdup("");
		push(s, factor);
	}
}
