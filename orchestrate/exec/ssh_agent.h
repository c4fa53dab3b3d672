#ifndef EXEC_SSH_AGENT_H
#define EXEC_SSH_AGENT_H

#include <stdbool.h>
#include <stddef.h>

struct loop;

/*
 * A key agent (ssh-agent's protocol, draft-miller-ssh-agent), asked through
 * the loop: libssh2's own client would block for as long as the agent does.
 */
struct ssh_agent;

struct agent_key {
	unsigned char *key; /* public key, wire format */
	size_t n_key;
	char *comment;
};

enum agent_state {
	AGENT_BUSY,
	AGENT_READY,  /* keys are listed; a signature is there if asked for */
	AGENT_FAILED, /* no agent, or it did not answer in time */
};

/*
 * Connects and asks for the keys; changed(ctx) when no longer busy. Each
 * answer may take `timeout` seconds.
 */
struct ssh_agent *ssh_agent_open(struct loop *l, const char *path,
				 double timeout, void (*changed)(void *ctx),
				 void *ctx);
void ssh_agent_close(struct ssh_agent *a); /* NULL-safe */

enum agent_state ssh_agent_state(const struct ssh_agent *a);
const char *ssh_agent_problem(const struct ssh_agent *a);
const struct agent_key *ssh_agent_keys(const struct ssh_agent *a, size_t *n);

/* Asks for a signature of `data`; changed(ctx) when it is there. */
void ssh_agent_sign(struct ssh_agent *a, const struct agent_key *key,
		    const void *data, size_t n);
/* The signature proper, without its algorithm; NULL when it was refused. */
const unsigned char *ssh_agent_signature(const struct ssh_agent *a,
					 size_t *n);

#endif
