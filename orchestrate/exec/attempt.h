#ifndef EXEC_ATTEMPT_H
#define EXEC_ATTEMPT_H

#include <stddef.h>
#include <stdint.h>

#include "orchestrate/store/store_attempt.h"

struct error;
struct executor;
struct experiment;
struct extractor;
struct saved_state;
struct schedule;
struct stack;
struct store;

/* One try at a run, from the first transition of a setting to the durable
 * record; or the collection of one that an earlier controller began. */
struct attempt;

enum attempt_verdict {
	ATTEMPT_ENDED,  /* recorded, with an outcome */
	ATTEMPT_BROKEN, /* recorded, but the host must not be used further: a
	                 * setting could not be put back, or it can start no run */
	ATTEMPT_OPEN,   /* the host was lost; what goes on there is collected by
	                 * the next session. Nothing is recorded */
	ATTEMPT_STORE,  /* the store failed; the result stays on the host */
};

/* What came of it; the strings are for the time of the call. */
struct attempt_report {
	enum attempt_verdict verdict;
	enum outcome outcome;
	const char *reason;       /* NULL for ok */
	const struct error *err;  /* unless ENDED: why */
};

struct attempt_options {
	struct executor *executor;
	struct stack *stack;
	struct store *store;
	int64_t campaign;
	const char *place;        /* of this campaign's runs on the host */
	const char *lost;         /* why a collected attempt without a run is
	                           * lost; NULL: its run is gone from the file */
	int64_t session;
	const struct experiment *experiment;
	const struct schedule *schedule;
	/* per benchmark, per response */
	struct extractor *const *const *extractors;
	/* Called once, from the loop; the attempt is gone afterwards. */
	void (*done)(void *ctx, const struct attempt_report *report);
	void *ctx;
};

/* Makes a run (index into the schedule). */
struct attempt *attempt_start(const struct attempt_options *o, size_t run);

/*
 * Collects what is left of `open`, waiting for its end. `run` is its index
 * in the schedule, or (size_t)-1: then it is recorded as lost, for `lost`,
 * and neither stack nor experiment nor schedule is needed. `states`: what is
 * in force on the host by the store, newest first.
 */
struct attempt *attempt_collect(const struct attempt_options *o,
				const struct open_attempt *open, size_t run,
				const struct saved_state *states, size_t n);

/* Ends the command as soon as can be; done() follows. */
void attempt_stop(struct attempt *a);
/* Lets go of the host at once: done() follows, as a rule with ATTEMPT_OPEN. */
void attempt_cancel(struct attempt *a);

#endif
