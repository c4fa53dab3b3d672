#include "orchestrate/exec/ssh_session.h"

#include <errno.h>
#include <libssh2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/ssh_auth.h"
#include "orchestrate/exec/ssh_channel.h"
#include "orchestrate/exec/ssh_config.h"
#include "orchestrate/exec/ssh_hostkey.h"
#include "orchestrate/exec/ssh_login.h"

/* Rounds over the channels before timers and signals get their turn. */
#define ROUNDS_AT_ONCE 16

static ssize_t on_recv(libssh2_socket_t fd, void *buffer, size_t length,
		       int flags, void **abstract)
{
	struct ssh_session *s = *abstract;
	ssize_t n;

	if (s->dead)
		return -ECONNRESET;
	if (!s->readable)
		return -EAGAIN;
	n = recv(fd, buffer, length, flags);
	if (n > 0) {
		/* the loop tells when there is more */
		s->readable = (size_t)n == length;
		s->n_received++;
		return n;
	}
	s->readable = false;
	if (n == 0) {
		s->ended = true;
		return 0;
	}
	if (errno == EAGAIN || errno == EINTR)
		return -EAGAIN;
	s->io_error = errno;
	return -errno;
}

/* How much the socket took; -1 when it is broken. */
static ssize_t try_send(struct ssh_session *s, const void *data, size_t n)
{
	ssize_t sent = send(s->fd, data, n, MSG_NOSIGNAL);

	if (sent >= 0)
		return sent;
	if (errno == EAGAIN || errno == EINTR)
		return 0;
	s->io_error = errno;
	return -1;
}

static ssize_t on_send(libssh2_socket_t fd, const void *buffer, size_t length,
		       int flags, void **abstract)
{
	struct ssh_session *s = *abstract;
	ssize_t n = 0;

	(void)fd;
	(void)flags;
	if (s->dead)
		return -EPIPE;
	if (!s->out.n)
		n = try_send(s, buffer, length);
	if (n < 0)
		return -s->io_error;
	buf_add(&s->out, (const char *)buffer + n, length - (size_t)n);
	return (ssize_t)length;
}

static void on_disconnect(LIBSSH2_SESSION *lib, int reason,
			  const char *message, int n_message,
			  const char *language, int n_language,
			  void **abstract)
{
	struct ssh_session *s = *abstract;
	struct buf text = BUF_INIT;

	(void)lib;
	(void)reason;
	(void)language;
	(void)n_language;
	s->ended = true;
	if (n_message > 0)
		utf8_add_printable(&text, message, (size_t)n_message);
	snprintf(s->last_words, sizeof(s->last_words), "%s", text.data);
	buf_release(&text);
}

static void flush_output(struct ssh_session *s)
{
	ssize_t n = 1;

	while (s->n_sent < s->out.n && n > 0) {
		n = try_send(s, s->out.data + s->n_sent,
			     s->out.n - s->n_sent);
		if (n > 0)
			s->n_sent += (size_t)n;
	}
	if (s->n_sent == s->out.n) {
		buf_clear(&s->out);
		s->n_sent = 0;
	}
	if (n < 0)
		ssh_session_fail(s, "sending");
}

const char *ssh_session_why(const struct ssh_session *s)
{
	char *text = NULL;

	if (*s->last_words)
		return s->last_words;
	if (s->io_error)
		return strerror(s->io_error);
	if (s->ended)
		return "the host closed it";
	libssh2_session_last_error(s->lib, &text, NULL, 0);
	return text && *text ? text : "for an unknown reason";
}

void ssh_session_fail(struct ssh_session *s, const char *what)
{
	if (s->state == SESSION_LOST)
		return;
	s->state = SESSION_LOST;
	s->again = true;
	if (s->error.kind == ERROR_NONE)
		error_set(&s->error, ERROR_ENVIRONMENT,
			  "%s: connection lost while %s: %s; run again when "
			  "the host can be reached",
			  s->t->name, what, ssh_session_why(s));
}

void ssh_session_tell_opened(struct ssh_session *s)
{
	void (*opened)(void *, const struct error *) = s->opened;

	s->opened = NULL;
	timer_cancel(s->timer);
	s->timer = NULL;
	ssh_auth_free(s->auth);
	s->auth = NULL;
	if (opened)
		opened(s->opened_ctx, &s->error);
}

static void on_poll(uv_poll_t *poll, int status, int events);

static void poll_for(struct ssh_session *s, int events)
{
	if (events == s->events)
		return;
	s->events = events;
	uv_poll_start(&s->poll, events, on_poll);
}

/* One round; what to poll for. */
static int step(struct ssh_session *s)
{
	bool deaf = false;

	switch (s->state) {
	case SESSION_HANDSHAKE:
		ssh_login_handshake(s);
		break;
	case SESSION_AUTH:
		deaf = ssh_login_auth(s);
		break;
	case SESSION_READY:
		ssh_channels_step(s);
		break;
	case SESSION_LOST:
		break;
	}
	return (deaf ? UV_DISCONNECT : UV_READABLE) |
	       (s->out.n ? UV_WRITABLE : 0);
}

static void on_handle_closed(uv_handle_t *handle)
{
	struct ssh_session *s = handle->data;
	void (*closed)(void *) = s->closed;
	void *ctx = s->closed_ctx;

	if (--s->n_handles)
		return;
	free(s);
	closed(ctx);
}

