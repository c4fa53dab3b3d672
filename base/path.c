#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"

char *path_join(const char *dir, const char *name)
{
	size_t n = strlen(dir);

	if (name[0] == '/' || !n)
		return mem_strdup(name);
	return mem_printf("%s%s%s", dir, dir[n - 1] == '/' ? "" : "/", name);
}

char *path_dir(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return mem_strdup(".");
	if (slash == path)
		return mem_strdup("/");
	return mem_strndup(path, (size_t)(slash - path));
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool path_exists(const char *path)
{
	return access(path, F_OK) == 0;
}

static int read_all(int fd, const char *path, size_t max, struct buf *out,
		    struct error *err)
{
	for (;;) {
		ssize_t n;

		buf_reserve(out, 65536);
		n = read(fd, out->data + out->n, 65536);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, ERROR_USAGE, "%s: %s", path,
					 strerror(errno));
		if (n == 0)
			return 0;
		out->n += (size_t)n;
		out->data[out->n] = '\0';
		if (out->n > max)
			return error_set(err, ERROR_USAGE,
					 "%s: larger than %zu bytes", path,
					 max);
	}
}

int path_read(const char *path, size_t max, struct buf *out,
	      struct error *err)
{
	struct stat st;
	int fd, rc;

	buf_clear(out);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return error_set(err, ERROR_USAGE, "%s: %s", path,
				 strerror(errno));
	if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode))
		rc = error_set(err, ERROR_USAGE, "%s: not a regular file",
			       path);
	else
		rc = read_all(fd, path, max, out, err);
	close(fd);
	return rc;
}

static int write_all(int fd, const char *data, size_t n)
{
	while (n) {
		ssize_t w = write(fd, data, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return -1;
		data += w;
		n -= (size_t)w;
	}
	return 0;
}

int path_write(const char *path, const void *data, size_t n,
	       struct error *err)
{
	char *tmp = mem_printf("%s.tmp.%ld", path, (long)getpid());
	int fd, rc = 0;

	fd = open(tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0) {
		rc = error_set(err, ERROR_ENVIRONMENT, "cannot write %s: %s",
			       path, strerror(errno));
		goto out;
	}
	if (write_all(fd, data, n) < 0)
		rc = error_set(err, ERROR_ENVIRONMENT, "cannot write %s: %s",
			       path, strerror(errno));
	if (close(fd) < 0 && !rc)
		rc = error_set(err, ERROR_ENVIRONMENT, "cannot write %s: %s",
			       path, strerror(errno));
	if (!rc && rename(tmp, path) < 0)
		rc = error_set(err, ERROR_ENVIRONMENT, "cannot write %s: %s",
			       path, strerror(errno));
	if (rc)
		unlink(tmp);
out:
	free(tmp);
	return rc;
}

int path_make_dirs(const char *path, struct error *err)
{
	char *copy = mem_strdup(path);
	struct stat st;
	int rc = 0;

	for (char *p = copy + (*copy != '\0'); rc == 0; p++) {
		char c = *p;

		if (c && c != '/')
			continue;
		*p = '\0';
		if (mkdir(copy, 0777) < 0 && errno != EEXIST)
			rc = error_set(err, ERROR_ENVIRONMENT,
				       "cannot make directory %s: %s", copy,
				       strerror(errno));
		*p = c;
		if (!c)
			break;
	}
	if (!rc && (stat(path, &st) < 0 || !S_ISDIR(st.st_mode)))
		rc = error_set(err, ERROR_ENVIRONMENT,
			       "%s exists and is not a directory", path);
	free(copy);
	return rc;
}
