#include "orchestrate/exec/ssh_login.h"

#include <libssh2.h>

#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/ssh_auth.h"
#include "orchestrate/exec/ssh_config.h"
#include "orchestrate/exec/ssh_hostkey.h"
#include "orchestrate/exec/ssh_session.h"

/* Someone may have to touch a key. */
#define AUTH_TIMEOUT 60.0

static int explain_handshake(struct ssh_session *s)
{
	const struct ssh_target *t = s->t;

	if (s->ended || s->io_error)
		return error_set(&s->error, ERROR_ENVIRONMENT,
				 "host %s (%s:%d): closed the connection "
				 "during the handshake (%s): look at sshd's "
				 "log there; it may be too busy (MaxStartups) "
				 "or bar this machine",
				 t->name, t->hostname, t->port,
				 ssh_session_why(s));
	return error_set(&s->error, ERROR_ENVIRONMENT,
			 "host %s (%s:%d): the SSH handshake failed: %s; "
			 "libssh2 may share no algorithm with it, or it is "
			 "no SSH server",
			 t->name, t->hostname, t->port, ssh_session_why(s));
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

void ssh_login_handshake(struct ssh_session *s)
{
	int rc = libssh2_session_handshake(s->lib, s->fd);

	s->shaking = rc == LIBSSH2_ERROR_EAGAIN;
	if (s->shaking)
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
	s->auth = ssh_auth_new(s->loop, s->lib, s->t, &s->ended, on_wake,
			       s);
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
		  t->name, t->hostname, t->port, t->user, ssh_session_why(s),
		  *tried ? " after it refused " : "", tried);
}

bool ssh_login_auth(struct ssh_session *s)
{
	switch (ssh_auth_step(s->auth, &s->error)) {
	case AUTH_DONE:
		s->state = SESSION_READY;
		s->again = true;
		ssh_session_tell_opened(s);
		break;
	case AUTH_WAIT_SOCKET:
		break;
	case AUTH_WAIT_AGENT:
		return true;
	case AUTH_REFUSED:
	case AUTH_BROKEN:
		if (s->ended || s->io_error || s->error.kind == ERROR_NONE)
			explain_auth(s);
		ssh_session_fail(s, "logging in");
		break;
	}
	return false;
}

void ssh_login_ended(struct ssh_session *s)
{
	s->ended = true;
	explain_auth(s);
	ssh_session_fail(s, "logging in");
}
