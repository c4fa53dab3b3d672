#ifndef FUZZ_CHECK_PLAN_H
#define FUZZ_CHECK_PLAN_H

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/lint.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/binding.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/problem.h"

/* The way from an experiment to its runs: every run has its place, and what a
 * script would see can be computed or is refused. */
#ifndef MUST
#define MUST(condition) assert(condition)
#endif

#define PLAN_MOST 20000

/* Whether its plan is small enough to be made for every input. */
static inline bool plan_is_small(const struct experiment *e)
{
	double sum = 0;

	for (size_t i = 0; i < e->n_matrices; i++) {
		const struct matrix *m = &e->matrices[i];
		double runs = (double)m->replicates_max *
			      (double)e->n_hosts * (double)m->n_benchmarks;

		for (size_t k = 0; k < m->n_factors; k++)
			runs *= (double)e->factors[m->factors[k]].n_levels;
		sum += runs + (double)m->n_list * m->replicates_max;
	}
	return sum < PLAN_MOST;
}

static inline void check_run(const struct schedule *s, size_t i)
{
	const struct experiment *e = s->experiment;
	const struct run *run = &s->runs[i];
	size_t *levels = mem_zalloc(e->n_factors, sizeof(*levels));
	struct binding_run at = { levels, run->host, run->benchmark,
				  run->replicate };
	struct bindings b = BINDINGS_INIT;
	struct buf key = BUF_INIT;
	struct error err;

	MUST(run->treatment < s->design->n_treatments);
	MUST(run->benchmark < e->n_benchmarks && run->host < e->n_hosts);
	MUST(run->matrix < e->n_matrices && run->replicate);
	for (size_t f = 0; f < e->n_factors; f++) {
		levels[f] = design_level(s->design, run->treatment, f);
		MUST(levels[f] == DESIGN_ABSENT ||
		     levels[f] < e->factors[f].n_levels);
	}
	schedule_run_key(s, i, &key);
	MUST(key.n);
	if (bindings_benchmark(&b, e, &at, &err))
		MUST(err.text[0]);
	bindings_release(&b);
	buf_release(&key);
	free(levels);
}

static inline void check_schedule(const struct experiment *e,
			   const struct expansion *x)
{
	struct strlist warnings = STRLIST_INIT;
	struct schedule s = { .n_runs = 0 };
	struct error err;

	if (schedule_plan(&s, e, x, 1, &err)) {
		MUST(err.text[0]);
	} else {
		lint_design(e, x, &s, &warnings);
		for (size_t i = 0; i < s.n_runs && i < 8; i++)
			check_run(&s, i);
	}
	schedule_release(&s);
	strlist_release(&warnings);
}

static inline void check_plan(const struct experiment *e)
{
	struct problems p = PROBLEMS_INIT;
	struct expansion x;

	if (!plan_is_small(e))
		return;
	if (expansion_make(&x, e, &p))
		MUST(p.total);
	else
		check_schedule(e, &x);
	expansion_release(&x);
	problems_release(&p);
}

#endif
