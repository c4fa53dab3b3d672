#ifndef EXEC_RESULT_H
#define EXEC_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How far the host's side of a run (script.h) has come. */
enum result_stage {
	RESULT_NOTHING,  /* no line for us yet */
	RESULT_READY,    /* waits for "go" */
	RESULT_PARTIAL,  /* has begun to send */
	RESULT_COMPLETE, /* all there, waits for "forget" */
	RESULT_NONE,     /* no such run on this host */
	RESULT_BROKEN,   /* sent, but not as agreed */
};

/* Bytes within the text that was parsed. */
struct slice {
	const char *data;
	size_t n;
};

struct result {
	bool ended;         /* false: the runner was killed; only the streams
	                     * and `trouble` count then */
	int exit_status;
	bool timed_out;
	bool stopped;
	int64_t started;    /* host's wall clock, ns; 0 = unknown */
	double duration;    /* s, of the measured executions together; NaN =
	                     * unknown */
	double user, system; /* s of CPU of the command, in warm-ups too; NaN =
	                      * unknown */
	/* of several executions: the last one, counted from 1, by which all of
	 * the above ended; 0: there was only one */
	unsigned execution;
	bool in_warmup;
	struct slice out_head, out_tail, err_head, err_tail;
	bool out_truncated, err_truncated;
	struct slice kept;  /* a controller that could not record it said this:
	                     * "ok", or how a setting had drifted */
	struct slice trouble; /* what the runner itself complained about */
	const char *token;  /* borrowed, 32 hex digits */
};

/*
 * Looks at all that the channel has said so far. Any text may stand in front (a
 * login shell's greeting); the token tells ours. `r` is filled in when the
 * stage is RESULT_COMPLETE.
 */
enum result_stage result_parse(struct result *r, const char *data, size_t n,
			       const char *token);

/* What one of several executions said. */
struct execution {
	bool warmup;
	unsigned number;    /* 1, 2, ... */
	struct slice text;
};

/*
 * Cuts the next execution's part off the front of a stream (`rest` starts as
 * out_head, say). False when there is no more; what stands in front of the
 * first part is dropped.
 */
bool result_next_execution(const struct result *r, struct slice *rest,
			   struct execution *part);

#endif