/* The socket goes; what libssh2 still wants of it fails at once. */
static void drop_connection(struct ssh_session *s)
{
	if (s->dead)
		return;
	if (s->state == SESSION_READY)
		libssh2_session_disconnect(s->lib, "done");
	s->state = SESSION_LOST;
	s->dead = true;
	uv_poll_stop(&s->poll);
	s->events = 0;
	close(s->fd);
}

static void free_session(struct ssh_session *s)
{
	timer_cancel(s->timer);
	ssh_auth_free(s->auth);
	/* libssh2 frees the keys of an exchange only when that has failed */
	if (s->shaking)
		libssh2_session_handshake(s->lib, s->fd);
	libssh2_session_free(s->lib);
	libssh2_exit();
	buf_release(&s->out);
	uv_close((uv_handle_t *)&s->poll, on_handle_closed);
	uv_close((uv_handle_t *)&s->kick, on_handle_closed);
}

static void end(struct ssh_session *s)
{
	drop_connection(s);
	ssh_channels_end(s);
	if (!s->closing)
		ssh_session_tell_opened(s);
	/* the calls may have closed it, or brought new jobs */
	if (s->channels)
		ssh_session_kick(s);
	else if (s->closing)
		free_session(s);
}

static void pump(struct ssh_session *s)
{
	uint64_t before;
	int events, rounds = 0;

	s->pumping = true;
	do {
		s->again = false;
		before = s->n_received;
		events = step(s);
		if (s->state == SESSION_LOST || s->closing)
			break;
	} while ((s->again || s->n_received != before) &&
		 ++rounds < ROUNDS_AT_ONCE);
	if (s->state == SESSION_LOST || s->closing) {
		end(s);
		s->pumping = false;
		return;
	}
	s->pumping = false;
	if (s->again || s->n_received != before)
		ssh_session_kick(s);
	poll_for(s, events);
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
	struct ssh_session *s = poll->data;

	if (status < 0 || (events & (UV_READABLE | UV_DISCONNECT)))
		s->readable = true;
	flush_output(s);
	if (s->state == SESSION_READY && s->readable)
		ssh_channels_listen(s);
	/* the end came while the agent was asked, and nothing read */
	if (s->state == SESSION_AUTH && (s->events & UV_DISCONNECT) &&
	    s->readable)
		ssh_login_ended(s);
	/* an error has stopped the polling */
	if (status < 0)
		s->events = 0;
	pump(s);
}

static void on_kick(uv_idle_t *kick)
{
	struct ssh_session *s = kick->data;

	uv_idle_stop(kick);
	pump(s);
}

void ssh_session_kick(struct ssh_session *s)
{
	s->again = true;
	if (!s->pumping)
		uv_idle_start(&s->kick, on_kick);
}

static void on_handshake_timeout(void *ctx)
{
	struct ssh_session *s = ctx;

	s->timer = NULL;
	error_set(&s->error, ERROR_ENVIRONMENT,
		  "host %s (%s:%d): no SSH handshake within %g s: is that "
		  "port an SSH server's, and is the host not overloaded?",
		  s->t->name, s->t->hostname, s->t->port,
		  s->t->connect_timeout);
	ssh_session_fail(s, "the handshake");
	ssh_session_kick(s);
}

static void make_lib(struct ssh_session *s)
{
	struct buf algorithms = BUF_INIT;

	libssh2_init(0);
	s->lib = mem_must(libssh2_session_init_ex(NULL, NULL, NULL, s));
	libssh2_session_set_blocking(s->lib, 0);
	libssh2_session_callback_set(s->lib, LIBSSH2_CALLBACK_RECV,
				     (void *)on_recv);
	libssh2_session_callback_set(s->lib, LIBSSH2_CALLBACK_SEND,
				     (void *)on_send);
	libssh2_session_callback_set(s->lib, LIBSSH2_CALLBACK_DISCONNECT,
				     (void *)on_disconnect);
	hostkey_preference(s->t, &algorithms);
	libssh2_session_method_pref(s->lib, LIBSSH2_METHOD_HOSTKEY,
				    algorithms.data);
	buf_release(&algorithms);
}

struct ssh_session *ssh_session_open(struct loop *l,
				     const struct ssh_target *t, int fd,
				     void (*opened)(void *ctx,
						    const struct error *err),
				     void *ctx)
{
	struct ssh_session *s = mem_zalloc(1, sizeof(*s));

	s->loop = l;
	s->t = t;
	s->fd = fd;
	s->opened = opened;
	s->opened_ctx = ctx;
	buf_init(&s->out);
	make_lib(s);
	uv_poll_init_socket(loop_uv(l), &s->poll, fd);
	uv_idle_init(loop_uv(l), &s->kick);
	s->poll.data = s;
	s->kick.data = s;
	s->n_handles = 2;
	s->timer = timer_start(l, t->connect_timeout, on_handshake_timeout,
			       s);
	ssh_session_kick(s);
	return s;
}

void ssh_session_close(struct ssh_session *s, void (*closed)(void *ctx),
		       void *ctx)
{
	s->closing = true;
	s->opened = NULL;
	s->closed = closed;
	s->closed_ctx = ctx;
	if (s->error.kind == ERROR_NONE)
		error_set(&s->error, ERROR_ENVIRONMENT,
			  "%s: the connection was closed", s->t->name);
	ssh_session_kick(s);
}
