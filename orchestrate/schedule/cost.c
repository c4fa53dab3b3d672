#include "orchestrate/schedule/cost.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/schedule/changes.h"
#include "orchestrate/schedule/partners.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/schedule/together.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/treatment_def.h"

/* On the way through the runs. */
struct walk {
	const struct schedule *s;
	const struct cost_times *times;
	struct cost *cost;
	struct changes changes;
	struct together together;
	struct partners partners;
	double *seconds;      /* per host */
	bool *has_runs;
};

static bool any_reboots(const struct experiment *e, size_t layer)
{
	const struct layer *l = &e->layers[layer];

	if (l->kind == LAYER_SETUP)
		return e->setups[l->index].treatment.def->reboot;
	for (size_t i = 0; i < e->factors[l->index].n_levels; i++) {
		const struct treatment_use *u = factor_treatment(e, l->index,
								 i);

		if (u && u->def->reboot)
			return true;
	}
	return false;
}

static void init(struct walk *w, struct cost *c, const struct schedule *s,
		 const struct cost_times *times)
{
	const struct experiment *e = s->experiment;

	*c = (struct cost){ .n_layers = e->n_layers };
	c->layers = mem_zalloc(c->n_layers, sizeof(*c->layers));
	for (size_t l = 0; l < c->n_layers; l++) {
		c->layers[l].name = layer_name(e, l);
		c->layers[l].is_reboot = any_reboots(e, l);
	}
	*w = (struct walk){
		.s = s,
		.times = times,
		.cost = c,
		.seconds = mem_zalloc(e->n_hosts, sizeof(*w->seconds)),
		.has_runs = mem_zalloc(e->n_hosts, sizeof(*w->has_runs)),
	};
	changes_init(&w->changes, e, s->design, c->layers, times->layers);
	together_init(&w->together, e);
	partners_init(&w->partners, s, NULL);
}

static void release(struct walk *w)
{
	changes_release(&w->changes);
	together_release(&w->together);
	partners_release(&w->partners);
	free(w->seconds);
	free(w->has_runs);
}

/* NaN when nobody knows. */
static double time_of_run(const struct walk *w, size_t benchmark)
{
	const struct benchmark *b = &w->s->experiment->benchmarks[benchmark];
	const struct cost_times *t = w->times;

	if (t->runs && !isnan(t->runs[benchmark]))
		return t->runs[benchmark];
	if (t->executions)
		return t->executions[benchmark] *
		       (b->warmup + (b->repeats ? b->repeats : 1));
	return NAN;
}

/* The settings of the run, on its hosts. */
static double set(struct walk *w, size_t i)
{
	const struct run *run = &w->s->runs[i];
	struct partners *p = &w->partners;
	double seconds = 0;

	if (!partners_find(p, i))
		return changes_apply(&w->changes, run->host, run->treatment,
				     NULL);
	for (size_t k = 0; k < p->n_hosts; k++) {
		together_join(&w->together, run->host, p->hosts[k]);
		if (partners_layers(p, k))
			seconds += changes_apply(&w->changes, p->hosts[k],
						 run->treatment, p->wanted);
	}
	return seconds;
}

static void add_run(struct walk *w, size_t i)
{
	const struct run *run = &w->s->runs[i];
	double seconds = time_of_run(w, run->benchmark);

	w->cost->n_runs++;
	w->has_runs[run->host] = true;
	if (isnan(seconds)) {
		w->cost->n_untimed++;
		seconds = 0;
	}
	w->seconds[run->host] += seconds + set(w, i);
}

static void add_up(struct walk *w)
{
	size_t n = w->s->experiment->n_hosts;
	double *group = mem_zalloc(n, sizeof(*group));
	struct cost *c = w->cost;

	for (size_t h = 0; h < n; h++) {
		double *sum = &group[together_group(&w->together, h)];

		w->seconds[h] += changes_revert(&w->changes, h);
		c->n_hosts += w->has_runs[h];
		c->seconds += w->seconds[h];
		*sum += w->seconds[h];
		if (*sum > c->longest)
			c->longest = *sum;
	}
	for (size_t l = 0; l < c->n_layers; l++) {
		c->applied += c->layers[l].applied;
		c->reverted += c->layers[l].reverted;
		c->reboots += c->layers[l].reboots;
	}
	free(group);
}

/* Returns how many optional runs there were. */
static size_t walk(struct cost *c, const struct schedule *s,
		   const size_t *runs, size_t n, const struct cost_times *times,
		   bool with_optional)
{
	size_t n_optional = 0;
	struct walk w;

	init(&w, c, s, times);
	for (size_t k = 0; k < n; k++) {
		size_t i = runs ? runs[k] : k;

		n_optional += s->runs[i].optional;
		if (with_optional || !s->runs[i].optional)
			add_run(&w, i);
	}
	add_up(&w);
	release(&w);
	return n_optional;
}

void cost_of_runs(struct cost *c, const struct schedule *s,
		  const size_t *runs, size_t n, const struct cost_times *times)
{
	struct cost most;

	if (!runs)
		n = s->n_runs;
	if (walk(c, s, runs, n, times, false)) {
		walk(&most, s, runs, n, times, true);
		c->n_runs_most = most.n_runs;
		c->longest_most = most.longest;
		cost_release(&most);
		return;
	}
	c->n_runs_most = c->n_runs;
	c->longest_most = c->longest;
}

void cost_release(struct cost *c)
{
	free(c->layers);
	memset(c, 0, sizeof(*c));
}
