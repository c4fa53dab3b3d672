#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct error;

/* Joins with one '/'; an absolute `name` wins. Caller frees. */
char *path_join(const char *dir, const char *name);
char *path_dir(const char *path);        /* "." when there is none; caller frees */
const char *path_base(const char *path); /* after the last '/' */
bool path_exists(const char *path);

/*
 * Reads a whole regular file of at most `max` bytes into `out` (cleared
 * first). ERROR_USAGE when it is missing, no file, or too large.
 */
int path_read(const char *path, size_t max, struct buf *out,
	      struct error *err);

/* Writes through a temporary name beside it and rename(); mode 0644. */
int path_write(const char *path, const void *data, size_t n,
	       struct error *err);

/* Makes the directory and its parents; one that exists is fine. */
int path_make_dirs(const char *path, struct error *err);

#endif
