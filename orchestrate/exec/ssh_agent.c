#include "orchestrate/exec/ssh_agent.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/exec/loop.h"

#define MESSAGE_LIMIT 262144u
#define READ_SIZE 8192

enum {
	AGENT_REQUEST_IDENTITIES = 11,
	AGENT_IDENTITIES_ANSWER = 12,
	AGENT_SIGN_REQUEST = 13,
	AGENT_SIGN_RESPONSE = 14,
};

struct ssh_agent {
	struct loop *loop;
	uv_pipe_t pipe;
	uv_connect_t connect;
	uv_write_t write;
	double timeout;
	struct timer *timer;
	void (*changed)(void *ctx);
	void *ctx;
	enum agent_state state;
	char problem[160];
	bool writing;           /* `request` is in use by libuv */
	unsigned char asked;    /* kind of answer waited for */
	struct buf request, answer;
	struct agent_key *keys;
	size_t n_keys, cap_keys;
	struct buf signature;
	bool signed_;
	char read_buffer[READ_SIZE];
};

struct reader {
	const unsigned char *p;
	size_t left;
};

static bool read_u32(struct reader *r, uint32_t *v)
{
	if (r->left < 4)
		return false;
	*v = (uint32_t)r->p[0] << 24 | (uint32_t)r->p[1] << 16 |
	     (uint32_t)r->p[2] << 8 | r->p[3];
	r->p += 4;
	r->left -= 4;
	return true;
}

static bool read_string(struct reader *r, const unsigned char **s, size_t *n)
{
	uint32_t length;

	if (!read_u32(r, &length) || length > r->left)
		return false;
	*s = r->p;
	*n = length;
	r->p += length;
	r->left -= length;
	return true;
}

static void add_u32(struct buf *b, size_t v)
{
	const unsigned char bytes[] = { (unsigned char)(v >> 24),
					(unsigned char)(v >> 16),
					(unsigned char)(v >> 8),
					(unsigned char)v };

	buf_add(b, bytes, 4);
}

static void add_string(struct buf *b, const void *s, size_t n)
{
	add_u32(b, n);
	buf_add(b, s, n);
}

static void settle(struct ssh_agent *a, enum agent_state state)
{
	a->state = state;
	timer_cancel(a->timer);
	a->timer = NULL;
	a->changed(a->ctx);
}

static void fail(struct ssh_agent *a, const char *why)
{
	if (a->state == AGENT_FAILED)
		return;
	snprintf(a->problem, sizeof(a->problem), "%s", why);
	uv_read_stop((uv_stream_t *)&a->pipe);
	settle(a, AGENT_FAILED);
}

static void on_timeout(void *ctx)
{
	struct ssh_agent *a = ctx;

	a->timer = NULL;
	fail(a, "it does not answer");
}

static void take_keys(struct ssh_agent *a, struct reader *r)
{
	const unsigned char *key, *comment;
	size_t n_key, n_comment;
	uint32_t n;

	if (!read_u32(r, &n))
		return;
	while (n-- && read_string(r, &key, &n_key) &&
	       read_string(r, &comment, &n_comment)) {
		struct agent_key *k;

		MEM_GROW(a->keys, a->n_keys, a->cap_keys);
		k = &a->keys[a->n_keys++];
		k->key = mem_alloc(n_key + 1);
		memcpy(k->key, key, n_key);
		k->n_key = n_key;
		k->comment = mem_strndup((const char *)comment, n_comment);
	}
}

static void take_signature(struct ssh_agent *a, struct reader *r)
{
	const unsigned char *blob, *algorithm, *signature;
	size_t n_blob, n_algorithm, n_signature;
	struct reader inner;

	if (!read_string(r, &blob, &n_blob))
		return;
	inner = (struct reader){ .p = blob, .left = n_blob };
	if (!read_string(&inner, &algorithm, &n_algorithm) ||
	    !read_string(&inner, &signature, &n_signature))
		return;
	buf_add(&a->signature, signature, n_signature);
	a->signed_ = true;
}

static void take_answer(struct ssh_agent *a, struct reader r)
{
	unsigned char kind = *r.p++;

	r.left--;
	if (kind == a->asked && kind == AGENT_IDENTITIES_ANSWER)
		take_keys(a, &r);
	else if (kind == a->asked && kind == AGENT_SIGN_RESPONSE)
		take_signature(a, &r);
	settle(a, AGENT_READY);
}

static void alloc_read(uv_handle_t *handle, size_t suggested, uv_buf_t *buf)
{
	struct ssh_agent *a = handle->data;

	(void)suggested;
	buf->base = a->read_buffer;
	buf->len = READ_SIZE;
}

