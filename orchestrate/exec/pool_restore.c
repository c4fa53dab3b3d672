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
#include "orchestrate/exec/sweep.h"
#include "orchestrate/exec/target.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/store/store_place.h"
#include "orchestrate/store/store_state.h"

#define NO_RUN ((size_t)-1)

/* One host after the other: this is an emergency, not a race. */
struct restoring {
	struct loop *loop;
	struct store *store;
	void (*on_event)(void *ctx, const struct pool_event *event);
	void *ctx;
	size_t total;
	size_t n_restored;
	/* the host under way */
	struct executor *executor;
	struct saved_state *states;
	size_t n;
	struct open_attempt *open; /* of all hosts */
	size_t n_open;
	size_t next_open;
	struct left_place *places; /* of all hosts */
	size_t n_places;
	char *place;
	struct error err;
};

static void stop_next(struct restoring *r);

static void tell(struct restoring *r, enum pool_event_kind kind,
		 const char *host, const char *text)
{
	struct pool_event event = { .kind = kind, .host = host, .text = text,
				    .done = r->n_restored,
				    .total = r->total };

	if (r->on_event)
		r->on_event(r->ctx, &event);
}

static void on_each(void *ctx, const struct saved_state *state)
{
	struct restoring *r = ctx;
	char *text = mem_printf("%s=%s", state->factor, state->level);

	r->n_restored++;
	tell(r, POOL_RESTORED, state->host, text);
	free(text);
}

static void on_done(void *ctx, size_t n, const struct error *err)
{
	struct restoring *r = ctx;

	(void)n;
	if (err->kind != ERROR_NONE)
		r->err = *err;
	r->executor->ops->close(r->executor, NULL, NULL);
}

static void start_restore(struct restoring *r)
{
	struct restore_options o = {
		.executor = r->executor,
		.store = r->store,
		.states = r->states,
		.n = r->n,
		.each = on_each,
		.done = on_done,
		.ctx = r,
	};

	restore_start(&o);
}

/* A directory that stays keeps no setting from being put back. */
static void on_swept(void *ctx, const struct error *err)
{
	struct restoring *r = ctx;

	r->err = *err;
	start_restore(r);
}

static void on_stopped(void *ctx, const struct attempt_report *report)
{
	struct restoring *r = ctx;
	struct pool_event event = { .kind = POOL_COLLECTED,
				    .host = r->executor->host->name,
				    .run_key = r->open[r->next_open].run_key,
				    .outcome = report->outcome,
				    .text = report->reason,
				    .total = r->total };

	if (report->verdict == ATTEMPT_OPEN ||
	    report->verdict == ATTEMPT_STORE) {
		on_done(r, 0, report->err);
		return;
	}
	if (r->on_event)
		r->on_event(r->ctx, &event);
	r->next_open++;
	stop_next(r);
}

/* A command would go on under settings that are taken from it. */
static void stop_next(struct restoring *r)
{
	const char *host = r->executor->host->name;
	struct attempt_options o = {
		.executor = r->executor,
		.store = r->store,
		.lost = "stopped, as its host was put back",
		.done = on_stopped,
		.ctx = r,
	};

	while (r->next_open < r->n_open &&
	       strcmp(r->open[r->next_open].host, host) != 0)
		r->next_open++;
	if (r->next_open == r->n_open) {
		sweep_start(r->executor, r->store, on_swept, r);
		return;
	}
	free(r->place);
	r->place = place_name(r->open[r->next_open].uuid, host);
	o.place = r->place;
	attempt_stop(attempt_collect(&o, &r->open[r->next_open], NO_RUN, NULL,
				     0));
}

static void on_connected(void *ctx, const struct error *err)
{
	struct restoring *r = ctx;

	if (err->kind != ERROR_NONE) {
		on_done(r, 0, err);
		return;
	}
	tell(r, POOL_CONNECTED, r->executor->host->name, NULL);
	r->next_open = 0;
	stop_next(r);
}

