#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

#include <stddef.h>

struct db;
struct error;

/*
 * The store's format is the number of steps made (PRAGMA user_version); its
 * kind is PRAGMA application_id, "assy". A step, once released, never
 * changes: a new format appends one.
 */
#define SCHEMA_APPLICATION_ID 0x61737379

struct schema_step {
	const char *sql;
	const char *const *append_only; /* tables that get triggers against
	                                 * change; NULL-ended, or NULL */
};

extern const struct schema_step schema_steps[];
extern const size_t schema_n_steps;

/*
 * What the file is: 0 a store (its format in *format), 1 empty, -1 damaged,
 * something else, or made by a newer assay that knows more than `n_steps`.
 */
int schema_identify(struct db *db, size_t n_steps, size_t *format,
		    struct error *err);

/* Makes the steps that are missing, each in a transaction of its own. */
int schema_migrate(struct db *db, const struct schema_step *steps,
		   size_t n_steps, struct error *err);

#endif
