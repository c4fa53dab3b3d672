#ifndef EXEC_SSH_AUTH_H
#define EXEC_SSH_AUTH_H

#include <stdbool.h>

struct _LIBSSH2_SESSION;
struct error;
struct loop;
struct ssh_target;

/*
 * Logs in with the keys of the agent and of files. A steppable machine:
 * step it when the socket is ready, and when wake(ctx) was called.
 */
struct ssh_auth;

enum auth_step {
	AUTH_DONE,
	AUTH_WAIT_SOCKET,
	AUTH_WAIT_AGENT, /* the socket is of no interest until wake() */
	AUTH_REFUSED,    /* `err` says what was tried */
	AUTH_BROKEN,     /* the connection failed */
};

/* `ended` becomes true when the host hangs up; it outlives the ssh_auth. */
struct ssh_auth *ssh_auth_new(struct loop *l, struct _LIBSSH2_SESSION *lib,
			      const struct ssh_target *t, const bool *ended,
			      void (*wake)(void *ctx), void *ctx);
void ssh_auth_free(struct ssh_auth *a); /* NULL-safe */
enum auth_step ssh_auth_step(struct ssh_auth *a, struct error *err);

/* The keys refused so far, for a message; "" when there is none. */
const char *ssh_auth_tried(const struct ssh_auth *a);

#endif
