#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strlist.h"
#include "orchestrate/exec/child.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/job.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/spec/experiment.h"

struct local {
	struct executor base;
	struct local_job *jobs;
	struct timer *connecting;
	void (*connected)(void *ctx, const struct error *err);
	void *connect_ctx;
	bool closing;
	struct timer *finishing;
	void (*closed)(void *ctx);
	void *close_ctx;
	char **env;
};

struct local_job {
	struct local *x;
	struct job *job;
	struct local_job *next;
	struct child *child;
	struct timer *deadline;
};

static void finish_close(void *ctx)
{
	struct local *x = ctx;
	void (*closed)(void *) = x->closed;
	void *close_ctx = x->close_ctx;

	x->finishing = NULL;
	if (x->jobs)
		return;
	for (char **e = x->env; *e; e++)
		free(*e);
	free(x->env);
	free(x);
	if (closed)
		closed(close_ctx);
}

static void finish_close_if_idle(struct local *x)
{
	if (x->closing && !x->jobs && !x->finishing)
		x->finishing = timer_start(x->base.loop, 0, finish_close, x);
}

static void on_end(void *ctx, int exit_status)
{
	struct local_job *j = ctx;
	struct local *x = j->x;
	struct job *job = j->job;
	struct local_job **p;

	for (p = &x->jobs; *p != j; p = &(*p)->next)
		;
	*p = j->next;
	timer_cancel(j->deadline);
	free(j);
	job->exit_status = exit_status;
	job->priv = NULL;
	job->done(job);
	finish_close_if_idle(x);
}

static void on_read(void *ctx, bool is_err, const void *data, size_t n)
{
	struct local_job *j = ctx;

	job_keep(j->job, is_err, data, n);
}

static void on_deadline(void *ctx)
{
	struct local_job *j = ctx;

	j->deadline = NULL;
	if (j->job->error.kind == ERROR_NONE)
		j->job->timed_out = true;
	child_kill(j->child);
}

/* A session starts at home, as sshd has it. */
static const char *start_directory(void)
{
	const char *home = getenv("HOME");

	return home && access(home, X_OK) == 0 ? home : "/";
}

static void end_with_error(struct local_job *j, const char *why)
{
	struct job *job = j->job;

	if (!job->timed_out && job->error.kind == ERROR_NONE)
		error_set(&job->error, ERROR_ENVIRONMENT, "%s: %s",
			  j->x->base.host->name, why);
	child_kill(j->child);
}

static void local_start(struct executor *base, struct job *job)
{
	const char *const args[] = { "/bin/sh", "-s", job->mark, NULL };
	struct local *x = (struct local *)base;
	struct local_job *j = mem_zalloc(1, sizeof(*j));
	struct child_options options = {
		.args = args,
		.env = x->env,
		.cwd = start_directory(),
		.on_read = on_read,
		.on_end = on_end,
		.ctx = j,
	};

	job_begin(job);
	job->priv = j;
	j->x = x;
	j->job = job;
	j->next = x->jobs;
	x->jobs = j;
	j->child = child_start(base->loop, &options, &job->error);
	if (job->error.kind != ERROR_NONE) {
		error_context(&job->error, "%s", base->host->name);
		return;
	}
	if (x->closing) {
		end_with_error(j, "the connection was closed");
		return;
	}
	if (job->timeout > 0)
		j->deadline = timer_start(base->loop, job->timeout,
					  on_deadline, j);
	child_write(j->child, job->script, job->n_script, false);
	if (!job->hold)
		child_end_input(j->child);
}

static void local_write(struct executor *base, struct job *job,
			const void *data, size_t n)
{
	struct local_job *j = job->priv;

	(void)base;
	if (j)
		child_write(j->child, data, n, true);
}

static void local_eof(struct executor *base, struct job *job)
{
	struct local_job *j = job->priv;

	(void)base;
	if (j)
		child_end_input(j->child);
}

static void local_cancel(struct executor *base, struct job *job)
{
	(void)base;
	if (job->priv)
		end_with_error(job->priv, "the command was cancelled");
}

static void tell_connected(void *ctx)
{
	struct local *x = ctx;
	struct error none = ERROR_INIT;

	x->connecting = NULL;
	x->connected(x->connect_ctx, &none);
}

static void local_connect(struct executor *base,
			  void (*connected)(void *ctx,
					    const struct error *err),
			  void *ctx)
{
	struct local *x = (struct local *)base;

	x->connected = connected;
	x->connect_ctx = ctx;
	x->connecting = timer_start(base->loop, 0, tell_connected, x);
}

static void local_close(struct executor *base, void (*closed)(void *ctx),
			void *ctx)
{
	struct local *x = (struct local *)base;
	struct error err;

	x->closed = closed;
	x->close_ctx = ctx;
	x->closing = true;
	for (struct local_job *j = x->jobs; j; j = j->next)
		end_with_error(j, "the connection was closed");
	if (x->connecting) {
		timer_cancel(x->connecting);
		x->connecting = NULL;
		error_set(&err, ERROR_ENVIRONMENT,
			  "%s: closed while connecting", base->host->name);
		x->connected(x->connect_ctx, &err);
	}
	finish_close_if_idle(x);
}

/*
 * What a login over SSH has too, so that a script behaves alike on both;
 * nothing else of the user's environment reaches a measurement.
 */
static char **make_environment(void)
{
	static const char *const names[] = { "PATH",  "HOME",    "USER",
					     "SHELL", "LOGNAME", "LANG",
					     "TZ",    "TMPDIR" };
	struct strlist env = STRLIST_INIT;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *value = getenv(names[i]);

		if (value)
			strlist_push_nodup(&env,
					   mem_printf("%s=%s", names[i],
						      value));
	}
	for (char **e = environ; *e; e++)
		if (strncmp(*e, "LC_", 3) == 0)
			strlist_push(&env, *e);
	MEM_GROW(env.items, env.n, env.cap);
	env.items[env.n] = NULL;
	return env.items;
}

const struct executor_ops executor_local_ops = {
	.name = "local",
	.connect = local_connect,
	.start = local_start,
	.write = local_write,
	.eof = local_eof,
	.cancel = local_cancel,
	.close = local_close,
};

struct executor *executor_local_new(struct loop *loop,
				    const struct host *host, const char *dir)
{
	struct local *x = mem_zalloc(1, sizeof(*x));

	(void)dir;
	x->base.ops = &executor_local_ops;
	x->base.loop = loop;
	x->base.host = host;
	x->env = make_environment();
	return &x->base;
}
