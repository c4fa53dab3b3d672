#include "orchestrate/store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/store/fault.h"

/* Links are resolved, so that two names of one store share one lock. */
static char *lock_name(const char *store_path)
{
	char *real = realpath(store_path, NULL), *dir, *full, *name;

	if (!real) {
		dir = path_dir(store_path);
		full = realpath(dir, NULL);
		real = path_join(full ? full : dir, path_base(store_path));
		free(full);
		free(dir);
	}
	name = mem_printf("%s.lock", real);
	free(real);
	return name;
}

/* Whether the locked file is still the one of that name: its last holder
 * may have removed it between our open and our lock. */
static bool is_current(int fd, const char *path)
{
	struct stat held, named;

	return fstat(fd, &held) == 0 && stat(path, &named) == 0 &&
	       held.st_ino == named.st_ino && held.st_dev == named.st_dev;
}

/* "pid 42 on host since 2026-11-30T20:47:04Z" */
static int write_holder(int fd)
{
	char host[256] = "", since[CLOCK_TEXT_SIZE];
	char text[400];
	int n;

	if (gethostname(host, sizeof(host) - 1) < 0)
		host[0] = '\0';
	n = snprintf(text, sizeof(text), "pid %ld on %s since %s\n",
		     (long)getpid(), host[0] ? host : "this host",
		     clock_iso8601(clock_wall_ns(), since));
	if (ftruncate(fd, 0) < 0 || pwrite(fd, text, (size_t)n, 0) != n)
		return -1;
	return 0;
}

static int refuse(const char *store_path, int fd, struct error *err)
{
	char holder[400];
	ssize_t n = pread(fd, holder, sizeof(holder) - 1, 0);

	holder[n > 0 ? n : 0] = '\0';
	holder[strcspn(holder, "\n")] = '\0';
	return error_set(err, ERROR_ENVIRONMENT,
			 "%s is in use by another assay run%s%s%s: wait for "
			 "it or stop it", store_path, holder[0] ? " (" : "",
			 holder, holder[0] ? ")" : "");
}

/*
 * A child that a killed run was just forking holds the lock until its exec:
 * a fifth of a second decides between that and a run that goes on.
 */
static int lock_file(int fd)
{
	struct flock range = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct timespec pause = { .tv_nsec = 10000000 };
	int rc;

	for (int tries = 0;; tries++) {
		rc = fcntl(fd, F_OFD_SETLK, &range);
		if (rc == 0 || (errno != EAGAIN && errno != EACCES) ||
		    tries == 20)
			return rc;
		nanosleep(&pause, NULL);
	}
}

int lock_take(struct lock *lock, const char *store_path, struct error *err)
{
	char *path = lock_name(store_path);
	int fd, rc = -1;

	for (;;) {
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
			  0644);
		if (fd < 0) {
			fault_errno(path, "write", errno, err);
			break;
		}
		if (lock_file(fd) < 0) {
			if (errno == EAGAIN || errno == EACCES)
				refuse(store_path, fd, err);
			else
				fault_errno(path, "lock", errno, err);
			break;
		}
		if (!is_current(fd, path)) {
			close(fd);
			continue;
		}
		/* who holds it is a courtesy: a full disk may refuse it */
		(void)!write_holder(fd);
		lock->fd = fd;
		lock->path = path;
		return 0;
	}
	if (fd >= 0)
		close(fd);
	free(path);
	return rc;
}

void lock_release(struct lock *lock)
{
	if (lock->fd >= 0) {
		unlink(lock->path);
		close(lock->fd);
	}
	free(lock->path);
	lock->fd = -1;
	lock->path = NULL;
}
