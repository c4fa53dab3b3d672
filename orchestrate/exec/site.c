#include "orchestrate/exec/pool_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/place.h"
#include "orchestrate/exec/remote.h"
#include "orchestrate/exec/restore.h"
#include "orchestrate/exec/stack.h"
#include "orchestrate/exec/sweep.h"
#include "orchestrate/exec/target.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/store/store_state.h"

static void next_run(struct site *s);

void site_init(struct site *s, struct pool *p, size_t host)
{
	const struct experiment *e = p->o.experiment;
	struct stack_options stack;

	memset(s, 0, sizeof(*s));
	s->pool = p;
	s->host = host;
	s->name = e->hosts[host].name;
	s->executor = executor_new(p->loop, &e->hosts[host], e->dir);
	s->target = target_write(&e->hosts[host], e->dir);
	s->place = place_name(p->uuid, s->name);
	s->mark = place_mark(s->place);
	stack = (struct stack_options){
		.executor = s->executor,
		.store = p->o.store,
		.experiment = e,
		.host = host,
		.campaign = p->o.campaign,
		.target = s->target,
		.mark = s->mark,
	};
	s->stack = stack_new(&stack);
}

void site_release(struct site *s)
{
	stack_free(s->stack);
	hostfacts_release(&s->facts);
	saved_states_free(s->states, s->n_states);
	free(s->target);
	free(s->place);
	free(s->mark);
	free(s->left_place);
	free(s->runs);
	free(s->collected);
	free(s->unable);
	free(s->open);
}

void site_attempt_options(struct site *s, struct attempt_options *o,
			  void (*done)(void *ctx,
				       const struct attempt_report *report))
{
	const struct pool *p = s->pool;

	*o = (struct attempt_options){
		.executor = s->executor,
		.stack = s->stack,
		.store = p->o.store,
		.campaign = p->o.campaign,
		.place = s->place,
		.session = p->o.session,
		.experiment = p->o.experiment,
		.schedule = p->o.schedule,
		.extractors = (struct extractor *const *const *)p->extractors,
		.done = done,
		.ctx = s,
	};
}

/* Runs that are not made any more. */
static void count_left(struct site *s)
{
	for (; s->next < s->n_runs; s->next++)
		if (!s->collected[s->next])
			s->pool->summary.left++;
}

static void close_site(struct site *s)
{
	count_left(s);
	pool_release(s);
	if (s->executor)
		s->executor->ops->close(s->executor, NULL, NULL);
	s->executor = NULL;
}

static void on_swept(void *ctx, const struct error *err)
{
	struct site *s = ctx;

	s->sweep = NULL;
	if (err->kind != ERROR_NONE)
		pool_fault(s->pool, s->name, err);
	close_site(s);
}

static void say_unrestored(struct site *s, const struct error *err)
{
	char *text;

	s->pool->summary.unrestored += stack_height(s->stack);
	text = mem_printf("%s; what is still changed on %s is put back by "
			  "`assay restore`, or by the next `assay run`",
			  err->text, s->name);
	pool_event(s->pool, POOL_WARNING, s->name, text);
	free(text);
}

static void on_all_reverted(void *ctx, enum stack_verdict verdict,
			    const struct error *err)
{
	struct site *s = ctx;

	s->reverting = false;
	if (verdict == STACK_BROKEN || verdict == STACK_LOST)
		say_unrestored(s, err);
	if (verdict == STACK_STORE || verdict == STACK_LOST) {
		pool_fault(s->pool, s->name, err);
		s->unclean = true;
	}
	if (s->unclean || s->pool->interrupts >= 3)
		close_site(s);
	else
		s->sweep = sweep_start(s->executor, s->pool->o.store, on_swept,
				       s);
}

static void revert_all(struct site *s)
{
	s->reverting = true;
	stack_revert(s->stack, on_all_reverted, s);
}

/* Puts back all, with the resource in hand: this is work on the host, too. */
static void wind_down(struct site *s)
{
	count_left(s);
	if (s->pool->interrupts < 3) {
		pool_acquire(s, revert_all);
		return;
	}
	s->pool->summary.unrestored += stack_height(s->stack);
	close_site(s);
}

void site_lose(struct site *s, const struct error *err)
{
	pool_fault(s->pool, s->name, err);
	s->unclean = true;
	if (stack_height(s->stack))
		say_unrestored(s, err);
	close_site(s);
}

void site_count(struct site *s, enum outcome outcome)
{
	s->pool->summary.by_outcome[outcome]++;
	s->pool->done++;
}

