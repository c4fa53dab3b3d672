#include "orchestrate/exec/attempt_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/reason.h"
#include "orchestrate/exec/remote.h"
#include "orchestrate/exec/run_text.h"
#include "orchestrate/exec/script.h"
#include "orchestrate/exec/stack.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/store/store_state.h"

/* How long a result may take to come, on top of the run's own limit and of
 * what it takes to kill a stubborn one. */
#define RESULT_GRACE 120.0

/* What the runner does before and after an execution. */
#define BETWEEN 1.0

/* How long a host may pause while it sends a result. */
#define SILENCE_LIMIT 60.0

static void tell(void *ctx)
{
	struct attempt *a = ctx;

	a->report.reason = a->reason.n ? a->reason.data : NULL;
	a->report.err = &a->err;
	a->o.done(a->o.ctx, &a->report);
	job_release(&a->job);
	buf_release(&a->script);
	buf_release(&a->reason);
	planned_release(&a->planned);
	free(a);
}

void attempt_finish(struct attempt *a, enum attempt_verdict verdict)
{
	a->report.verdict = verdict;
	a->finishing = timer_start(a->o.executor->loop, 0, tell, a);
}

static void say_go(struct attempt *a)
{
	static const char word[] = "go\n";
	const struct executor_ops *ops = a->o.executor->ops;

	if (a->stop) {
		ops->eof(a->o.executor, &a->job);
		return;
	}
	a->state = MEASURING;
	ops->write(a->o.executor, &a->job, word, sizeof(word) - 1);
}

static void on_silence(void *ctx)
{
	struct attempt *a = ctx;

	a->silence = NULL;
	a->o.executor->ops->cancel(a->o.executor, &a->job);
}

/* A result that has begun must go on; before that, no timer of ours runs. */
static void watch_silence(struct attempt *a, enum result_stage stage)
{
	timer_cancel(a->silence);
	a->silence = stage == RESULT_PARTIAL ?
		     timer_start(a->o.executor->loop, SILENCE_LIMIT,
				 on_silence, a) : NULL;
}

static void on_output(struct job *job)
{
	struct attempt *a = job->ctx;
	enum result_stage stage;

	if (a->state != STARTING && a->state != MEASURING)
		return;
	stage = result_parse(&a->result, job->out.data, job->out.n, a->token);
	watch_silence(a, stage);
	if (stage == RESULT_READY && a->state == STARTING)
		say_go(a);
	else if (stage == RESULT_COMPLETE)
		attempt_take_result(a);
	else if (stage == RESULT_BROKEN)
		attempt_refuse_result(a);
}

/* The channel ended before a result came. */
static void end_early(struct attempt *a)
{
	const struct job *job = &a->job;
	struct buf text = BUF_INIT;
	struct error err;

	if (remote_lost(a->o.executor, job, &a->err)) {
		attempt_finish(a, ATTEMPT_OPEN);
	} else if (result_parse(&a->result, job->out.data, job->out.n,
				a->token) == RESULT_NONE) {
		attempt_end_without(a, OUTCOME_LOST, a->o.lost ? a->o.lost :
				    "it was never started: its controller died "
				    "first");
	} else if (a->state == STARTING && a->stop && !a->collecting) {
		attempt_end_without(a, OUTCOME_STOPPED, "stopped by the user before "
			    "the command began");
	} else {
		buf_addf(&text, "%s: no run can be made there (exit %d)",
			 a->o.executor->host->name, job->exit_status);
		reason_add_last_line(&text, job->err.data, job->err.n);
		error_set(&err, ERROR_ENVIRONMENT, "%s", text.data);
		buf_release(&text);
		attempt_end_broken(a, OUTCOME_LOST, &err);
	}
}

static void on_channel_end(struct job *job)
{
	struct attempt *a = job->ctx;

	timer_cancel(a->silence);
	a->silence = NULL;
	switch (a->state) {
	case PREPARING:
	case STARTING:
	case MEASURING:
		end_early(a);
		break;
	case VERIFYING:
		a->channel_over = true;
		break;
	case CLOSING:
		attempt_finish(a, a->report.verdict);
		break;
	}
}

