#ifndef CMD_MEASURE_H
#define CMD_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/opt.h"
#include "cmd/planning.h"
#include "orchestrate/exec/pool.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/store/store_subset.h"
#include "orchestrate/vcs/snapshot.h"

struct error;
struct subject;

/* One invocation of `assay run`, step by step. */
struct measure {
	struct subject *subject;      /* loaded; opened to write here */
	struct snapshot snapshot;
	struct schedule schedule;
	struct subset subset;           /* what it is a part of */
	enum seed_origin seed_origin;
	bool resumes;
	const char *why;              /* it does not */
	size_t n_again;               /* of the missing: they gave no result */
	int64_t session;
	size_t *missing;
	size_t n_missing;
	struct pool_summary summary;
};

/*
 * Opens the store, checks that every value of the missing runs can be
 * computed, ties the files to a commit, goes on with the store's campaign or
 * begins one, and records the plan. Says on standard error what it found. With
 * `retry`, runs that gave no result are among those to make. Returns 2 when a
 * role's `count` is wrong: it is told then, and nothing is recorded.
 */
int measure_prepare(struct measure *m, struct subject *s,
		    const struct opt_integer *seed, bool fresh, bool retry,
		    struct error *err);

/* Makes the missing runs. -1 leaves the summary valid. */
int measure_run(struct measure *m, bool quiet, struct error *err);
void measure_release(struct measure *m);

#endif