/* Why no more runs are made on a host that can be reached. */
static void break_site(struct site *s, const struct error *why)
{
	struct error err;

	error_set(&err, ERROR_ENVIRONMENT, "%s; no more runs are made on %s",
		  why->text, s->name);
	pool_fault(s->pool, s->name, &err);
	s->broken = true;
	wind_down(s);
}

bool site_go_on(struct site *s, const struct attempt_report *report)
{
	switch (report->verdict) {
	case ATTEMPT_ENDED:
		return true;
	case ATTEMPT_BROKEN:
		break_site(s, report->err);
		break;
	case ATTEMPT_OPEN:
		site_lose(s, report->err);
		break;
	case ATTEMPT_STORE:
		pool_fault(s->pool, s->name, report->err);
		s->pool->no_more = true;
		s->unclean = true;
		wind_down(s);
		break;
	}
	return false;
}

/* An attempt that could not be recorded has no outcome but this. */
static enum outcome outcome_of(const struct attempt_report *report)
{
	return report->verdict == ATTEMPT_ENDED ||
	       report->verdict == ATTEMPT_BROKEN ? report->outcome :
						   OUTCOME_LOST;
}

static const char *reason_of(const struct attempt_report *report)
{
	if (report->reason)
		return report->reason;
	return report->err->kind == ERROR_NONE ? NULL : report->err->text;
}

static void on_attempt(void *ctx, const struct attempt_report *report)
{
	struct site *s = ctx;
	struct buf key = BUF_INIT;

	s->attempt = NULL;
	site_count(s, outcome_of(report));
	schedule_run_key(s->pool->o.schedule, s->run, &key);
	pool_run_event(s, POOL_RUN_END, key.data, outcome_of(report),
		       reason_of(report));
	buf_release(&key);
	if (!site_go_on(s, report))
		return;
	pool_release(s);
	next_run(s);
}

static void make_run(struct site *s)
{
	struct attempt_options o;
	struct buf key = BUF_INIT;

	/* much may have happened while it waited for the resource */
	if (s->pool->no_more) {
		wind_down(s);
		return;
	}
	s->run = s->runs[s->next++];
	schedule_run_key(s->pool->o.schedule, s->run, &key);
	pool_run_event(s, POOL_RUN_START, key.data, OUTCOME_OK, NULL);
	buf_release(&key);
	site_attempt_options(s, &o, on_attempt);
	s->attempt = attempt_start(&o, s->run);
}

/* Past the runs that are collected already, or that cannot be made here. */
static void skip_runs(struct site *s)
{
	for (; s->next < s->n_runs; s->next++) {
		if (s->collected[s->next])
			continue;
		if (!s->unable[s->next])
			return;
		s->pool->summary.left++;
	}
}

static void next_run(struct site *s)
{
	if (!s->broken && !s->pool->no_more)
		skip_runs(s);
	if (s->broken || s->pool->no_more || s->next == s->n_runs)
		wind_down(s);
	else
		pool_acquire(s, make_run);
}

void site_ready(struct site *s)
{
	pool_release(s);
	next_run(s);
}

static void on_connected(void *ctx, const struct error *err)
{
	struct site *s = ctx;

	s->connecting = false;
	if (err->kind != ERROR_NONE) {
		/* closed by Ctrl-C: no fault of the host */
		if (s->pool->interrupts == 0)
			pool_fault(s->pool, s->name, err);
		close_site(s);
		return;
	}
	pool_event(s->pool, POOL_CONNECTED, s->name, NULL);
	if (s->pool->no_more)
		close_site(s);
	else
		pool_acquire(s, site_prepare);
}

void site_start(struct site *s)
{
	s->connecting = true;
	s->executor->ops->connect(s->executor, on_connected, s);
}

static void cancel_all(struct site *s)
{
	if (s->attempt)
		attempt_cancel(s->attempt);
	if (s->remote)
		remote_cancel(s->remote);
	if (s->restore)
		restore_cancel(s->restore);
	if (s->sweep)
		sweep_cancel(s->sweep);
	if (s->reverting)
		stack_cancel(s->stack);
}

void site_interrupt(struct site *s, int count)
{
	struct executor *x = s->executor;

	if (s->connecting && x) {
		s->executor = NULL;
		x->ops->close(x, NULL, NULL);
	} else if (count == 2 && s->attempt) {
		attempt_stop(s->attempt);
	} else if (count >= 3) {
		cancel_all(s);
	}
}
