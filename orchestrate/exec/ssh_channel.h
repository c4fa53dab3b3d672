#ifndef EXEC_SSH_CHANNEL_H
#define EXEC_SSH_CHANNEL_H

#include <stddef.h>

struct job;
struct ssh_channel;
struct ssh_session;

/* Queues the job; its channel runs `sh -s`, with the job's mark. */
void ssh_channel_start(struct ssh_session *s, struct job *job);
void ssh_channel_write(struct ssh_channel *c, const void *data, size_t n);
void ssh_channel_eof(struct ssh_channel *c);
void ssh_channel_cancel(struct ssh_channel *c);

/*
 * Makes a channel that does nothing, when there is none: only through one can
 * libssh2 be made to read what the host says unasked, and to answer it.
 */
void ssh_channels_listen(struct ssh_session *s);

/* For the session's pump: one round over all channels. */
void ssh_channels_step(struct ssh_session *s);

/* Ends all jobs with the session's error and frees the channels. */
void ssh_channels_end(struct ssh_session *s);

#endif
