#ifndef STORE_LOCK_H
#define STORE_LOCK_H

struct error;

/*
 * The right to write a store: a lock on the file "<store>.lock" beside it,
 * which says who holds it. The kernel drops the lock when its holder dies,
 * however it dies; the file that is left then means nothing.
 */
struct lock {
	int fd;      /* -1: not held */
	char *path;
};

#define LOCK_INIT { .fd = -1, .path = NULL }

/* ERROR_ENVIRONMENT when another holds it, saying who. */
int lock_take(struct lock *lock, const char *store_path, struct error *err);
void lock_release(struct lock *lock); /* fine when not held */

#endif
