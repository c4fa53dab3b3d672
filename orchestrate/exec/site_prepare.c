#include "orchestrate/exec/pool_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/hostneeds.h"
#include "orchestrate/exec/place.h"
#include "orchestrate/exec/planned.h"
#include "orchestrate/exec/remote.h"
#include "orchestrate/exec/restore.h"
#include "orchestrate/exec/stack.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/store/store_state.h"

#define FACTS_LIMIT 60.0
#define ATTEMPT_LEFT "its campaign was left: stopped"
#define NO_RUN ((size_t)-1)

static void collect_next(struct site *s);

static void give_up(struct site *s, const struct error *err)
{
	pool_fault(s->pool, s->name, err);
	s->broken = true;
	site_ready(s);
}

static void give_up_store(struct site *s, const struct error *err)
{
	s->pool->no_more = true;
	s->unclean = true;
	give_up(s, err);
}

/* Tells what keeps a run from being made, unless another has told it. */
static void tell_lack(struct site *s, struct strlist *told,
		      const struct error *err)
{
	if (strlist_has(told, err->text))
		return;
	strlist_push(told, err->text);
	pool_fault(s->pool, s->name, err);
}

/* What the host lacks is said once, not by every run that fails of it. */
static void check_needs(struct site *s)
{
	const struct pool_options *o = &s->pool->o;
	struct strlist told = STRLIST_INIT;
	struct planned p;
	struct error err;

	planned_init(&p, o->experiment);
	if (s->n_runs &&
	    hostneeds_check(&s->facts, o->experiment, s->host, &err)) {
		pool_fault(s->pool, s->name, &err);
		s->broken = true;
	}
	for (size_t i = 0; !s->broken && i < s->n_runs; i++) {
		if (s->collected[i])
			continue;
		planned_set(&p, o->schedule, s->runs[i]);
		if (!hostneeds_check_run(&s->facts, o->experiment, s->host,
					 p.levels, p.run.benchmark, &err))
			continue;
		s->unable[i] = true;
		tell_lack(s, &told, &err);
	}
	planned_release(&p);
	strlist_release(&told);
	site_ready(s);
}

static void on_restored_each(void *ctx, const struct saved_state *state)
{
	struct site *s = ctx;
	char *text = mem_printf("%s=%s", state->factor, state->level);

	pool_event(s->pool, POOL_RESTORED, s->name, text);
	free(text);
}

static void on_restored(void *ctx, size_t n, const struct error *err)
{
	struct site *s = ctx;

	s->restore = NULL;
	if (err->kind == ERROR_NONE) {
		check_needs(s);
		return;
	}
	s->pool->summary.unrestored += s->n_states - n;
	give_up(s, err);
}

static void restore(struct site *s)
{
	struct restore_options o = {
		.executor = s->executor,
		.store = s->pool->o.store,
		.states = s->states,
		.n = s->n_states,
		.mark = s->mark,
		.each = on_restored_each,
		.done = on_restored,
		.ctx = s,
	};

	s->restore = restore_start(&o);
}

/* The run's place in the schedule, by its key. */
static size_t find_run(const struct pool *p, const char *key)
{
	struct buf text = BUF_INIT;
	size_t found = NO_RUN;

	for (size_t i = 0; found == NO_RUN && i < p->o.schedule->n_runs; i++) {
		buf_clear(&text);
		schedule_run_key(p->o.schedule, i, &text);
		if (strcmp(text.data, key) == 0)
			found = i;
	}
	buf_release(&text);
	return found;
}

/* It is not made again, and counts as one of those to make now. */
static void mark_collected(struct site *s)
{
	for (size_t i = 0; i < s->n_runs; i++)
		if (s->runs[i] == s->run)
			s->collected[i] = true;
}

static bool is_left(const struct site *s, const struct open_attempt *open)
{
	return open->campaign != s->pool->o.campaign;
}

/* It is none of the runs to make now. */
static void tell_left(struct site *s, const struct open_attempt *open)
{
	char *text = mem_printf("%s was begun for an earlier campaign and never "
				"ended: stopped", open->run_key);

	pool_event(s->pool, POOL_WARNING, s->name, text);
	free(text);
}

static void on_collected(void *ctx, const struct attempt_report *report)
{
	struct site *s = ctx;
	const struct open_attempt *open = s->open[s->next_open];

	s->attempt = NULL;
	if (report->verdict == ATTEMPT_ENDED && is_left(s, open)) {
		tell_left(s, open);
	} else if (report->verdict == ATTEMPT_ENDED) {
		if (outcome_settles(report->outcome)) {
			mark_collected(s);
			site_count(s, report->outcome);
		}
		pool_run_event(s, POOL_COLLECTED, open->run_key,
			       report->outcome, report->reason);
	}
	if (!site_go_on(s, report))
		return;
	s->next_open++;
	collect_next(s);
}

/* Its command must not go on beside what is measured now, and nobody will
 * ask for its result. */
static void stop_left(struct site *s, const struct open_attempt *open)
{
	struct attempt_options o;

	site_attempt_options(s, &o, on_collected);
	free(s->left_place);
	s->left_place = place_name(open->uuid, s->name);
	o.place = s->left_place;
	o.lost = ATTEMPT_LEFT;
	s->run = NO_RUN;
	s->attempt = attempt_collect(&o, open, NO_RUN, NULL, 0);
	attempt_stop(s->attempt);
}

static void collect_next(struct site *s)
{
	struct attempt_options o;

	if (s->next_open == s->n_open) {
		stack_forget(s->stack);
		restore(s);
		return;
	}
	if (is_left(s, s->open[s->next_open])) {
		stop_left(s, s->open[s->next_open]);
		return;
	}
	site_attempt_options(s, &o, on_collected);
	s->run = find_run(s->pool, s->open[s->next_open]->run_key);
	s->attempt = attempt_collect(&o, s->open[s->next_open], s->run,
				     s->states, s->n_states);
}

static int store_facts(struct site *s, struct error *err)
{
	const struct pool_options *o = &s->pool->o;

	for (size_t i = 0; i < s->facts.keys.n; i++)
		if (store_host_fact(o->store, o->session, s->name,
				    s->facts.keys.items[i],
				    s->facts.values.items[i], err))
			return -1;
	return 0;
}

static void on_facts(void *ctx, const struct job *job)
{
	struct site *s = ctx;
	struct error err;

	s->remote = NULL;
	if (remote_lost(s->executor, job, &err)) {
		site_lose(s, &err);
	} else if (hostfacts_parse(&s->facts, job->out.data, job->out.n,
				   &err)) {
		error_context(&err, "%s", s->name);
		give_up(s, &err);
	} else if (store_facts(s, &err) ||
		   store_state_pending(s->pool->o.store, s->name, &s->states,
				       &s->n_states, &err)) {
		give_up_store(s, &err);
	} else {
		collect_next(s);
	}
}

void site_prepare(struct site *s)
{
	const struct experiment *e = s->pool->o.experiment;
	struct strlist programs = STRLIST_INIT;
	struct buf script = BUF_INIT;

	hostneeds_all(&programs, e);
	hostfacts_script(&script, &e->hosts[s->host], &programs);
	s->remote = remote_start(s->executor, &script, FACTS_LIMIT, on_facts,
				 s);
	strlist_release(&programs);
}
