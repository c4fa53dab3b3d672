#include "orchestrate/schedule/cost.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/treatment_def.h"

#define NO_RUN_YET SIZE_MAX

/* Where each host is in its runs. */
struct trail {
	size_t *treatment; /* of the host's last run, or NO_RUN_YET */
	double *seconds;
};

static bool in_stack(const struct experiment *e, size_t factor)
{
	return e->uses[factor].treatment.def;
}

/* The lowest factor of the stack that differs; n_factors when none does. */
static size_t lowest_change(const struct schedule *s, size_t from, size_t to)
{
	const struct design *d = s->design;

	for (size_t f = 0; f < d->n_factors; f++)
		if (in_stack(s->experiment, f) &&
		    (from == NO_RUN_YET ||
		     design_level(d, from, f) != design_level(d, to, f)))
			return f;
	return d->n_factors;
}

static void add_run(struct cost *c, struct trail *t, const struct schedule *s,
		    const struct run *run, const double *run_seconds)
{
	const struct experiment *e = s->experiment;
	size_t last = t->treatment[run->host];
	double seconds = run_seconds[run->benchmark];

	for (size_t f = lowest_change(s, last, run->treatment);
	     f < c->n_factors; f++) {
		if (!in_stack(e, f))
			continue;
		seconds += e->uses[f].treatment.def->cost;
		if (last != NO_RUN_YET)
			c->changes[f]++;
	}
	t->treatment[run->host] = run->treatment;
	t->seconds[run->host] += seconds;
}

static bool take_turns(const struct host *a, const struct host *b)
{
	return a->shares && b->shares && !strcmp(a->shares, b->shares);
}

/* The time of the host and of all later ones that take turns with it. */
static double time_of_group(const struct experiment *e, const struct trail *t,
			    size_t host)
{
	double seconds = t->seconds[host];

	for (size_t h = host + 1; h < e->n_hosts; h++)
		if (take_turns(&e->hosts[host], &e->hosts[h]))
			seconds += t->seconds[h];
	return seconds;
}

static void add_up(struct cost *c, const struct experiment *e,
		   const struct trail *t)
{
	for (size_t h = 0; h < e->n_hosts; h++) {
		double group = time_of_group(e, t, h);

		c->n_hosts += t->treatment[h] != NO_RUN_YET;
		c->seconds += t->seconds[h];
		if (group > c->longest)
			c->longest = group;
	}
}

void cost_of_runs(struct cost *c, const struct schedule *s,
		  const size_t *runs, size_t n, const double *run_seconds)
{
	const struct experiment *e = s->experiment;
	struct trail t;

	*c = (struct cost){ .n_factors = s->design->n_factors };
	c->changes = mem_zalloc(c->n_factors, sizeof(*c->changes));
	t.treatment = mem_realloc(NULL, e->n_hosts, sizeof(*t.treatment));
	t.seconds = mem_zalloc(e->n_hosts, sizeof(*t.seconds));
	for (size_t h = 0; h < e->n_hosts; h++)
		t.treatment[h] = NO_RUN_YET;
	if (!runs)
		n = s->n_runs;
	for (size_t i = 0; i < n; i++)
		add_run(c, &t, s, &s->runs[runs ? runs[i] : i], run_seconds);
	add_up(c, e, &t);
	free(t.treatment);
	free(t.seconds);
}

void cost_release(struct cost *c)
{
	free(c->changes);
	memset(c, 0, sizeof(*c));
}