static void open_channel(struct attempt *a, double timeout)
{
	struct executor *x = a->o.executor;

	a->state = STARTING;
	a->job.script = a->script.data;
	a->job.n_script = a->script.n;
	a->job.hold = true;
	a->job.limit = SCRIPT_RESULT_LIMIT;
	a->job.timeout = timeout;
	a->job.on_output = on_output;
	a->job.done = on_channel_end;
	a->job.ctx = a;
	x->ops->start(x, &a->job);
}

/* How long all of the run's executions and its result may take. */
static double time_limit(const struct attempt *a)
{
	const struct benchmark *b = attempt_benchmark(a);

	return ((double)b->warmup + b->repeats) * (b->timeout + BETWEEN) +
	       RESULT_GRACE;
}

static void send_run(struct attempt *a)
{
	struct error err;

	if (run_text(&a->script, a->o.experiment, &a->planned.run, a->o.place,
		     a->token, &err))
		attempt_end_without(a, OUTCOME_INVALID, err.text);
	else
		open_channel(a, time_limit(a));
}

static void on_prepared(void *ctx, enum stack_verdict verdict,
			const struct error *err)
{
	struct attempt *a = ctx;

	switch (verdict) {
	case STACK_OK:
		if (a->stop)
			attempt_end_without(a, OUTCOME_STOPPED, "stopped by the user "
				    "before the command began");
		else
			send_run(a);
		break;
	case STACK_FAILED:
		attempt_end_without(a, OUTCOME_INVALID, err->text);
		break;
	case STACK_BROKEN:
		/* not this run's fault: it is made again */
		attempt_end_broken(a, OUTCOME_LOST, err);
		break;
	case STACK_FAILED_BROKEN:
		attempt_end_broken(a, OUTCOME_INVALID, err);
		break;
	case STACK_LOST:
	case STACK_STORE:
		a->err = *err;
		attempt_finish(a, verdict == STACK_STORE ? ATTEMPT_STORE :
						   ATTEMPT_OPEN);
		break;
	}
}

static struct attempt *attempt_new(const struct attempt_options *o, size_t run)
{
	struct attempt *a = mem_zalloc(1, sizeof(*a));

	a->o = *o;
	a->run = run;
	if (run != ATTEMPT_NO_RUN) {
		planned_init(&a->planned, o->experiment);
		planned_set(&a->planned, o->schedule, run);
	}
	job_init(&a->job);
	buf_init(&a->script);
	buf_init(&a->reason);
	a->report.outcome = OUTCOME_LOST;
	return a;
}

struct attempt *attempt_start(const struct attempt_options *o, size_t run)
{
	struct attempt *a = attempt_new(o, run);
	struct buf key = BUF_INIT;

	schedule_run_key(o->schedule, run, &key);
	if (store_attempt_begin(o->store, o->campaign, o->session, key.data,
				o->executor->host->name, a->token, &a->id,
				&a->err))
		attempt_finish(a, ATTEMPT_STORE);
	else
		stack_apply(o->stack, a->id, a->planned.levels, on_prepared,
			    a);
	buf_release(&key);
	return a;
}

struct attempt *attempt_collect(const struct attempt_options *o,
				const struct open_attempt *open, size_t run,
				const struct saved_state *states, size_t n)
{
	struct attempt *a = attempt_new(o, run);

	a->collecting = true;
	a->id = open->id;
	memcpy(a->token, open->token, sizeof(a->token));
	a->adopted = run != ATTEMPT_NO_RUN &&
		     stack_adopt(o->stack, states, n, a->planned.levels);
	script_collect(&a->script, o->place, a->token);
	open_channel(a, run == ATTEMPT_NO_RUN ? 0 : time_limit(a));
	return a;
}

static void on_stop_sent(void *ctx, const struct job *job)
{
	(void)ctx;
	(void)job;
}

void attempt_stop(struct attempt *a)
{
	struct buf script = BUF_INIT;

	if (a->stop)
		return;
	a->stop = true;
	if (a->state != MEASURING && !a->collecting)
		return;
	script_stop(&script, a->o.place, a->token);
	remote_start(a->o.executor, &script, REMOTE_GRACE, on_stop_sent, NULL);
}

void attempt_cancel(struct attempt *a)
{
	a->stop = true;
	stack_cancel(a->o.stack);
	if (a->state != PREPARING && !a->channel_over && !a->finishing)
		a->o.executor->ops->cancel(a->o.executor, &a->job);
}
