#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

/*
 * One SQLite file per experiment (WAL), append-only: triggers refuse UPDATE
 * and DELETE on recorded rows. Every function that writes commits before it returns
 * (synchronous=FULL); a failed write leaves the store as it was. Errors are ERROR_ENVIRONMENT: disk
 * full says so and names the file system; a file that is no store, or from a newer assay, or locked
 * by another `assay run`, says what to do.
 */
struct store;

enum store_mode {
	STORE_READ,   /* must exist */
	STORE_WRITE,  /* made when missing; one writer at a time (a lock file
	               * or an exclusive lock held until close) */
};

int store_open(struct store **out, const char *path, enum store_mode mode,
	       struct error *err);
void store_close(struct store *s); /* NULL-safe */
const char *store_path(const struct store *s);

#endif
