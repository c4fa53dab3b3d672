#include "orchestrate/exec/ssh_input.h"

#include <libssh2.h>

#include "orchestrate/exec/ssh_session.h"

/* libssh2 takes no more than this in one call. */
#define WRITE_SIZE 32700

/* The next part that lies in one piece. */
static size_t next_part(const struct ssh_input *in, const char **data)
{
	size_t n;

	if (in->sent < in->n_script) {
		*data = in->script + in->sent;
		n = in->n_script - in->sent;
	} else {
		*data = in->more.data + (in->sent - in->n_script);
		n = in->n_script + in->more.n - in->sent;
	}
	return n < WRITE_SIZE ? n : WRITE_SIZE;
}

static int send_data(struct ssh_input *in, const struct ssh_session *s,
		     LIBSSH2_CHANNEL *channel)
{
	const char *data;
	size_t n;

	/* no faster than the socket takes it */
	while (!in->deaf && !s->out.n && (n = next_part(in, &data)) > 0) {
		ssize_t rc = libssh2_channel_write(channel, data, n);

		if (rc > 0) {
			in->sent += (size_t)rc;
			continue;
		}
		if (rc == 0 || rc == LIBSSH2_ERROR_EAGAIN)
			return 0;
		/* It ended before it had read all: that is its affair. */
		if (rc != LIBSSH2_ERROR_CHANNEL_CLOSED &&
		    rc != LIBSSH2_ERROR_CHANNEL_EOF_SENT)
			return -1;
		in->deaf = true;
	}
	return 0;
}

static int send_end(struct ssh_input *in, LIBSSH2_CHANNEL *channel)
{
	const char *data;
	int rc;

	if (in->end_sent || !in->end_wanted || next_part(in, &data))
		return 0;
	rc = libssh2_channel_send_eof(channel);
	in->end_sent = rc == 0;
	return rc && rc != LIBSSH2_ERROR_EAGAIN ? -1 : 0;
}

int ssh_input_send(struct ssh_input *in, const struct ssh_session *s,
		   LIBSSH2_CHANNEL *channel)
{
	if (send_data(in, s, channel))
		return -1;
	return send_end(in, channel);
}
