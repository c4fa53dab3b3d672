#ifndef EXEC_SSH_EXIT_H
#define EXEC_SSH_EXIT_H

struct _LIBSSH2_CHANNEL;
struct _LIBSSH2_SESSION;

/*
 * The exit status of a channel's command, or 128 + the number of the signal
 * that ended it (128 when that has no name in SSH).
 */
int ssh_exit_status(struct _LIBSSH2_SESSION *lib,
		    struct _LIBSSH2_CHANNEL *channel);

#endif
