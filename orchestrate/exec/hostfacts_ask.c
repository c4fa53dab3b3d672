#include "orchestrate/exec/hostfacts.h"

#include "base/buf.h"
#include "base/error.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/remote.h"
#include "orchestrate/spec/experiment.h"

/* For all of it: a login may be slow, what is asked is not. */
#define DEADLINE 90.0
#define ANSWER_LIMIT 30.0

struct asking {
	struct executor *executor; /* NULL once it is closed */
	struct timer *deadline;
	const struct host *host;
	struct hostfacts *out;
	struct error err;
	bool answered;
};

/* The first fault is the answer. */
static void leave(struct asking *a, const struct error *err)
{
	struct executor *x = a->executor;

	if (err && !a->answered && a->err.kind == ERROR_NONE)
		a->err = *err;
	timer_cancel(a->deadline);
	a->deadline = NULL;
	a->executor = NULL;
	if (x)
		x->ops->close(x, NULL, NULL);
}

static void on_deadline(void *ctx)
{
	struct asking *a = ctx;
	struct error err;

	a->deadline = NULL;
	error_set(&err, ERROR_ENVIRONMENT, "%s: no answer within %g s",
		  a->host->name, DEADLINE);
	leave(a, &err);
}

static void on_facts(void *ctx, const struct job *job)
{
	struct asking *a = ctx;
	struct error err;

	if (!a->executor)
		return;
	if (remote_lost(a->executor, job, &err)) {
		leave(a, &err);
	} else if (hostfacts_parse(a->out, job->out.data, job->out.n, &err)) {
		hostfacts_release(a->out);
		error_context(&err, "%s", a->host->name);
		leave(a, &err);
	} else {
		a->answered = true;
		leave(a, NULL);
	}
}

static void on_connected(void *ctx, const struct error *err)
{
	struct asking *a = ctx;
	struct strlist none = STRLIST_INIT;
	struct buf script = BUF_INIT;

	if (err->kind != ERROR_NONE) {
		leave(a, err);
		return;
	}
	hostfacts_script(&script, a->host, &none);
	remote_start(a->executor, &script, ANSWER_LIMIT, on_facts, a);
}

int hostfacts_ask(const struct experiment *e, size_t host,
		  struct hostfacts *out, struct error *err)
{
	struct loop *loop = loop_new();
	struct asking a = { .host = &e->hosts[host], .out = out };

	a.executor = executor_new(loop, a.host, e->dir);
	a.deadline = timer_start(loop, DEADLINE, on_deadline, &a);
	a.executor->ops->connect(a.executor, on_connected, &a);
	loop_run(loop);
	loop_free(loop);
	if (a.answered)
		return 0;
	*err = a.err;
	return -1;
}
