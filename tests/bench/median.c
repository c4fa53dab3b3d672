/*
 * The median wall time of a command, in milliseconds, from its start to its
 * end; what it prints is thrown away. Exit 1 when it fails once.
 *	build/tests/bench/median TIMES COMMAND [ARGUMENT...]
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "stats/describe.h"

/* Milliseconds; negative when it failed. */
static double time_once(char **argv, const posix_spawn_file_actions_t *quiet)
{
	int64_t start = clock_monotonic_ns();
	int status;
	pid_t pid;

	if (posix_spawnp(&pid, argv[0], quiet, NULL, argv, environ) ||
	    waitpid(pid, &status, 0) != pid || status != 0)
		return -1;
	return (double)(clock_monotonic_ns() - start) / 1e6;
}

int main(int argc, char **argv)
{
	long times = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
	posix_spawn_file_actions_t quiet;
	double *ms;

	if (times < 1) {
		fprintf(stderr, "usage: median TIMES COMMAND [ARGUMENT...]\n");
		return 2;
	}
	ms = mem_zalloc((size_t)times, sizeof(*ms));
	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, STDIN_FILENO, "/dev/null",
					 O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null",
					 O_WRONLY, 0);
	for (long i = 0; i < times; i++) {
		ms[i] = time_once(argv + 2, &quiet);
		if (ms[i] < 0) {
			fprintf(stderr, "median: %s failed\n", argv[2]);
			return 1;
		}
	}
	printf("%.3f\n", describe_median(ms, (size_t)times));
	posix_spawn_file_actions_destroy(&quiet);
	free(ms);
	return 0;
}
