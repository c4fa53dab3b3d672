#ifndef STORE_FAULT_H
#define STORE_FAULT_H

struct db;
struct error;

/*
 * What SQLite's result code means for the user: one line with the file, the
 * cause and the remedy. Returns -1.
 */
int fault_set(const struct db *db, int code, struct error *err);

/* The same for errno of a file beside the store: cannot `what` PATH. */
int fault_errno(const char *path, const char *what, int number,
		struct error *err);

#endif
