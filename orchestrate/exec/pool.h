#ifndef EXEC_POOL_H
#define EXEC_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchestrate/store/store_attempt.h"

struct error;
struct experiment;
struct schedule;
struct store;

/* What happens, as it happens; for the progress display. Borrowed strings. */
enum pool_event_kind {
	POOL_CONNECTED,   /* host */
	POOL_RESTORED,    /* host, text: a setting an earlier campaign left was put back */
	POOL_COLLECTED,   /* host, run: an attempt of a dead controller was collected */
	POOL_RUN_START,   /* host, run */
	POOL_RUN_END,     /* host, run, outcome, text = reason or NULL */
	POOL_STOPPING,    /* text: what Ctrl-C does now */
	POOL_WARNING,     /* host (may be NULL), text */
};

struct pool_event {
	enum pool_event_kind kind;
	const char *host;
	const char *run_key;
	enum outcome outcome;
	const char *text;
	size_t done, total;  /* runs ended (any outcome) and to make */
};

struct pool_options {
	struct store *store;
	int64_t campaign;
	int64_t session;
	const struct experiment *experiment;
	const struct schedule *schedule;
	const size_t *runs;     /* indexes into the schedule, in order */
	size_t n_runs;
	void (*on_event)(void *ctx, const struct pool_event *event);
	void *ctx;
};

struct pool_summary {
	size_t by_outcome[6];   /* enum outcome */
	size_t left;            /* not made (stopped, or host gone) */
	bool interrupted;
	size_t unrestored;      /* settings that could not be put back */
};

/*
 * Makes the runs: connects every host that has any, puts back what an
 * earlier controller left, collects its unfinished attempts, then takes each
 * host through its runs in order, never two at once on a host or on hosts
 * that share a resource. Ctrl-C once finishes the running commands, twice
 * stops them; both revert. On return every reachable host is as it was
 * found. Returns 0 when it could work through (failed runs are in the
 * summary), -1 when a host could not be reached or the store failed (the
 * others' runs are still made when it was a host).
 */
int pool_run(const struct pool_options *o, struct pool_summary *out,
	     struct error *err);

/* `assay restore`: stops what a dead controller's runs still do there, removes
 * the directories they left, and puts back what the store says is pending on
 * the host (NULL = all). */
int pool_restore(struct store *store, const struct experiment *e,
		 const char *host,
		 void (*on_event)(void *ctx, const struct pool_event *event),
		 void *ctx, size_t *n_restored, struct error *err);

#endif
