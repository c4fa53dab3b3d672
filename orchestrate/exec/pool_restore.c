#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/pool.h"
#include "orchestrate/exec/restore.h"
#include "orchestrate/exec/target.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/store/store_state.h"

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
	struct error err;
};

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
	r->err = *err;
	r->executor->ops->close(r->executor, NULL, NULL);
}

static void on_connected(void *ctx, const struct error *err)
{
	struct restoring *r = ctx;
	struct restore_options o = {
		.executor = r->executor,
		.store = r->store,
		.states = r->states,
		.n = r->n,
		.each = on_each,
		.done = on_done,
		.ctx = r,
	};

	if (err->kind != ERROR_NONE) {
		r->err = *err;
		r->executor->ops->close(r->executor, NULL, NULL);
		return;
	}
	tell(r, POOL_CONNECTED, r->states[0].host, NULL);
	restore_start(&o);
}

/* The host as the experiment has it now (its address may have been
 * corrected), else as it was when its setting was changed. */
static int restore_host(struct restoring *r, const struct experiment *e,
			const char *name, struct error *err)
{
	struct host kept = { .name = NULL };
	const struct host *host = NULL;
	char *dir = NULL;

	for (size_t i = 0; e && i < e->n_hosts; i++)
		if (strcmp(e->hosts[i].name, name) == 0)
			host = &e->hosts[i];
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

/* The names of all hosts with something pending, each once. */
static void host_names(struct strlist *names, const struct saved_state *all,
		       size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strlist_has(names, all[i].host))
			strlist_push(names, all[i].host);
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

		if (!failed && r->n) {
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
	if (store_state_pending(store, host, &all, &r.total, err))
		return -1;
	host_names(&names, all, r.total);
	saved_states_free(all, r.total);
	r.loop = loop_new();
	result = restore_all(&r, e, &names, err);
	*n_restored = r.n_restored;
	loop_free(r.loop);
	strlist_release(&names);
	return result;
}
