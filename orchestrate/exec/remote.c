#include "orchestrate/exec/remote.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/spec/experiment.h"

/* A treatment's output is evidence, not data: this much is enough. */
#define REMOTE_LIMIT (256 * 1024)

struct remote {
	struct executor *x;
	struct job job;
	struct buf script;
	remote_done *done;
	void *ctx;
};

static void on_done(struct job *job)
{
	struct remote *r = job->ctx;

	r->done(r->ctx, job);
	job_release(job);
	buf_release(&r->script);
	free(r);
}

struct remote *remote_start(struct executor *x, struct buf *script,
			    double limit, remote_done *done, void *ctx)
{
	return remote_start_marked(x, script, NULL, limit, done, ctx);
}

struct remote *remote_start_marked(struct executor *x, struct buf *script,
				   const char *mark, double limit,
				   remote_done *done, void *ctx)
{
	struct remote *r = mem_zalloc(1, sizeof(*r));

	r->x = x;
	job_init(&r->job);
	r->script = *script;
	buf_init(script);
	r->done = done;
	r->ctx = ctx;
	r->job.script = r->script.data;
	r->job.n_script = r->script.n;
	r->job.mark = mark;
	r->job.limit = REMOTE_LIMIT;
	r->job.timeout = limit;
	r->job.done = on_done;
	r->job.ctx = r;
	x->ops->start(x, &r->job);
	return r;
}

void remote_cancel(struct remote *r)
{
	r->x->ops->cancel(r->x, &r->job);
}

bool remote_lost(const struct executor *x, const struct job *job,
		 struct error *err)
{
	if (job->error.kind != ERROR_NONE) {
		if (err)
			*err = job->error;
		return true;
	}
	if (!job->timed_out)
		return false;
	if (err)
		error_set(err, ERROR_ENVIRONMENT,
			  "%s: no answer within %g s", x->host->name,
			  job->timeout);
	return true;
}
