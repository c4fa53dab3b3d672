#include "cmd/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/tally.h"
#include "orchestrate/schedule/cost.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"

/* The mean duration of the benchmark's recorded runs; 0 without any. */
static double mean_duration(const struct tally *t, const char *benchmark,
			    size_t *n)
{
	double sum = 0;

	*n = 0;
	for (size_t i = 0; i < t->n_rows; i++) {
		const struct run_status_row *row = &t->rows[i];

		if (!tally_is_settled(row) || isnan(row->duration) ||
		    strcmp(row->benchmark, benchmark) != 0)
			continue;
		sum += row->duration;
		++*n;
	}
	return *n ? sum / (double)*n : 0;
}

static size_t find_missing(const struct schedule *s, const struct tally *t,
			   size_t *missing)
{
	struct buf key = BUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < s->n_runs; i++) {
		buf_clear(&key);
		schedule_run_key(s, i, &key);
		if (!tally_is_settled(tally_row(t, key.data)))
			missing[n++] = i;
	}
	buf_release(&key);
	return n;
}

void forecast_make(struct forecast *f, const struct schedule *s,
		   const struct tally *t)
{
	const struct experiment *e = s->experiment;
	double *seconds = mem_zalloc(e->n_benchmarks + 1, sizeof(double));
	size_t *missing = mem_zalloc(s->n_runs + 1, sizeof(size_t));
	size_t n = find_missing(s, t, missing);
	const struct cost_times times = { .runs = seconds };
	struct cost cost;

	*f = (struct forecast){ .n_changes = 0 };
	for (size_t b = 0; b < e->n_benchmarks; b++) {
		size_t known;

		seconds[b] = mean_duration(t, e->benchmarks[b].name, &known);
		f->n_known += known;
		if (!known)
			f->n_guessed += t->benchmarks[b].missing;
	}
	cost_of_runs(&cost, s, missing, n, &times);
	f->n_changes = cost.applied;
	f->seconds = cost.longest;
	cost_release(&cost);
	free(missing);
	free(seconds);
}
