#ifndef STATS_FRAME_H
#define STATS_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum better {
	BETTER_UNSAID = 0,
	BETTER_HIGHER,
	BETTER_LOWER,
};

enum run_status {
	RUN_OK = 0,
	RUN_FAILED,   /* the command failed, or gave no number */
	RUN_CENSORED, /* timed out: known to be worse than the limit */
	RUN_INVALID,  /* a setting was not, or no longer, in effect */
};

/*
 * Long format: the observations of one response under one benchmark, with
 * their runs. The run is the unit of analysis, so it is never lost here.
 */
struct frame_run {
	uint32_t treatment; /* index into keys */
	uint32_t replicate; /* 1 .. */
	uint32_t host;      /* index into hosts */
	uint32_t sequence;  /* order in which the runs were made, 1 .. */
	enum run_status status;
	int64_t attempt;    /* the store's id */
};

struct frame {
	char *benchmark;
	char *response;
	char *uom;           /* "" when none */
	enum better better;
	char **keys;         /* distinct treatment keys */
	size_t n_keys;
	char **hosts;        /* distinct host names */
	size_t n_hosts;
	struct frame_run *runs; /* every run with an outcome, whatever it is */
	size_t n_runs;
	uint32_t *run_of;    /* observation -> index into runs, ascending */
	double *value;
	size_t n_values;
};

void frame_release(struct frame *f);

#endif
