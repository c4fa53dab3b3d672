/*
 * The median time of one bare channel of libssh2: open, exec, read to the end,
 * close; in milliseconds, over one blocking session with a server of
 * tests/lab/sshd.sh. It is the floor for whatever runs a command over SSH.
 * Exit 1 when a step fails.
 *	build/tests/bench/channel TIMES PORT USER KEY COMMAND
 */
#include <arpa/inet.h>
#include <libssh2.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "stats/describe.h"

static void give_up(LIBSSH2_SESSION *session, const char *what)
{
	char *why = NULL;

	if (session)
		libssh2_session_last_error(session, &why, NULL, 0);
	fprintf(stderr, "channel: %s%s%s\n", what, why ? ": " : "",
		why ? why : "");
	exit(1);
}

static int connect_to(long port)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof(a)))
		give_up(NULL, "cannot connect");
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	return fd;
}

/* The server is the one that the caller has started: no host key is asked. */
static LIBSSH2_SESSION *log_in(int fd, const char *user, const char *key)
{
	LIBSSH2_SESSION *session;
	char *public = mem_printf("%s.pub", key);

	if (libssh2_init(0) || !(session = libssh2_session_init()))
		give_up(NULL, "no libssh2");
	if (libssh2_session_handshake(session, fd))
		give_up(session, "handshake");
	if (libssh2_userauth_publickey_fromfile(session, user, public, key,
						NULL))
		give_up(session, "login");
	free(public);
	return session;
}

static double exec_ms(LIBSSH2_SESSION *session, const char *command)
{
	int64_t start = clock_monotonic_ns();
	LIBSSH2_CHANNEL *channel = libssh2_channel_open_session(session);
	char bytes[4096];

	if (!channel)
		give_up(session, "open");
	if (libssh2_channel_exec(channel, command))
		give_up(session, "exec");
	while (libssh2_channel_read(channel, bytes, sizeof(bytes)) > 0)
		;
	if (libssh2_channel_close(channel) ||
	    libssh2_channel_wait_closed(channel))
		give_up(session, "close");
	if (libssh2_channel_get_exit_status(channel))
		give_up(NULL, "the command failed");
	libssh2_channel_free(channel);
	return (double)(clock_monotonic_ns() - start) / 1e6;
}

int main(int argc, char **argv)
{
	long times = argc == 6 ? strtol(argv[1], NULL, 10) : 0;
	LIBSSH2_SESSION *session;
	double *ms;
	int fd;

	if (times < 1) {
		fprintf(stderr, "usage: channel TIMES PORT USER KEY COMMAND\n");
		return 2;
	}
	ms = mem_zalloc((size_t)times, sizeof(*ms));
	fd = connect_to(strtol(argv[2], NULL, 10));
	session = log_in(fd, argv[3], argv[4]);
	exec_ms(session, argv[5]); /* the first one is cold */
	for (long i = 0; i < times; i++)
		ms[i] = exec_ms(session, argv[5]);
	printf("%.3f\n", describe_median(ms, (size_t)times));
	libssh2_session_disconnect(session, "done");
	libssh2_session_free(session);
	libssh2_exit();
	close(fd);
	free(ms);
	return 0;
}
