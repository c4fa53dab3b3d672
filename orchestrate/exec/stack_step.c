#include "orchestrate/exec/stack_private.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/exec/environment.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/reason.h"
#include "orchestrate/exec/script.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/treatment_def.h"
#include "orchestrate/store/store_attempt.h"

const struct treatment_def *stack_def(const struct stack *s, size_t factor)
{
	return s->o.experiment->uses[factor].treatment.def;
}

const char *stack_factor_name(const struct stack *s, size_t factor)
{
	return s->o.experiment->factors[factor].name;
}

const char *stack_level_name(const struct stack *s, size_t factor,
			      size_t level)
{
	return s->o.experiment->factors[factor].levels[level].name;
}

/* Environment of the scripts of a factor at the wanted levels. */
void stack_environment(const struct stack *s, size_t factor,
			struct environment *env)
{
	environment_treatment(env, s->o.experiment, s->o.host, s->levels,
			      factor);
}

char *stack_save_script(const struct stack *s, size_t factor)
{
	const struct treatment_def *def = stack_def(s, factor);
	struct environment env = ENVIRONMENT_INIT;
	struct buf script = BUF_INIT;

	if (!def->save)
		return NULL;
	stack_environment(s, factor, &env);
	script_treatment(&script, &env, def->save, def->timeout);
	environment_release(&env);
	return buf_detach(&script);
}

size_t stack_saved_length(const struct job *job)
{
	size_t n = job->out.n;

	while (n && job->out.data[n - 1] == '\n')
		n--;
	return n;
}

void stack_send(struct stack *s, struct buf *script, double timeout,
		 remote_done *done)
{
	s->remote = remote_start(s->o.executor, script,
				 timeout + REMOTE_GRACE, done, s);
}

void stack_send_step(struct stack *s, size_t factor, const char *body,
		      remote_done *done)
{
	const struct treatment_def *def = stack_def(s, factor);
	struct environment env = ENVIRONMENT_INIT;
	struct buf script = BUF_INIT;

	stack_environment(s, factor, &env);
	script_treatment(&script, &env, body, def->timeout);
	environment_release(&env);
	stack_send(s, &script, def->timeout, done);
}

/* "place=memory: apply failed (exit 1): last line" */
void stack_say_failed(const struct stack *s, size_t factor, size_t level,
		       const char *step, double timeout,
		       const struct job *job, struct error *err)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s=%s: ", stack_factor_name(s, factor),
		 stack_level_name(s, factor, level));
	if (job->exit_status == 124)
		buf_addf(&text, "%s did not end within %g s", step, timeout);
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
int stack_record(struct stack *s, size_t factor, size_t level,
		 const char *phase, const struct job *job)
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
				stack_factor_name(s, factor),
				stack_level_name(s, factor, level), phase,
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
	const struct treatment_def *def = stack_def(s, e->factor);
	struct environment env = ENVIRONMENT_INIT;
	struct buf script = BUF_INIT;

	stack_environment(s, e->factor, &env);
	script_check(&script, &env, def->verify, def->show, def->timeout);
	environment_release(&env);
	stack_send(s, &script, 2 * def->timeout, done);
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
