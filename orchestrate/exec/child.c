#include "orchestrate/exec/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/exec/loop.h"

#define READ_SIZE 65536
/* How long a killed process may take to be gone before we stop waiting. */
#define KILL_GRACE 5.0

/* Ends when all four handles are closed. */
struct child {
	struct loop *loop;
	struct child_options o;
	uv_process_t process;
	uv_pipe_t in, out, err;
	struct timer *grace;
	size_t n_open;          /* handles not yet closed */
	size_t n_writes;        /* under way on `in` */
	bool input_ended;
	bool killed;
	int exit_status;
	char read_buffer[READ_SIZE];
};

struct child_write {
	uv_write_t req;
	struct child *c;
	char data[];
};

static void on_closed(uv_handle_t *handle)
{
	struct child *c = handle->data;
	void (*on_end)(void *, int) = c->o.on_end;
	void *ctx = c->o.ctx;
	int status = c->killed ? -1 : c->exit_status;

	if (--c->n_open)
		return;
	timer_cancel(c->grace);
	free(c);
	on_end(ctx, status);
}

static void shut(void *handle)
{
	uv_handle_t *h = handle;

	if (!uv_is_closing(h))
		uv_close(h, on_closed);
}

static bool is_shut(const void *handle)
{
	return uv_is_closing(handle);
}

/* Nobody will read standard input any more once all else has ended. */
static void shut_input_if_over(struct child *c)
{
	if (is_shut(&c->process) && is_shut(&c->out) && is_shut(&c->err))
		shut(&c->in);
}

static void on_process_exit(uv_process_t *process, int64_t status, int signum)
{
	struct child *c = process->data;

	c->exit_status = signum ? 128 + signum : (int)status;
	shut(&c->process);
	shut_input_if_over(c);
}

static void alloc_read(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	struct child *c = handle->data;

	(void)suggested;
	buf->base = c->read_buffer;
	buf->len = READ_SIZE;
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct child *c = stream->data;

	if (n < 0) {
		shut(stream);
		shut_input_if_over(c);
	} else if (n > 0) {
		c->o.on_read(c->o.ctx, stream == (uv_stream_t *)&c->err,
			     buf->base, (size_t)n);
	}
}

static void on_written(uv_write_t *req, int status)
{
	struct child_write *w = req->data;
	struct child *c = w->c;

	/* A script that ends without reading all of its input (EPIPE) is
	 * no fault; its exit status says how it went. */
	(void)status;
	free(w);
	if (--c->n_writes == 0 && c->input_ended)
		shut(&c->in);
}

void child_write(struct child *c, const void *data, size_t n, bool copy)
{
	struct child_write *w;
	uv_buf_t buf;

	if (!n || c->input_ended || is_shut(&c->in))
		return;
	w = mem_alloc(sizeof(*w) + (copy ? n : 0));
	if (copy)
		memcpy(w->data, data, n);
	w->c = c;
	w->req.data = w;
	c->n_writes++;
	buf.base = copy ? w->data : (char *)(uintptr_t)data;
	buf.len = n;
	if (uv_write(&w->req, (uv_stream_t *)&c->in, &buf, 1, on_written)) {
		c->n_writes--;
		free(w);
	}
}

void child_end_input(struct child *c)
{
	c->input_ended = true;
	if (c->n_writes == 0)
		shut(&c->in);
}

static void on_grace_over(void *ctx)
{
	struct child *c = ctx;

	c->grace = NULL;
	shut(&c->process);
}

void child_kill(struct child *c)
{
	if (c->killed)
		return;
	c->killed = true;
	if (!is_shut(&c->process)) {
		kill(-c->process.pid, SIGKILL);
		c->grace = timer_start(c->loop, KILL_GRACE, on_grace_over, c);
	}
	shut(&c->in);
	shut(&c->out);
	shut(&c->err);
}

static void close_fds(int fds[6])
{
	for (size_t i = 0; i < 6; i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

/*
 * Real pipes, not the socket pairs that uv_spawn makes: a socket cannot be
 * opened again as /dev/stderr, which scripts like to do.
 * fds: in, out, err; of each first the read end, then the write end.
 */
static int open_pipes(struct child *c, int fds[6])
{
	uv_pipe_t *pipes[] = { &c->in, &c->out, &c->err };
	int rc;

	for (size_t i = 0; i < 6; i++)
		fds[i] = -1;
	for (size_t i = 0; i < 3; i++) {
		int *ours = &fds[2 * i + (i == 0)];

		if (pipe2(fds + 2 * i, O_CLOEXEC))
			return -errno;
		if ((rc = uv_pipe_open(pipes[i], *ours)))
			return rc;
		*ours = -1;
	}
	return 0;
}

static int spawn(struct child *c)
{
	uv_stdio_container_t stdio[3];
	uv_process_options_t options = { 0 };
	int fds[6];
	int rc = open_pipes(c, fds);

	if (rc)
		goto out;
	for (size_t i = 0; i < 3; i++) {
		stdio[i].flags = UV_INHERIT_FD;
		stdio[i].data.fd = fds[2 * i + (i != 0)];
	}
	options.exit_cb = on_process_exit;
	options.file = c->o.args[0];
	options.args = (char **)(uintptr_t)c->o.args;
	options.env = c->o.env;
	options.cwd = c->o.cwd;
	options.flags = UV_PROCESS_DETACHED;
	options.stdio_count = 3;
	options.stdio = stdio;
	rc = uv_spawn(loop_uv(c->loop), &c->process, &options);
out:
	close_fds(fds);
	return rc;
}

static void init_handles(struct child *c)
{
	uv_pipe_t *pipes[] = { &c->in, &c->out, &c->err };

	for (size_t i = 0; i < 3; i++) {
		uv_pipe_init(loop_uv(c->loop), pipes[i], 0);
		pipes[i]->data = c;
	}
	c->n_open = 3;
}

struct child *child_start(struct loop *l, const struct child_options *o,
			  struct error *err)
{
	struct child *c = mem_zalloc(1, sizeof(*c));
	int rc;

	c->loop = l;
	c->o = *o;
	init_handles(c);
	rc = spawn(c);
	/* uv_spawn leaves an open handle behind even when it fails. */
	c->process.data = c;
	if (c->process.type == UV_PROCESS)
		c->n_open++;
	if (rc) {
		error_set(err, ERROR_ENVIRONMENT, "cannot start %s: %s",
			  o->args[0], uv_strerror(rc));
		if (c->process.type == UV_PROCESS)
			shut(&c->process);
		c->killed = true;
		shut(&c->in);
		shut(&c->out);
		shut(&c->err);
		return c;
	}
	uv_read_start((uv_stream_t *)&c->out, alloc_read, on_read);
	uv_read_start((uv_stream_t *)&c->err, alloc_read, on_read);
	return c;
}
