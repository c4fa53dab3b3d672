#include "orchestrate/exec/ssh_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/utf8.h"
#include "orchestrate/exec/child.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/spec/experiment.h"

/* `Match exec` in ssh_config may run anything. */
#define QUERY_TIMEOUT 30.0
#define QUERY_LIMIT ((size_t)1 << 20)

struct ssh_query {
	struct loop *loop;
	const struct host *host;
	char *dir;
	void (*done)(void *ctx, struct ssh_target *target,
		     const struct error *err);
	void *ctx;
	struct child *child;
	struct timer *timer;
	struct buf out, err;
	struct error start_error;
	bool timed_out;
	bool cancelled;
};

static void query_free(struct ssh_query *q)
{
	timer_cancel(q->timer);
	buf_release(&q->out);
	buf_release(&q->err);
	free(q->dir);
	free(q);
}

static void finish(struct ssh_query *q, struct ssh_target *t,
		   const struct error *err)
{
	void (*done)(void *, struct ssh_target *, const struct error *) =
		q->done;
	void *ctx = q->ctx;

	if (err->kind != ERROR_NONE)
		ssh_target_release(t);
	query_free(q);
	done(ctx, t, err);
}

static void finish_without_ssh(void *ctx)
{
	struct ssh_query *q = ctx;
	struct ssh_target t;
	struct error none = ERROR_INIT;

	q->timer = NULL;
	ssh_target_init(&t);
	ssh_target_defaults(&t);
	ssh_target_override(&t, q->host, q->dir);
	finish(q, &t, &none);
}

static void on_read(void *ctx, bool is_err, const void *data, size_t n)
{
	struct ssh_query *q = ctx;
	struct buf *b = is_err ? &q->err : &q->out;

	if (b->n + n <= QUERY_LIMIT)
		buf_add(b, data, n);
}

/* ssh warns on several lines; its last one says why it gave up. */
static void last_line(struct buf *out, const struct buf *text)
{
	size_t end = text->n, start;

	while (end && strchr("\r\n", text->data[end - 1]))
		end--;
	for (start = end; start && text->data[start - 1] != '\n'; start--)
		;
	if (end && text->data[end - 1] == '\r')
		end--;
	utf8_add_printable(out, text->data + start, end - start);
}

static int read_answer(struct ssh_query *q, int exit_status,
		       struct ssh_target *t, struct error *err)
{
	struct buf why = BUF_INIT;

	if (q->start_error.kind != ERROR_NONE)
		return error_set(err, ERROR_ENVIRONMENT,
				 "%s: assay resolves it with `ssh -G`; install "
				 "the OpenSSH client, or give the host as "
				 "{address, port, user, key}",
				 q->start_error.text);
	if (q->timed_out)
		return error_set(err, ERROR_ENVIRONMENT,
				 "`ssh -G %s` did not end within %.0f s: look "
				 "for Match exec in your ssh_config",
				 q->host->ssh, QUERY_TIMEOUT);
	if (exit_status) {
		last_line(&why, &q->err);
		error_set(err, ERROR_USAGE, "`ssh -G %s` failed: %s",
			  q->host->ssh,
			  why.n ? why.data : "it does not say why");
		buf_release(&why);
		return -1;
	}
	return ssh_target_parse(t, q->out.data, err);
}

static void on_end(void *ctx, int exit_status)
{
	struct ssh_query *q = ctx;
	struct ssh_target t;
	struct error err = ERROR_INIT;

	if (q->cancelled) {
		query_free(q);
		return;
	}
	ssh_target_init(&t);
	ssh_target_defaults(&t);
	if (read_answer(q, exit_status, &t, &err))
		error_context(&err, "host %s", q->host->name);
	else
		ssh_target_override(&t, q->host, q->dir);
	finish(q, &t, &err);
}

static void on_timeout(void *ctx)
{
	struct ssh_query *q = ctx;

	q->timer = NULL;
	q->timed_out = true;
	child_kill(q->child);
}

static void run_ssh(struct ssh_query *q)
{
	const struct host *host = q->host;
	const char *args[16];
	size_t n = 0;
	char *config = NULL;
	char port[16];
	struct child_options options = {
		.args = args,
		.on_read = on_read,
		.on_end = on_end,
		.ctx = q,
	};

	args[n++] = "ssh";
	args[n++] = "-G";
	if (host->config) {
		config = path_join(q->dir, host->config);
		args[n++] = "-F";
		args[n++] = config;
	}
	if (host->port) {
		snprintf(port, sizeof(port), "%d", host->port);
		args[n++] = "-p";
		args[n++] = port;
	}
	if (host->user) {
		args[n++] = "-l";
		args[n++] = host->user;
	}
	args[n++] = "--";
	args[n++] = host->ssh;
	args[n] = NULL;
	q->child = child_start(q->loop, &options, &q->start_error);
	child_end_input(q->child);
	q->timer = timer_start(q->loop, QUERY_TIMEOUT, on_timeout, q);
	free(config);
}

struct ssh_query *ssh_query_start(struct loop *l, const struct host *host,
				  const char *dir,
				  void (*done)(void *ctx,
					       struct ssh_target *target,
					       const struct error *err),
				  void *ctx)
{
	struct ssh_query *q = mem_zalloc(1, sizeof(*q));

	q->loop = l;
	q->host = host;
	q->dir = mem_strdup(dir);
	q->done = done;
	q->ctx = ctx;
	buf_init(&q->out);
	buf_init(&q->err);
	if (host->ssh)
		run_ssh(q);
	else
		q->timer = timer_start(l, 0, finish_without_ssh, q);
	return q;
}

void ssh_query_cancel(struct ssh_query *q)
{
	if (!q)
		return;
	if (!q->child) {
		query_free(q);
		return;
	}
	q->cancelled = true;
	child_kill(q->child);
}
