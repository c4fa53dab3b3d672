#include "orchestrate/exec/stack_private.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/store/store_state.h"

/* A step failed: the run is invalid, and what was saved is put back. */
static void fail_step(struct stack *s, const struct entry *e,
		      const struct job *job, const char *step)
{
	if (s->err.kind == ERROR_NONE)
		stack_say_failed(s, e, step, job, &s->err);
	if (stack_record(s, e, "apply", job) == 0)
		stack_advance(s);
}

static void on_applied_checked(void *ctx, const struct job *job)
{
	struct stack *s = ctx;
	struct entry *top = &s->entries[s->n - 1];

	if (stack_is_over(s, job))
		return;
	if (job->exit_status != 0) {
		fail_step(s, top, job, "verify after apply");
		return;
	}
	stack_remember_shown(top, job);
	top->fresh = true;
	if (stack_record(s, top, "apply", job) == 0)
		stack_advance(s);
}

static void on_applied(void *ctx, const struct job *job)
{
	struct stack *s = ctx;

	if (stack_is_over(s, job))
		return;
	if (job->exit_status != 0) {
		fail_step(s, &s->entries[s->n - 1], job, "apply");
		return;
	}
	s->cursor = s->n - 1;
	stack_check(s, on_applied_checked);
}

/* Keeps what was saved where a crash cannot reach it. */
static int keep_state(struct stack *s, struct entry *e)
{
	struct saved_state state = {
		.campaign = s->o.campaign,
		.host = s->o.experiment->hosts[s->o.host].name,
		.target = (char *)(uintptr_t)s->o.target,
		.factor = (char *)(uintptr_t)stack_name(s, e),
		.level = e->level,
		.saved = e->saved,
		.revert = e->scripts.revert,
		.timeout = e->scripts.timeout,
	};

	if (store_state_save(s->o.store, &state, &s->err))
		return -1;
	e->state = state.id;
	return 0;
}

/* What is coming, with what `save` printed, goes on top of the stack. */
static void push(struct stack *s, char *saved)
{
	struct entry *e = &s->entries[s->n];

	s->coming.saved = saved;
	if (keep_state(s, &s->coming)) {
		stack_finish(s, STACK_STORE);
		return;
	}
	*e = s->coming;
	memset(&s->coming, 0, sizeof(s->coming));
	s->n++;
	stack_send(s, e->scripts.apply, e->scripts.timeout, on_applied);
}

static void on_saved(void *ctx, const struct job *job)
{
	struct stack *s = ctx;
	const struct entry *e = &s->coming;
	size_t n = stack_saved_length(job);

	if (stack_is_over(s, job))
		return;
	if (job->exit_status == 0 &&
	    (job->out_truncated || memchr(job->out.data, '\0', n)))
		error_set(&s->err, ERROR_NEGATIVE,
			  "%s=%s: save printed %s; it has to print a text that "
			  "a shell variable can hold", stack_name(s, e),
			  e->level,
			  job->out_truncated ? "too much" : "a NUL byte");
	if (job->exit_status != 0 || s->err.kind != ERROR_NONE)
		fail_step(s, e, job, "save");
	else
		push(s, mem_strndup(job->out.data, n));
}

void stack_put(struct stack *s, size_t layer)
{
	struct entry *e = &s->coming;

	stack_entry_release(e);
	if (stack_entry_make(s, e, layer, &s->err))
		stack_advance(s);
	else if (e->scripts.save)
		stack_send(s, e->scripts.save, e->scripts.timeout, on_saved);
	else
		push(s, mem_strdup(""));
}
