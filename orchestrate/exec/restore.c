#include "orchestrate/exec/restore.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/place.h"
#include "orchestrate/exec/reason.h"
#include "orchestrate/exec/remote.h"
#include "orchestrate/exec/saved_text.h"
#include "orchestrate/exec/script.h"
#include "orchestrate/exec/script_orphans.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/store/store_campaign.h"
#include "orchestrate/store/store_state.h"

struct restore {
	struct restore_options o;
	struct strlist marks; /* of every state, then the caller's */
	struct remote *remote;
	struct error err;
	size_t next;
};

static void tell(void *ctx)
{
	struct restore *r = ctx;

	r->o.done(r->o.ctx, r->next, &r->err);
	strlist_release(&r->marks);
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
	r->remote = remote_start_marked(r->o.executor, &script,
					r->marks.items[r->next],
					state->timeout + REMOTE_GRACE,
					on_done, r);
}

static void say_orphans(struct restore *r, const struct job *job)
{
	const char *host = r->o.executor->host->name;

	if (job->exit_status == SCRIPT_ORPHANS_STAY)
		error_set(&r->err, ERROR_ENVIRONMENT, "%s: the script of a "
			  "setting still runs there without its controller, "
			  "and cannot be ended (processes %.*s): nothing is put "
			  "back before it has ended, as it would change the "
			  "host after that; end it, then run `assay restore`",
			  host, (int)strcspn(job->out.data, "\n"),
			  job->out.data);
	else
		error_set(&r->err, ERROR_ENVIRONMENT, "%s: it cannot be seen "
			  "whether scripts of an earlier controller still run "
			  "there (exit %d): nothing is put back", host,
			  job->exit_status);
}

static void on_orphans_ended(void *ctx, const struct job *job)
{
	struct restore *r = ctx;

	r->remote = NULL;
	if (remote_lost(r->o.executor, job, &r->err)) {
		finish(r);
	} else if (job->exit_status != 0) {
		say_orphans(r, job);
		finish(r);
	} else {
		send_next(r);
	}
}

static int add_mark(struct restore *r, int64_t campaign)
{
	struct campaign c = { .id = 0 };
	char id[24], *place;

	snprintf(id, sizeof(id), "%" PRId64, campaign);
	if (store_campaign_find(r->o.store, id, &c, &r->err))
		return -1;
	place = place_name(c.uuid, r->o.executor->host->name);
	strlist_push_nodup(&r->marks, place_mark(place));
	free(place);
	campaign_release(&c);
	return 0;
}

static int add_marks(struct restore *r)
{
	const struct restore_options *o = &r->o;

	for (size_t i = 0; i < o->n; i++)
		if (i && o->states[i].campaign == o->states[i - 1].campaign)
			strlist_push(&r->marks, r->marks.items[i - 1]);
		else if (add_mark(r, o->states[i].campaign))
			return -1;
	if (o->mark)
		strlist_push(&r->marks, o->mark);
	return 0;
}

/* What an orphan changes after the host was put back, it changes for good. */
static void end_orphans(struct restore *r)
{
	struct strlist marks = STRLIST_INIT; /* each once */
	struct buf script = BUF_INIT;

	for (size_t i = 0; i < r->marks.n; i++)
		if (!strlist_has(&marks, r->marks.items[i]))
			strlist_push(&marks, r->marks.items[i]);
	script_orphans(&script, &marks);
	r->remote = remote_start(r->o.executor, &script, SCRIPT_ORPHANS_LIMIT,
				 on_orphans_ended, r);
	strlist_release(&marks);
}

struct restore *restore_start(const struct restore_options *o)
{
	struct restore *r = mem_zalloc(1, sizeof(*r));

	r->o = *o;
	if (add_marks(r) || !r->marks.n)
		finish(r);
	else
		end_orphans(r);
	return r;
}

void restore_cancel(struct restore *r)
{
	if (r->remote)
		remote_cancel(r->remote);
}
