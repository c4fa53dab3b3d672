#include "orchestrate/exec/restore.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/reason.h"
#include "orchestrate/exec/remote.h"
#include "orchestrate/exec/saved_text.h"
#include "orchestrate/exec/script.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/store/store_state.h"

struct restore {
	struct restore_options o;
	struct remote *remote;
	struct error err;
	size_t next;
};

static void tell(void *ctx)
{
	struct restore *r = ctx;

	r->o.done(r->o.ctx, r->next, &r->err);
	free(r);
}

static void finish(struct restore *r)
{
	timer_start(r->o.executor->loop, 0, tell, r);
}

static void send_next(struct restore *r);

static void say_failed(struct restore *r, const struct saved_state *state,
		       const struct job *job)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s: %s=%s could not be put back (exit %d)",
		 r->o.executor->host->name, state->factor, state->level,
		 job->exit_status);
	reason_add_last_line(&text, job->err.data, job->err.n);
	buf_adds(&text, "; it was ");
	saved_text_add(&text, state->saved, strlen(state->saved));
	buf_adds(&text, ": see to it, then run `assay restore`, or, once it is "
		 "put back by hand, `assay restore --forget`");
	error_set(&r->err, ERROR_ENVIRONMENT, "%s", text.data);
	buf_release(&text);
}

static void on_done(void *ctx, const struct job *job)
{
	struct restore *r = ctx;
	const struct saved_state *state = &r->o.states[r->next];

	r->remote = NULL;
	if (remote_lost(r->o.executor, job, &r->err)) {
		finish(r);
		return;
	}
	if (job->exit_status != 0) {
		say_failed(r, state, job);
		finish(r);
		return;
	}
	if (store_state_reverted(r->o.store, state->id, &r->err)) {
		finish(r);
		return;
	}
	r->o.each(r->o.ctx, state);
	r->next++;
	send_next(r);
}

static void send_next(struct restore *r)
{
	const struct saved_state *state = &r->o.states[r->next];
	struct buf script = BUF_INIT;

	if (r->next == r->o.n) {
		finish(r);
		return;
	}
	script_with_saved(&script, state->revert, state->saved);
	r->remote = remote_start(r->o.executor, &script,
				 state->timeout + REMOTE_GRACE, on_done, r);
}

struct restore *restore_start(const struct restore_options *o)
{
	struct restore *r = mem_zalloc(1, sizeof(*r));

	r->o = *o;
	send_next(r);
	return r;
}

void restore_cancel(struct restore *r)
{
	if (r->remote)
		remote_cancel(r->remote);
}
