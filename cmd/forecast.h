#ifndef CMD_FORECAST_H
#define CMD_FORECAST_H

#include <stddef.h>

struct schedule;
struct tally;

struct forecast {
	size_t n_changes;   /* settings applied, over all hosts */
	size_t n_known;     /* recorded runs behind the estimate; 0: none */
	double seconds;     /* until the missing runs are made */
	size_t n_guessed;   /* missing runs of benchmarks never seen: not in it */
};

/*
 * What the missing runs will take: the mean duration of each benchmark's
 * recorded runs, and the definitions' cost of each change.
 */
void forecast_make(struct forecast *f, const struct schedule *s,
		   const struct tally *t);

#endif
