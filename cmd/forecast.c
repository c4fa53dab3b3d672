#include "cmd/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/tally.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/treatment_def.h"

/* The mean duration of what is recorded, by benchmark. */
struct durations {
	double *sum;
	size_t *n;
};

/* Where each host stands in its sequence of runs. */
struct lane {
	ptrdiff_t treatment; /* in effect; -1: none yet */
	double seconds;
};

static void learn(struct durations *d, const struct schedule *s,
		  const struct tally *t)
{
	const struct experiment *e = s->experiment;

	for (size_t i = 0; i < t->n_rows; i++) {
		const struct run_status_row *row = &t->rows[i];

		if (!tally_is_settled(row) || isnan(row->duration))
			continue;
		for (size_t b = 0; b < e->n_benchmarks; b++) {
			if (strcmp(e->benchmarks[b].name, row->benchmark) != 0)
				continue;
			d->sum[b] += row->duration;
			d->n[b]++;
		}
	}
}

/*
 * Factors form a stack: the first one that differs and all above it are
 * applied anew.
 */
static void change(struct forecast *f, struct lane *lane,
		   const struct schedule *s, size_t treatment)
{
	const struct experiment *e = s->experiment;
	bool differs = lane->treatment < 0;

	for (size_t i = 0; i < e->n_factors; i++) {
		if (!differs &&
		    design_level(s->design, treatment, i) !=
			    design_level(s->design, (size_t)lane->treatment, i))
			differs = true;
		if (differs && e->uses[i].def) {
			f->n_changes++;
			lane->seconds += e->uses[i].def->cost;
		}
	}
	lane->treatment = (ptrdiff_t)treatment;
}

static bool same_resource(const struct host *a, const struct host *b)
{
	return a->shares && b->shares && !strcmp(a->shares, b->shares);
}

/* The longest of the lanes, those that share a resource end to end. */
static double wall_time(const struct experiment *e, const struct lane *lanes)
{
	double longest = 0;

	for (size_t h = 0; h < e->n_hosts; h++) {
		double sum = lanes[h].seconds;

		for (size_t o = 0; o < e->n_hosts; o++)
			if (o != h && same_resource(&e->hosts[h], &e->hosts[o]))
				sum += lanes[o].seconds;
		longest = fmax(longest, sum);
	}
	return longest;
}

static void walk(struct forecast *f, const struct schedule *s,
		 const struct tally *t, const struct durations *d,
		 struct lane *lanes)
{
	struct buf key = BUF_INIT;

	for (size_t i = 0; i < s->n_runs; i++) {
		const struct run *run = &s->runs[i];
		struct lane *lane = &lanes[run->host];

		buf_clear(&key);
		schedule_run_key(s, i, &key);
		if (tally_is_settled(tally_row(t, key.data)))
			continue;
		change(f, lane, s, run->treatment);
		if (d->n[run->benchmark])
			lane->seconds += d->sum[run->benchmark] /
					 (double)d->n[run->benchmark];
		else
			f->n_guessed++;
	}
	buf_release(&key);
}

void forecast_make(struct forecast *f, const struct schedule *s,
		   const struct tally *t)
{
	const struct experiment *e = s->experiment;
	struct durations d = {
		.sum = mem_zalloc(e->n_benchmarks + 1, sizeof(double)),
		.n = mem_zalloc(e->n_benchmarks + 1, sizeof(size_t)),
	};
	struct lane *lanes = mem_zalloc(e->n_hosts + 1, sizeof(*lanes));

	*f = (struct forecast){ .n_changes = 0 };
	for (size_t h = 0; h < e->n_hosts; h++)
		lanes[h].treatment = -1;
	learn(&d, s, t);
	walk(f, s, t, &d, lanes);
	for (size_t b = 0; b < e->n_benchmarks; b++)
		f->n_known += d.n[b];
	f->seconds = wall_time(e, lanes);
	free(lanes);
	free(d.sum);
	free(d.n);
}
