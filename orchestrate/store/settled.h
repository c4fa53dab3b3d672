#ifndef STORE_SETTLED_H
#define STORE_SETTLED_H

#include <stddef.h>
#include <stdint.h>

#include "stats/frame.h"

struct db;
struct error;

/*
 * The runs of one benchmark that count, each with its newest settling
 * attempt, ordered by treatment key, replicate and host: not by when or in
 * which order they were recorded.
 */
struct settled {
	struct frame_run *runs;
	size_t n;
	char **keys;        /* treatment keys in use, in byte order */
	size_t n_keys;
	char **hosts;       /* hosts in use, in byte order */
	size_t n_hosts;
	int64_t first;      /* the lowest attempt id */
	uint32_t *by_attempt; /* attempt - first to run + 1; 0 = not here */
	size_t n_attempts;
};

#define SETTLED_INIT { .runs = NULL }

int settled_read(struct settled *s, struct db *db, int64_t campaign,
		 const char *benchmark, struct error *err);
void settled_release(struct settled *s);

/* The run this attempt settled, or -1. */
int64_t settled_find(const struct settled *s, int64_t attempt);

#endif
