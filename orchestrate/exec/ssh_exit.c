#include "orchestrate/exec/ssh_exit.h"

#include <libssh2.h>
#include <signal.h>
#include <string.h>

static int signal_number(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} signals[] = {
		{ "ABRT", SIGABRT }, { "ALRM", SIGALRM }, { "FPE", SIGFPE },
		{ "HUP", SIGHUP },   { "ILL", SIGILL },	  { "INT", SIGINT },
		{ "KILL", SIGKILL }, { "PIPE", SIGPIPE }, { "QUIT", SIGQUIT },
		{ "SEGV", SIGSEGV }, { "TERM", SIGTERM }, { "USR1", SIGUSR1 },
		{ "USR2", SIGUSR2 },
	};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (!strcmp(signals[i].name, name))
			return signals[i].number;
	return 0;
}

int ssh_exit_status(LIBSSH2_SESSION *lib, LIBSSH2_CHANNEL *channel)
{
	char *name = NULL;
	int status = libssh2_channel_get_exit_status(channel);

	libssh2_channel_get_exit_signal(channel, &name, NULL, NULL, NULL,
					NULL, NULL);
	if (name)
		status = 128 + signal_number(name);
	libssh2_free(lib, name);
	return status;
}
