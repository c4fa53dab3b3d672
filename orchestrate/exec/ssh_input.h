#ifndef EXEC_SSH_INPUT_H
#define EXEC_SSH_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct _LIBSSH2_CHANNEL;
struct ssh_session;

/* What goes to a channel's standard input. */
struct ssh_input {
	const char *script;     /* the job's */
	size_t n_script;
	struct buf more;        /* what was written after it */
	size_t sent;            /* of both */
	bool end_wanted, end_sent;
	bool deaf;              /* takes no more */
};

/* Sends what can be sent now; -1 when the connection failed. */
int ssh_input_send(struct ssh_input *in, const struct ssh_session *s,
		   struct _LIBSSH2_CHANNEL *channel);

#endif