static void on_read(uv_stream_t *stream, ssize_t n, const uv_buf_t *buf)
{
	struct ssh_agent *a = stream->data;
	struct reader r;
	uint32_t length;

	if (n < 0) {
		fail(a, "it closed the connection");
		return;
	}
	buf_add(&a->answer, buf->base, (size_t)n);
	r.p = (const unsigned char *)a->answer.data;
	r.left = a->answer.n;
	if (!read_u32(&r, &length))
		return;
	if (length < 1 || length > MESSAGE_LIMIT) {
		fail(a, "it does not speak the agent protocol");
		return;
	}
	if (r.left < length)
		return;
	uv_read_stop(stream);
	take_answer(a, r);
}

static void on_written(uv_write_t *req, int status)
{
	struct ssh_agent *a = req->data;

	a->writing = false;
	if (status && status != UV_ECANCELED)
		fail(a, uv_strerror(status));
}

/* Sends the body that `request` holds after four bytes for its length. */
static void ask(struct ssh_agent *a, unsigned char answer)
{
	uv_buf_t buf = { .base = a->request.data, .len = a->request.n };
	size_t n = a->request.n - 4;
	int rc;

	a->request.data[0] = (char)(n >> 24);
	a->request.data[1] = (char)(n >> 16);
	a->request.data[2] = (char)(n >> 8);
	a->request.data[3] = (char)n;
	a->asked = answer;
	a->state = AGENT_BUSY;
	buf_clear(&a->answer);
	timer_cancel(a->timer);
	a->timer = timer_start(a->loop, a->timeout, on_timeout, a);
	a->write.data = a;
	rc = uv_write(&a->write, (uv_stream_t *)&a->pipe, &buf, 1,
		      on_written);
	a->writing = rc == 0;
	if (!rc)
		rc = uv_read_start((uv_stream_t *)&a->pipe, alloc_read,
				   on_read);
	if (rc)
		fail(a, uv_strerror(rc));
}

static void begin_request(struct ssh_agent *a, unsigned char kind)
{
	buf_clear(&a->request);
	add_u32(&a->request, 0);
	buf_addc(&a->request, (char)kind);
}

static void on_connected(uv_connect_t *req, int status)
{
	struct ssh_agent *a = req->data;

	if (status == UV_ECANCELED)
		return;
	if (status) {
		fail(a, uv_strerror(status));
		return;
	}
	begin_request(a, AGENT_REQUEST_IDENTITIES);
	ask(a, AGENT_IDENTITIES_ANSWER);
}

struct ssh_agent *ssh_agent_open(struct loop *l, const char *path,
				 double timeout, void (*changed)(void *ctx),
				 void *ctx)
{
	struct ssh_agent *a = mem_zalloc(1, sizeof(*a));

	a->loop = l;
	a->timeout = timeout;
	a->changed = changed;
	a->ctx = ctx;
	a->state = AGENT_BUSY;
	buf_init(&a->request);
	buf_init(&a->answer);
	buf_init(&a->signature);
	uv_pipe_init(loop_uv(l), &a->pipe, 0);
	a->pipe.data = a;
	a->connect.data = a;
	a->timer = timer_start(l, timeout, on_timeout, a);
	uv_pipe_connect(&a->connect, &a->pipe, path, on_connected);
	return a;
}

static void on_closed(uv_handle_t *handle)
{
	struct ssh_agent *a = handle->data;

	for (size_t i = 0; i < a->n_keys; i++) {
		free(a->keys[i].key);
		free(a->keys[i].comment);
	}
	free(a->keys);
	buf_release(&a->request);
	buf_release(&a->answer);
	buf_release(&a->signature);
	free(a);
}

void ssh_agent_close(struct ssh_agent *a)
{
	if (!a)
		return;
	a->state = AGENT_FAILED;
	timer_cancel(a->timer);
	a->timer = NULL;
	uv_close((uv_handle_t *)&a->pipe, on_closed);
}

enum agent_state ssh_agent_state(const struct ssh_agent *a)
{
	return a->state;
}

const char *ssh_agent_problem(const struct ssh_agent *a)
{
	return a->problem;
}

const struct agent_key *ssh_agent_keys(const struct ssh_agent *a, size_t *n)
{
	*n = a->n_keys;
	return a->keys;
}

void ssh_agent_sign(struct ssh_agent *a, const struct agent_key *key,
		    const void *data, size_t n)
{
	buf_clear(&a->signature);
	a->signed_ = false;
	if (a->writing || a->state != AGENT_READY)
		return;
	begin_request(a, AGENT_SIGN_REQUEST);
	add_string(&a->request, key->key, key->n_key);
	add_string(&a->request, data, n);
	add_u32(&a->request, 0);
	ask(a, AGENT_SIGN_RESPONSE);
}

const unsigned char *ssh_agent_signature(const struct ssh_agent *a,
					 size_t *n)
{
	*n = a->signature.n;
	return a->signed_ ? (const unsigned char *)a->signature.data : NULL;
}
