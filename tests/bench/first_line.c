/*
 * The median wall times of a command, in milliseconds, from its start to the
 * first line that it prints and to its end, the most memory (MiB) that it took,
 * and the median of its processor time (ms), which a busy machine stretches
 * less: "FIRST WHOLE PEAK CPU". Exit 1 when it fails once.
 *	build/tests/bench/first_line TIMES COMMAND [ARGUMENT...]
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "stats/describe.h"

static double ms_since(int64_t start)
{
	return (double)(clock_monotonic_ns() - start) / 1e6;
}

static pid_t start(char **argv, int out)
{
	posix_spawn_file_actions_t files;
	pid_t pid = -1;

	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null",
					 O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
	if (posix_spawnp(&pid, argv[0], &files, NULL, argv, environ))
		pid = -1;
	posix_spawn_file_actions_destroy(&files);
	return pid;
}

static double ms_of(const struct timeval *t)
{
	return (double)t->tv_sec * 1e3 + (double)t->tv_usec / 1e3;
}

/* -1 when it failed, or printed no line. */
static int time_once(char **argv, double *first, double *whole, double *cpu,
		     long *peak)
{
	int64_t began = clock_monotonic_ns();
	static char bytes[1 << 16];
	struct rusage usage;
	int ends[2], status;
	ssize_t n;
	pid_t pid;

	*first = -1;
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = start(argv, ends[1]);
	close(ends[1]);
	while (pid > 0 && (n = read(ends[0], bytes, sizeof(bytes))) > 0)
		if (*first < 0 && memchr(bytes, '\n', (size_t)n))
			*first = ms_since(began);
	close(ends[0]);
	if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status)
		return -1;
	*whole = ms_since(began);
	*cpu = ms_of(&usage.ru_utime) + ms_of(&usage.ru_stime);
	if (usage.ru_maxrss > *peak)
		*peak = usage.ru_maxrss;
	return *first < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
	long times = argc > 2 ? strtol(argv[1], NULL, 10) : 0, peak = 0;
	double *first, *whole, *cpu;

	if (times < 1) {
		fprintf(stderr, "usage: first_line TIMES COMMAND "
			"[ARGUMENT...]\n");
		return 2;
	}
	first = mem_zalloc((size_t)times, sizeof(*first));
	whole = mem_zalloc((size_t)times, sizeof(*whole));
	cpu = mem_zalloc((size_t)times, sizeof(*cpu));
	for (long i = 0; i < times; i++)
		if (time_once(argv + 2, &first[i], &whole[i], &cpu[i],
			      &peak)) {
			fprintf(stderr, "first_line: %s failed\n", argv[2]);
			return 1;
		}
	printf("%.3f %.3f %ld %.3f\n", describe_median(first, (size_t)times),
	       describe_median(whole, (size_t)times), peak / 1024,
	       describe_median(cpu, (size_t)times));
	free(cpu);
	free(first);
	free(whole);
	return 0;
}
