#ifndef EXEC_SSH_SESSION_H
#define EXEC_SSH_SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/buf.h"
#include "base/error.h"

struct _LIBSSH2_SESSION;
struct job;
struct loop;
struct ssh_auth;
struct ssh_channel;
struct ssh_target;

enum ssh_session_state {
	SESSION_HANDSHAKE,
	SESSION_AUTH,
	SESSION_READY,
	SESSION_LOST,
};

/*
 * One SSH connection: libssh2 without blocking, on one socket. Everything
 * that libssh2 does happens in ssh_session_pump(), called from the loop.
 *
 * libssh2 wants a call that could send only a part of its packet repeated
 * before any other may send, and does not always find its own packet again.
 * Therefore all that it sends is taken at once; what the socket does not
 * take waits in `out`, and scripts wait until that is empty.
 */
struct ssh_session {
	struct loop *loop;
	const struct ssh_target *t;
	enum ssh_session_state state;
	int fd;
	struct _LIBSSH2_SESSION *lib;
	uv_poll_t poll;
	uv_idle_t kick;         /* pumps in the loop's next turn */
	int n_handles;          /* of these two, not yet closed */
	int events;             /* polled for */
	struct timer *timer;    /* until it is ready */
	struct ssh_auth *auth;
	void (*opened)(void *ctx, const struct error *err);
	void *opened_ctx;
	/* the socket, as libssh2's calls find it */
	bool readable;          /* the loop said so; not yet drained */
	uint64_t n_received;    /* reads that gave something */
	struct buf out;         /* to be sent */
	size_t n_sent;          /* of that */
	bool ended;             /* by the host */
	char last_words[128];   /* of the host, "" = none */
	int io_error;           /* errno */
	bool shaking;           /* hands: libssh2 is in the middle of it */
	bool dead;              /* nothing is sent or received any more */
	/* the channels */
	struct ssh_channel *channels;
	struct ssh_channel *starter; /* opening; libssh2 opens one at a time */
	struct ssh_channel *parked;
	bool pumping, again;
	struct error error;     /* why it was lost */
	bool closing;
	void (*closed)(void *ctx);
	void *closed_ctx;
};

/*
 * Takes the connected socket over and logs in. opened() is called once, from
 * the loop. The session stays until ssh_session_close(), lost or not.
 */
struct ssh_session *ssh_session_open(struct loop *l,
				     const struct ssh_target *t, int fd,
				     void (*opened)(void *ctx,
						    const struct error *err),
				     void *ctx);

/* Ends what runs; closed(ctx) from the loop. No opened() any more. */
void ssh_session_close(struct ssh_session *s, void (*closed)(void *ctx),
		       void *ctx);

/* Pumps in the loop's next turn, or once more when it is pumping. */
void ssh_session_kick(struct ssh_session *s);

/* For its parts: what the last fault of the connection was. */
const char *ssh_session_why(const struct ssh_session *s);
void ssh_session_tell_opened(struct ssh_session *s);

/* Marks it lost; the pump does the rest. `what` was being done. */
void ssh_session_fail(struct ssh_session *s, const char *what);

#endif
