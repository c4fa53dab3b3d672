#include "orchestrate/exec/ssh_session.h"

#include <errno.h>
#include <libssh2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/ssh_auth.h"
#include "orchestrate/exec/ssh_channel.h"
#include "orchestrate/exec/ssh_config.h"
#include "orchestrate/exec/ssh_hostkey.h"

/* Someone may have to touch a key. */
#define AUTH_TIMEOUT 60.0
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

static ssize_t on_send(libssh2_socket_t fd, const void *buffer, size_t length,
		       int flags, void **abstract)
{
	struct ssh_session *s = *abstract;
	ssize_t n;

	if (s->dead)
		return -EPIPE;
	n = send(fd, buffer, length, flags | MSG_NOSIGNAL);
	if (n >= 0)
		return n;
	if (errno == EAGAIN || errno == EINTR)
		return -EAGAIN;
	s->io_error = errno;
	return -errno;
}

static const char *why_lost(const struct ssh_session *s)
{
	char *text = NULL;

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
			  s->t->name, what, why_lost(s));
}

static void tell_opened(struct ssh_session *s)
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

static int explain_handshake(struct ssh_session *s)
{
	const struct ssh_target *t = s->t;

	if (s->ended || s->io_error)
		return error_set(&s->error, ERROR_ENVIRONMENT,
				 "host %s (%s:%d): closed the connection "
				 "during the handshake (%s): look at sshd's "
				 "log there; it may be too busy (MaxStartups) "
				 "or bar this machine",
				 t->name, t->hostname, t->port, why_lost(s));
	return error_set(&s->error, ERROR_ENVIRONMENT,
			 "host %s (%s:%d): the SSH handshake failed: %s; "
			 "libssh2 may share no algorithm with it, or it is "
			 "no SSH server",
			 t->name, t->hostname, t->port, why_lost(s));
}

static int check_host_key(struct ssh_session *s)
{
	size_t n = 0;
	int type;
	const char *key = libssh2_session_hostkey(s->lib, &n, &type);

	if (!key)
		return error_set(&s->error, ERROR_ENVIRONMENT,
				 "host %s (%s:%d): it shows no host key",
				 s->t->name, s->t->hostname, s->t->port);
	return hostkey_check(s->t, key, n, &s->error);
}

static void on_wake(void *ctx)
{
	ssh_session_kick(ctx);
}

static void on_auth_timeout(void *ctx)
{
	struct ssh_session *s = ctx;

	s->timer = NULL;
	error_set(&s->error, ERROR_ENVIRONMENT,
		  "host %s (%s:%d): the login took more than %g s: look at "
		  "sshd's log there, and at your agent",
		  s->t->name, s->t->hostname, s->t->port, AUTH_TIMEOUT);
	ssh_session_fail(s, "logging in");
	ssh_session_kick(s);
}

static void step_handshake(struct ssh_session *s)
{
	int rc = libssh2_session_handshake(s->lib, s->fd);

	if (rc == LIBSSH2_ERROR_EAGAIN)
		return;
	if (rc) {
		explain_handshake(s);
		ssh_session_fail(s, "the handshake");
		return;
	}
	if (check_host_key(s)) {
		ssh_session_fail(s, "the handshake");
		return;
	}
	timer_cancel(s->timer);
	s->timer = timer_start(s->loop, AUTH_TIMEOUT, on_auth_timeout, s);
	s->auth = ssh_auth_new(s->loop, s->lib, s->t, on_wake, s);
	s->state = SESSION_AUTH;
	s->again = true;
}

static void explain_auth(struct ssh_session *s)
{
	const struct ssh_target *t = s->t;
	const char *tried = ssh_auth_tried(s->auth);

	error_set(&s->error, ERROR_ENVIRONMENT,
		  "host %s (%s:%d): closed the connection during the login "
		  "of %s (%s)%s%s: look at sshd's log there; with many keys "
		  "in the agent, name the right one with `key:`",
		  t->name, t->hostname, t->port, t->user, why_lost(s),
		  *tried ? " after it refused " : "", tried);
}

/* What to poll for while logging in. */
static int auth_events(struct ssh_session *s)
{
	switch (ssh_auth_step(s->auth, &s->error)) {
	case AUTH_DONE:
		s->state = SESSION_READY;
		s->again = true;
		tell_opened(s);
		break;
	case AUTH_WAIT_SOCKET:
		break;
	case AUTH_WAIT_AGENT:
		return UV_DISCONNECT;
	case AUTH_REFUSED:
	case AUTH_BROKEN:
		if (s->ended || s->io_error || s->error.kind == ERROR_NONE)
			explain_auth(s);
		ssh_session_fail(s, "logging in");
		break;
	}
	return 0;
}

static void on_poll(uv_poll_t *poll, int status, int events);

static void poll_for(struct ssh_session *s, int events)
{
	if (events == s->events)
		return;
	s->events = events;
	uv_poll_start(&s->poll, events, on_poll);
}

static int wanted_events(struct ssh_session *s)
{
	int directions;

	if (s->state == SESSION_READY)
		return s->writer ? UV_WRITABLE : UV_READABLE;
	directions = libssh2_session_block_directions(s->lib);
	return directions & LIBSSH2_SESSION_BLOCK_OUTBOUND ? UV_WRITABLE
							   : UV_READABLE;
}

/* One round; what to poll for, or 0 for the usual. */
static int step(struct ssh_session *s)
{
	switch (s->state) {
	case SESSION_HANDSHAKE:
		step_handshake(s);
		break;
	case SESSION_AUTH:
		return auth_events(s);
	case SESSION_READY:
		ssh_channels_step(s);
		break;
	case SESSION_LOST:
		break;
	}
	return 0;
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
	if (s->state == SESSION_READY && !s->writer)
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
	libssh2_session_free(s->lib);
	libssh2_exit();
	uv_close((uv_handle_t *)&s->poll, on_handle_closed);
	uv_close((uv_handle_t *)&s->kick, on_handle_closed);
}

static void end(struct ssh_session *s)
{
	drop_connection(s);
	ssh_channels_end(s);
	if (!s->closing)
		tell_opened(s);
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
	poll_for(s, events ? events : wanted_events(s));
}

static void on_poll(uv_poll_t *poll, int status, int events)
{
	struct ssh_session *s = poll->data;

	if (status < 0 || (events & (UV_READABLE | UV_DISCONNECT)))
		s->readable = true;
	if (s->state == SESSION_READY)
		ssh_channels_listen(s);
	/* the end came while the agent was asked, and nothing read */
	if (s->state == SESSION_AUTH && s->events == UV_DISCONNECT) {
		s->ended = true;
		explain_auth(s);
		ssh_session_fail(s, "logging in");
	}
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
	s->lib = libssh2_session_init_ex(NULL, NULL, NULL, s);
	if (!s->lib)
		abort(); /* out of memory */
	libssh2_session_set_blocking(s->lib, 0);
	libssh2_session_callback_set(s->lib, LIBSSH2_CALLBACK_RECV,
				     (void *)on_recv);
	libssh2_session_callback_set(s->lib, LIBSSH2_CALLBACK_SEND,
				     (void *)on_send);
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