static const struct host *find_host(const struct experiment *e,
				    const char *name)
{
	for (size_t i = 0; e && i < e->n_hosts; i++)
		if (strcmp(e->hosts[i].name, name) == 0)
			return &e->hosts[i];
	return NULL;
}

/* The host as the experiment has it now (its address may have been
 * corrected), else as it was when its setting was changed. */
static int restore_host(struct restoring *r, const struct experiment *e,
			const char *name, struct error *err)
{
	struct host kept = { .name = NULL };
	const struct host *host = find_host(e, name);
	char *dir = NULL;

	if (!host && target_parse(r->states[0].target, &kept, &dir, err))
		return error_context(err, "%s", name);
	r->err = (struct error)ERROR_INIT;
	r->executor = executor_new(r->loop, host ? host : &kept,
				   host ? e->dir : dir);
	r->executor->ops->connect(r->executor, on_connected, r);
	loop_run(r->loop);
	target_release(&kept);
	free(dir);
	if (r->err.kind == ERROR_NONE)
		return 0;
	*err = r->err;
	return -1;
}

/* Unless nobody can tell how to reach it. */
static void add_name(struct strlist *names, const struct experiment *e,
		     const char *host, const char *only)
{
	if (find_host(e, host) && (!only || !strcmp(only, host)) &&
	    !strlist_has(names, host))
		strlist_push(names, host);
}

/* The names of all hosts with something pending, under way or left, each
 * once. */
static void host_names(struct strlist *names, const struct restoring *r,
		       const struct saved_state *all,
		       const struct experiment *e, const char *only)
{
	for (size_t i = 0; i < r->total; i++)
		if (!strlist_has(names, all[i].host))
			strlist_push(names, all[i].host);
	for (size_t i = 0; i < r->n_open; i++)
		add_name(names, e, r->open[i].host, only);
	for (size_t i = 0; i < r->n_places; i++)
		add_name(names, e, r->places[i].host, only);
}

/* All hosts are tried; the first fault is the answer. */
static int restore_all(struct restoring *r, const struct experiment *e,
		       const struct strlist *names, struct error *err)
{
	struct error one;
	int result = 0;

	for (size_t i = 0; i < names->n; i++) {
		int failed = store_state_pending(r->store, names->items[i],
						 &r->states, &r->n, &one);

		if (!failed) {
			failed = restore_host(r, e, names->items[i], &one);
			saved_states_free(r->states, r->n);
		}
		if (!failed)
			continue;
		tell(r, POOL_WARNING, names->items[i], one.text);
		if (result == 0)
			*err = one;
		result = -1;
	}
	return result;
}

static int read_store(struct restoring *r, const char *host,
		      struct saved_state **all, struct error *err)
{
	if (store_attempts_open(r->store, 0, &r->open, &r->n_open, err) ||
	    store_places_left(r->store, host, &r->places, &r->n_places, err) ||
	    store_state_pending(r->store, host, all, &r->total, err))
		return -1;
	return 0;
}

int pool_restore(struct store *store, const struct experiment *e,
		 const char *host,
		 void (*on_event)(void *ctx, const struct pool_event *event),
		 void *ctx, size_t *n_restored, struct error *err)
{
	struct restoring r = { .store = store, .on_event = on_event,
			       .ctx = ctx };
	struct strlist names = STRLIST_INIT;
	struct saved_state *all = NULL;
	int result;

	*n_restored = 0;
	result = read_store(&r, host, &all, err);
	if (result)
		goto out;
	host_names(&names, &r, all, e, host);
	r.loop = loop_new();
	result = restore_all(&r, e, &names, err);
	*n_restored = r.n_restored;
	loop_free(r.loop);
out:
	saved_states_free(all, r.total);
	left_places_free(r.places, r.n_places);
	open_attempts_free(r.open, r.n_open);
	free(r.place);
	strlist_release(&names);
	return result;
}
