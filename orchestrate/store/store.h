#ifndef STORE_STORE_H
#define STORE_STORE_H

struct error;

/*
 * One SQLite file per experiment (WAL), append-only: triggers refuse UPDATE
 * and DELETE on what is recorded. Every function that writes commits before
 * it returns (synchronous=FULL); a failed write leaves the store as it was,
 * and may be repeated when its cause is gone. Errors are ERROR_ENVIRONMENT: a
 * full disk is named, a file that is no store, is damaged, or is from a newer
 * assay, or in use by another `assay run`, says what to do.
 */
struct store;

enum store_mode {
	STORE_READ,   /* ERROR_USAGE when there is none yet; never waits for
	               * a writer, and works on media that are read-only. Sees
	               * the state at opening until it is closed: numbers and
	               * their digest belong together */
	STORE_WRITE,  /* made when missing, with its directory; one writer at
	               * a time, by a lock that its death lets go */
};

int store_open(struct store **out, const char *path, enum store_mode mode,
	       struct error *err);
void store_close(struct store *s); /* NULL-safe */
const char *store_path(const struct store *s);

#endif
