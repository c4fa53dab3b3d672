#ifndef STORE_ATTEMPT_H
#define STORE_ATTEMPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/frame.h"

struct error;
struct store;

enum outcome {
	OUTCOME_OK = 0,
	OUTCOME_FAILED,   /* exit status, signal, or no number in the output */
	OUTCOME_TIMEOUT,  /* censored */
	OUTCOME_INVALID,  /* verify failed before or after */
	OUTCOME_LOST,     /* host gone, or the remote runner was killed */
	OUTCOME_STOPPED,  /* by the user: tried again by the next run */
};
const char *outcome_name(enum outcome o); /* "ok", "failed", ... */

/*
 * Whether an attempt with this outcome settles its run (ok, failed, timeout,
 * invalid do; lost and stopped do not: they are made again on resume).
 */
bool outcome_settles(enum outcome o);

/*
 * Records that an attempt begins, before anything is sent: run by key, host,
 * session. `token` is the name of its directory on the host: unique, so that a later controller finds it
 * (32 hex digits, filled in here).
 * Fails, as store_attempt_end() does, when the store's file is not the one
 * that was opened any more.
 */
int store_attempt_begin(struct store *s, int64_t campaign, int64_t session,
			const char *run_key, const char *host,
			char token[33], int64_t *id, struct error *err);

/* One stream of the command. */
struct output {
	const char *head;   /* the first bytes */
	size_t n_head;
	const char *tail;   /* the last bytes, when some between were dropped */
	size_t n_tail;
	bool truncated;     /* bytes between head and tail were dropped */
};

struct observation {
	const char *response;
	double value;
	const char *uom;
	enum better better;
};

struct attempt_end {
	enum outcome outcome;
	const char *reason;   /* one line; NULL for ok */
	int exit_status;      /* -1 when none */
	int64_t started;      /* host's wall clock, ns; 0 unknown */
	double duration;      /* s, host's monotonic clock; NaN unknown */
	struct output out, err;
	const struct observation *observations;
	size_t n_observations;
};

/* Records everything of a finished attempt in one transaction. */
int store_attempt_end(struct store *s, int64_t attempt,
		      const struct attempt_end *end, struct error *err);

/*
 * Evidence: what a treatment's `show` (or a failed step's output) printed.
 * phase is "apply", "verify-before", "verify-after", "revert". `factor` may be
 * NULL (the run's script itself: phase "script").
 */
int store_evidence(struct store *s, int64_t attempt, const char *host,
		   const char *factor, const char *level, const char *phase,
		   int exit_status, const char *text, size_t n,
		   struct error *err);

/* A host's facts, once a session. */
int store_host_fact(struct store *s, int64_t session, const char *host,
		    const char *key, const char *value, struct error *err);

/* Attempts that began and never ended (their controller died), of all
 * campaigns when `campaign` is 0. */
struct open_attempt {
	int64_t id;
	int64_t campaign;
	char *uuid;           /* the campaign's */
	char *run_key;
	char *host;
	char token[33];
};
int store_attempts_open(struct store *s, int64_t campaign,
			struct open_attempt **out, size_t *n,
			struct error *err);
void open_attempts_free(struct open_attempt *a, size_t n);

#endif
