#ifndef STORE_STORE_PRIVATE_H
#define STORE_STORE_PRIVATE_H

#include <sys/types.h>

#include "orchestrate/store/db.h"
#include "orchestrate/store/lock.h"
#include "orchestrate/store/store.h"

/* For the files of this folder only. */
struct store {
	struct db db;
	struct lock lock; /* held in STORE_WRITE */
	dev_t dev;        /* the file that is written, then */
	ino_t ino;
};

/* A file that was removed or replaced takes all that is written without a
 * complaint, and keeps nothing. */
int store_check_place(const struct store *s, struct error *err);

#endif
