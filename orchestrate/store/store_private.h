#ifndef STORE_STORE_PRIVATE_H
#define STORE_STORE_PRIVATE_H

#include "orchestrate/store/db.h"
#include "orchestrate/store/lock.h"
#include "orchestrate/store/store.h"

/* For the files of this folder only. */
struct store {
	struct db db;
	struct lock lock; /* held in STORE_WRITE */
};

#endif
