#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/job.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/ssh_channel.h"
#include "orchestrate/exec/ssh_config.h"
#include "orchestrate/exec/ssh_session.h"
#include "orchestrate/exec/tcp_connect.h"
#include "orchestrate/spec/experiment.h"

/* Connecting goes query, connecting, session; each stage makes the next. */
struct ssh {
	struct executor base;
	char *dir;
	struct ssh_query *query;
	bool has_target;
	struct ssh_target target;
	struct tcp_connect *connecting;
	struct ssh_session *session;
	bool session_closing;
	void (*connected)(void *ctx, const struct error *err);
	void *connect_ctx;
	struct ssh_unstarted *unstarted;
	void (*closed)(void *ctx);
	void *close_ctx;
};

/* A job started without a connection: it is told so from the loop. */
struct ssh_unstarted {
	struct ssh *x;
	struct job *job;
	struct ssh_unstarted *next;
};

static void tell_connected(struct ssh *x, const struct error *err)
{
	void (*connected)(void *, const struct error *) = x->connected;

	x->connected = NULL;
	if (connected)
		connected(x->connect_ctx, err);
}

static void on_opened(void *ctx, const struct error *err)
{
	tell_connected(ctx, err);
}

static void on_connected(void *ctx, int fd, const struct error *err)
{
	struct ssh *x = ctx;

	x->connecting = NULL;
	if (fd < 0)
		tell_connected(x, err);
	else
		x->session = ssh_session_open(x->base.loop, &x->target, fd,
					      on_opened, x);
}

static void on_target(void *ctx, struct ssh_target *target,
		      const struct error *err)
{
	struct ssh *x = ctx;

	x->query = NULL;
	if (err->kind != ERROR_NONE) {
		tell_connected(x, err);
		return;
	}
	if (x->has_target)
		ssh_target_release(&x->target);
	x->target = *target;
	x->has_target = true;
	x->connecting = tcp_connect_start(x->base.loop, &x->target,
					  on_connected, x);
}

static void begin_connect(void *ctx)
{
	struct ssh *x = ctx;

	x->session = NULL;
	x->session_closing = false;
	x->query = ssh_query_start(x->base.loop, x->base.host, x->dir,
				   on_target, x);
}

static void ssh_connect(struct executor *base,
			void (*connected)(void *ctx, const struct error *err),
			void *ctx)
{
	struct ssh *x = (struct ssh *)base;

	x->connected = connected;
	x->connect_ctx = ctx;
	/* a lost connection makes place for the new one */
	if (x->session) {
		x->session_closing = true;
		ssh_session_close(x->session, begin_connect, x);
	} else {
		begin_connect(x);
	}
}

static void finish_close(void *ctx)
{
	struct ssh *x = ctx;
	void (*closed)(void *) = x->closed;
	void *close_ctx = x->close_ctx;

	if (x->unstarted) {
		timer_start(x->base.loop, 0, finish_close, x);
		return;
	}
	if (x->has_target)
		ssh_target_release(&x->target);
	free(x->dir);
	free(x);
	if (closed)
		closed(close_ctx);
}

static void tell_unstarted(void *ctx)
{
	struct ssh_unstarted *u = ctx;
	struct ssh_unstarted **p;
	struct job *job = u->job;

	for (p = &u->x->unstarted; *p != u; p = &(*p)->next)
		;
	*p = u->next;
	free(u);
	job->done(job);
}

static void ssh_start(struct executor *base, struct job *job)
{
	struct ssh *x = (struct ssh *)base;
	struct ssh_unstarted *u;

	if (x->session && !x->session_closing) {
		ssh_channel_start(x->session, job);
		return;
	}
	job_begin(job);
	error_set(&job->error, ERROR_ENVIRONMENT, "%s: not connected",
		  base->host->name);
	u = mem_zalloc(1, sizeof(*u));
	u->x = x;
	u->job = job;
	u->next = x->unstarted;
	x->unstarted = u;
	timer_start(base->loop, 0, tell_unstarted, u);
}

static void ssh_write(struct executor *base, struct job *job,
		      const void *data, size_t n)
{
	(void)base;
	if (job->priv)
		ssh_channel_write(job->priv, data, n);
}

static void ssh_eof(struct executor *base, struct job *job)
{
	(void)base;
	if (job->priv)
		ssh_channel_eof(job->priv);
}

static void ssh_cancel(struct executor *base, struct job *job)
{
	(void)base;
	if (job->priv)
		ssh_channel_cancel(job->priv);
}

static void ssh_close(struct executor *base, void (*closed)(void *ctx),
		      void *ctx)
{
	struct ssh *x = (struct ssh *)base;
	struct error err;

	x->closed = closed;
	x->close_ctx = ctx;
	ssh_query_cancel(x->query);
	x->query = NULL;
	tcp_connect_cancel(x->connecting);
	x->connecting = NULL;
	error_set(&err, ERROR_ENVIRONMENT, "%s: closed while connecting",
		  base->host->name);
	tell_connected(x, &err);
	if (x->session) {
		x->session_closing = true;
		ssh_session_close(x->session, finish_close, x);
	} else {
		timer_start(base->loop, 0, finish_close, x);
	}
}

const struct executor_ops executor_ssh_ops = {
	.name = "ssh",
	.connect = ssh_connect,
	.start = ssh_start,
	.write = ssh_write,
	.eof = ssh_eof,
	.cancel = ssh_cancel,
	.close = ssh_close,
};

struct executor *executor_ssh_new(struct loop *loop, const struct host *host,
				  const char *dir)
{
	struct ssh *x = mem_zalloc(1, sizeof(*x));

	x->base.ops = &executor_ssh_ops;
	x->base.loop = loop;
	x->base.host = host;
	x->dir = mem_strdup(dir);
	return &x->base;
}
