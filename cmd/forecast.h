#ifndef CMD_FORECAST_H
#define CMD_FORECAST_H

#include <stddef.h>

#include "orchestrate/schedule/cost.h"

struct buf;
struct error;
struct json;
struct schedule;
struct subject;
struct tally;

/* Where the time of something comes from. */
enum forecast_source {
	FORECAST_UNKNOWN,
	FORECAST_DECLARED,
	FORECAST_MEASURED,
};

/*
 * What the missing runs will take: the mean duration of each benchmark's
 * recorded runs, and for each change what it took in the campaign (median of
 * putting back and of putting into effect), or else what its definition
 * declares.
 */
struct forecast {
	struct cost cost;     /* of the missing runs */
	enum forecast_source *layers; /* of the times of changes */
	size_t n_known;       /* recorded runs behind the estimate; 0: none */
	size_t n_guessed;     /* missing runs of benchmarks never seen: their
	                       * time is not in it */
};

int forecast_make(struct forecast *f, const struct subject *s,
		  const struct schedule *schedule, const struct tally *t,
		  struct error *err);
void forecast_release(struct forecast *f);

/* "384 runs, 12 reboots, 3 changes of array, about 9 h 40 min" */
void forecast_cost(struct buf *out, const struct forecast *f);
/* Where the time comes from, and what is not in it. */
void forecast_sources(struct buf *out, const struct forecast *f);
/* To milliseconds: what sums leave beyond means nothing. */
double forecast_rounded(double seconds);
/* The value of "cost". */
void forecast_json(struct json *j, const struct forecast *f);

#endif
