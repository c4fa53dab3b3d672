#include "cmd/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/subject.h"
#include "cmd/tally.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/treatment_def.h"
#include "orchestrate/store/store_changes.h"

/* The mean duration of the benchmark's recorded runs; NaN without any. What is
 * recorded is the time of all measured executions. */
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
	return *n ? sum / (double)*n : NAN;
}

static double *find_executions(struct forecast *f, const struct experiment *e,
			       const struct tally *t)
{
	double *seconds = mem_zalloc(e->n_benchmarks + 1, sizeof(double));

	for (size_t b = 0; b < e->n_benchmarks; b++) {
		const struct benchmark *bench = &e->benchmarks[b];
		size_t known;

		seconds[b] = mean_duration(t, bench->name, &known) /
			     (bench->repeats ? bench->repeats : 1);
		f->n_known += known;
		if (!known)
			f->n_guessed += t->benchmarks[b].missing;
	}
	return seconds;
}

/* Of any level: a family may declare it for some only. */
static bool declares_cost(const struct experiment *e, size_t layer)
{
	const struct layer *l = &e->layers[layer];
	const struct treatment_def *def;

	if (l->kind == LAYER_SETUP) {
		def = e->setups[l->index].treatment.def;
		return def && def->cost > 0;
	}
	for (size_t i = 0; i < e->factors[l->index].n_levels; i++) {
		const struct treatment_use *use =
			factor_treatment(e, l->index, i);

		if (use && use->def->cost > 0)
			return true;
	}
	return false;
}

static int find_changes(struct forecast *f, double *seconds,
			const struct subject *s, struct error *err)
{
	const struct experiment *e = &s->experiment;
	struct change_time *times = NULL;
	size_t n = 0;

	if (s->has_campaign &&
	    store_change_times(s->store, s->campaign.id, &times, &n, err))
		return -1;
	for (size_t l = 0; l < e->n_layers; l++) {
		seconds[l] = NAN;
		f->layers[l] = declares_cost(e, l) ? FORECAST_DECLARED
						   : FORECAST_UNKNOWN;
		for (size_t i = 0; i < n; i++) {
			if (strcmp(times[i].factor, layer_name(e, l)) != 0)
				continue;
			seconds[l] = times[i].apply + times[i].revert;
			f->layers[l] = FORECAST_MEASURED;
		}
	}
	change_times_free(times, n);
	return 0;
}

static size_t find_missing(const struct schedule *s, const struct tally *t,
			   size_t *missing)
{
	struct buf key = BUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < s->n_runs; i++) {
		if (t->n_rows) {
			buf_clear(&key);
			schedule_run_key(s, i, &key);
		}
		if (!t->n_rows || !tally_is_settled(tally_row(t, key.data)))
			missing[n++] = i;
	}
	buf_release(&key);
	return n;
}

int forecast_make(struct forecast *f, const struct subject *s,
		  const struct schedule *schedule, const struct tally *t,
		  struct error *err)
{
	const struct experiment *e = &s->experiment;
	size_t *missing = mem_zalloc(schedule->n_runs + 1, sizeof(size_t));
	double *changes = mem_zalloc(e->n_layers + 1, sizeof(double));
	double *executions;
	size_t n = find_missing(schedule, t, missing);
	int rc;

	*f = (struct forecast){
		.layers = mem_zalloc(e->n_layers + 1, sizeof(*f->layers)),
	};
	executions = find_executions(f, e, t);
	rc = find_changes(f, changes, s, err);
	if (!rc) {
		struct cost_times times = { .layers = changes,
					    .executions = executions };

		cost_of_runs(&f->cost, schedule, missing, n, &times);
	}
	free(executions);
	free(changes);
	free(missing);
	return rc;
}

void forecast_release(struct forecast *f)
{
	cost_release(&f->cost);
	free(f->layers);
	f->layers = NULL;
}
