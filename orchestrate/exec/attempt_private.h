#ifndef EXEC_ATTEMPT_PRIVATE_H
#define EXEC_ATTEMPT_PRIVATE_H

/* For attempt.c, which talks to the host, and attempt_record.c, which makes
 * what came of it durable. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "orchestrate/exec/attempt.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/planned.h"
#include "orchestrate/exec/result.h"

struct benchmark;
struct timer;

#define ATTEMPT_NO_RUN ((size_t)-1)

enum attempt_state {
	PREPARING,  /* settings */
	STARTING,   /* script sent */
	MEASURING,  /* "go" said */
	VERIFYING,  /* result here, settings looked at again */
	CLOSING,    /* recorded (or not), the channel ends */
};

struct attempt {
	struct attempt_options o;
	size_t run;
	struct planned planned; /* unless ATTEMPT_NO_RUN */
	char token[33];
	int64_t id;
	enum attempt_state state;
	bool collecting;
	bool adopted;       /* the settings in force are known to be the run's */
	bool stop;
	bool channel_over;
	struct buf script;
	struct job job;
	struct result result;
	struct timer *finishing;
	struct timer *silence;
	struct attempt_report report;
	struct buf reason;
	struct error err;
};

const struct benchmark *attempt_benchmark(const struct attempt *a);
/* Answers, from the loop. */
void attempt_finish(struct attempt *a, enum attempt_verdict verdict);

/* Ends an attempt for which there is no result on the host. */
void attempt_end_without(struct attempt *a, enum outcome outcome,
			 const char *reason);
/* The host can make no run: recorded, and nothing more is tried there. */
void attempt_end_broken(struct attempt *a, enum outcome outcome,
			const struct error *err);
/* The result is here: verifies, judges, records, lets the host forget. */
void attempt_take_result(struct attempt *a);
/* The host sent something else. */
void attempt_refuse_result(struct attempt *a);

#endif
