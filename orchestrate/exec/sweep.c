#include "orchestrate/exec/sweep.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/pool_private.h"
#include "orchestrate/exec/reason.h"
#include "orchestrate/exec/place.h"
#include "orchestrate/exec/remote.h"
#include "orchestrate/exec/script.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/store/store_place.h"

#define SWEEP_LIMIT 120.0

struct sweep {
	struct executor *x;
	struct store *store;
	void (*done)(void *ctx, const struct error *err);
	void *ctx;
	struct left_place *places;
	size_t n;
	size_t next;
	struct remote *remote;
	struct error err;
};

static void tell(void *ctx)
{
	struct sweep *w = ctx;

	w->done(w->ctx, &w->err);
	left_places_free(w->places, w->n);
	free(w);
}

static void finish(struct sweep *w)
{
	timer_start(w->x->loop, 0, tell, w);
}

static void send_next(struct sweep *w);

static void set_failed(struct sweep *w, const struct job *job)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s: a directory of runs could not be removed (exit "
		 "%d)", w->x->host->name, job->exit_status);
	reason_add_last_line(&text, job->err.data, job->err.n);
	error_set(&w->err, ERROR_ENVIRONMENT, "%s", text.data);
	buf_release(&text);
}

static void on_done(void *ctx, const struct job *job)
{
	struct sweep *w = ctx;

	w->remote = NULL;
	if (remote_lost(w->x, job, &w->err)) {
		finish(w);
		return;
	}
	if (job->exit_status != 0) {
		set_failed(w, job);
		finish(w);
		return;
	}
	if (store_place_swept(w->store, &w->places[w->next], &w->err)) {
		finish(w);
		return;
	}
	w->next++;
	send_next(w);
}

static void send_next(struct sweep *w)
{
	struct buf script = BUF_INIT;
	char *place;

	if (w->next == w->n) {
		finish(w);
		return;
	}
	place = place_name(w->places[w->next].uuid, w->x->host->name);
	script_sweep(&script, place);
	w->remote = remote_start(w->x, &script, SWEEP_LIMIT, on_done, w);
	free(place);
}

struct sweep *sweep_start(struct executor *x, struct store *store,
			  void (*done)(void *ctx, const struct error *err),
			  void *ctx)
{
	struct sweep *w = mem_zalloc(1, sizeof(*w));

	w->x = x;
	w->store = store;
	w->done = done;
	w->ctx = ctx;
	if (store_places_left(store, x->host->name, &w->places, &w->n,
			      &w->err))
		finish(w);
	else
		send_next(w);
	return w;
}

void sweep_cancel(struct sweep *w)
{
	if (w->remote)
		remote_cancel(w->remote);
}
