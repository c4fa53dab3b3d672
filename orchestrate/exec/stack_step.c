#include "orchestrate/exec/stack_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/reason.h"
#include "orchestrate/spec/binding.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/store/store_attempt.h"

int stack_entry_make(const struct stack *s, struct entry *e, size_t layer,
		     struct error *err)
{
	const struct experiment *x = s->o.experiment;
	struct binding_run run = { .levels = s->levels, .host = s->o.host };
	struct buf level = BUF_INIT;

	memset(e, 0, sizeof(*e));
	if (layer_scripts_make(&e->scripts, x, &run, layer, err))
		return -1;
	layer_level(x, layer, s->levels, &level);
	e->layer = layer;
	e->level = buf_detach(&level);
	e->levels = mem_zalloc(x->n_factors + 1, sizeof(*e->levels));
	memcpy(e->levels, s->levels, x->n_factors * sizeof(*e->levels));
	return 0;
}

void stack_entry_release(struct entry *e)
{
	layer_scripts_release(&e->scripts);
	free(e->levels);
	free(e->level);
	free(e->saved);
	free(e->shown);
	memset(e, 0, sizeof(*e));
}

const char *stack_name(const struct stack *s, const struct entry *e)
{
	return layer_name(s->o.experiment, e->layer);
}

size_t stack_saved_length(const struct job *job)
{
	size_t n = job->out.n;

	while (n && job->out.data[n - 1] == '\n')
		n--;
	return n;
}

void stack_send(struct stack *s, const char *script, double timeout,
		remote_done *done)
{
	struct buf text = BUF_INIT;

	buf_adds(&text, script);
	s->remote = remote_start_marked(s->o.executor, &text, s->o.mark,
					timeout + REMOTE_GRACE, done, s);
}

/* "place=memory: apply failed (exit 1): last line" */
void stack_say_failed(const struct stack *s, const struct entry *e,
		      const char *step, const struct job *job,
		      struct error *err)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s=%s: ", stack_name(s, e), e->level);
	if (job->exit_status == 124)
		buf_addf(&text, "%s did not end within %g s", step,
			 e->scripts.timeout);
	else
		buf_addf(&text, "%s failed (exit %d)", step,
			 job->exit_status);
	reason_add_last_line(&text, job->err.data, job->err.n);
	error_set(err, ERROR_NEGATIVE, "%s", text.data);
	buf_release(&text);
}

/*
 * Both streams of a step that failed, or what `show` printed. Without an attempt
 * (putting back at the end) there is nothing it would be evidence for.
 */
int stack_record(struct stack *s, const struct entry *e, const char *phase,
		 const struct job *job)
{
	struct buf text = BUF_INIT;
	struct error err;
	int result;

	if (!s->attempt)
		return 0;
	buf_add(&text, job->out.data, job->out.n);
	if (job->exit_status != 0)
		buf_add(&text, job->err.data, job->err.n);
	result = store_evidence(s->o.store, s->attempt,
				s->o.experiment->hosts[s->o.host].name,
				stack_name(s, e), e->level, phase,
				job->exit_status, text.data, text.n, &err);
	buf_release(&text);
	if (result) {
		s->err = err;
		stack_finish(s, STACK_STORE);
	}
	return result;
}

/* Every answer comes through here first. */
bool stack_is_over(struct stack *s, const struct job *job)
{
	s->remote = NULL;
	if (!remote_lost(s->o.executor, job, &s->err))
		return false;
	stack_finish(s, STACK_LOST);
	return true;
}

/* Sends verify and show for the entry at the cursor. */
void stack_check(struct stack *s, remote_done *done)
{
	const struct entry *e = &s->entries[s->cursor];

	/* two scripts in one */
	stack_send(s, e->scripts.check, 2 * e->scripts.timeout, done);
}

void stack_cancel(struct stack *s)
{
	if (s->remote)
		remote_cancel(s->remote);
}

void stack_remember_shown(struct entry *e, const struct job *job)
{
	free(e->shown);
	e->shown = mem_strndup(job->out.data, job->out.n);
}
