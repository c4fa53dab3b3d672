#include "orchestrate/schedule/schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/rounds.h"
#include "orchestrate/schedule/made.h"
#include "orchestrate/schedule/plots.h"
#include "orchestrate/schedule/role_choice.h"
#include "orchestrate/spec/experiment.h"
#include "stats/random.h"

_Static_assert(sizeof(struct run) == 24, "a plan may have millions of runs");

/* One matrix being planned. */
struct planner {
	struct schedule *s;
	struct rounds *rounds;
	const struct made *made; /* of its items; NULL: nothing is shared */
	size_t n_treatments;
	size_t n_items;
};

/* What run's fields have room for. */
static int check_numbers(const struct experiment *e, const struct expansion *x,
			 struct error *err)
{
	if (!e->n_benchmarks)
		return error_set(err, ERROR_USAGE,
				 "there is nothing to run: no benchmark is "
				 "declared");
	if (e->n_benchmarks > UINT16_MAX || e->n_matrices > UINT16_MAX ||
	    e->n_hosts > UINT16_MAX)
		return error_set(err, ERROR_USAGE,
				 "%zu benchmarks, %zu matrices and %zu hosts: "
				 "at most %d of each are possible",
				 e->n_benchmarks, e->n_matrices, e->n_hosts,
				 UINT16_MAX);
	/* it could not be expanded */
	if (x->n_shares != e->n_matrices)
		return error_set(err, ERROR_USAGE,
				 "there is nothing to run: the design has no "
				 "treatment");
	return 0;
}

/* Every treatment must have a role: a factor that the role depends on may be
 * absent. */
static int check_roles(const struct schedule *s, size_t matrix,
		       size_t benchmark, struct error *err)
{
	const struct experiment *e = s->experiment;
	const struct role_choice *c = &s->choices[benchmark];
	size_t n = s->expansion->shares[matrix].n_treatments;

	for (size_t i = 0; c->n > 1 && i < n; i++) {
		size_t t = expansion_treatment(s->expansion, matrix, i);

		if (role_choose(c, s->design, t) == ROLE_NONE)
			return error_set(err, ERROR_USAGE,
					 "benchmark '%s': its role depends on "
					 "'%s', which some treatments do not "
					 "have; add `else`",
					 e->benchmarks[benchmark].name,
					 e->factors[c->by].name);
	}
	return 0;
}

static int too_many(const struct schedule *s, size_t matrix,
		    struct error *err)
{
	const struct matrix *m = &s->experiment->matrices[matrix];

	error_set(err, ERROR_USAGE,
		  "%zu benchmarks, %zu treatments and %" PRIu32 " replicates "
		  "make more than %d runs; leave out levels or replicates",
		  m->n_benchmarks, s->expansion->shares[matrix].n_treatments,
		  m->replicates_max > m->replicates ? m->replicates_max
						    : m->replicates,
		  SCHEDULE_MAX_RUNS);
	return *m->name ? error_context(err, "matrix '%s'", m->name) : -1;
}

/* Prepares all matrices; *n_runs is how many runs there are at most. */
static int lay_out(struct schedule *s, struct rounds *rounds, size_t *n_runs,
		   struct error *err)
{
	const struct experiment *e = s->experiment;
	uint32_t blocks = 0;

	*n_runs = 0;
	for (size_t m = 0; m < e->n_matrices; m++) {
		struct rounds *r = &rounds[m];

		if (rounds_init(r, s, m, err))
			return -1;
		r->first_block = blocks;
		*n_runs += rounds_count(r);
		if (*n_runs > SCHEDULE_MAX_RUNS)
			return too_many(s, m, err);
		blocks += rounds_blocks(r);
		for (size_t b = 0; b < e->matrices[m].n_benchmarks; b++)
			if (check_roles(s, m, e->matrices[m].benchmarks[b],
					err))
				return -1;
	}
	if (*n_runs)
		return 0;
	return error_set(err, ERROR_USAGE, "there is nothing to run: %s",
			 s->design->n_treatments
				 ? "`replicates` is 0"
				 : "the design has no treatment");
}

/* FNV-1a from 0. */
static uint64_t hash_name(const char *name)
{
	uint64_t h = 0;

	for (const char *p = name; *p; p++)
		h = (h ^ (unsigned char)*p) * 0x100000001b3u;
	return h;
}

/* Where each role's pool starts, drawn in the order of the roles. */
static void draw_first_hosts(struct planner *p, struct random *r)
{
	const struct experiment *e = p->s->experiment;
	uint32_t *first = p->s->first + p->rounds->matrix * e->n_roles;

	for (size_t i = 0; i < e->n_roles; i++)
		if (e->roles[i].n_hosts)
			first[i] = (uint32_t)random_below(r,
							  e->roles[i].n_hosts);
}

/* The next run of the schedule, if the round has it and no earlier matrix. */
static void add_run(struct planner *p, size_t round, uint32_t item)
{
	struct schedule *s = p->s;
	const struct rounds *r = p->rounds;
	const struct made *made = p->made ? &p->made[item] : NULL;
	size_t b = r->m->benchmarks[item / p->n_treatments];
	size_t t = expansion_treatment(s->expansion, r->matrix,
				       item % p->n_treatments);
	struct run *run = &s->runs[s->n_runs];

	if (!rounds_place(r, round, b, t, run) ||
	    (made && run->replicate <= made->earlier))
		return;
	if (made && run->replicate <= made->sure)
		run->optional = false;
	s->n_optional += run->optional;
	run->position = (uint32_t)++s->n_runs;
}

static void add_rounds(struct planner *p, struct random *r)
{
	uint32_t *items = mem_realloc(NULL, p->n_items, sizeof(*items));
	struct plots plots;

	plots_build(&plots, p->s->expansion, p->rounds->matrix);
	for (size_t i = 0; i < p->n_items; i++)
		items[i] = (uint32_t)i;
	for (size_t round = 0; round < p->rounds->n; round++) {
		rounds_begin(p->rounds, round, r);
		if (r)
			plots_shuffle(&plots, r, p->n_treatments, items,
				      p->n_items);
		for (size_t i = 0; i < p->n_items; i++)
			add_run(p, round, items[i]);
	}
	plots_release(&plots);
	free(items);
}

static void plan_matrix(struct schedule *s, struct rounds *r,
			const struct made *made)
{
	struct planner p = {
		.s = s,
		.rounds = r,
		.made = made,
		.n_treatments = s->expansion->shares[r->matrix].n_treatments,
	};
	struct random random;

	p.n_items = p.n_treatments * r->m->n_benchmarks;
	if (!p.n_items)
		return;
	if (r->m->order != ORDER_RANDOMIZED) {
		add_rounds(&p, NULL);
		return;
	}
	random_seed(&random, s->seed ^ hash_name(r->m->name));
	draw_first_hosts(&p, &random);
	add_rounds(&p, &random);
}

int schedule_plan(struct schedule *s, const struct experiment *e,
		  const struct expansion *x, uint64_t seed, struct error *err)
{
	struct rounds *rounds = mem_zalloc(e->n_matrices, sizeof(*rounds));
	struct made **made = NULL;
	size_t n_runs;
	int rc = -1;

	*s = (struct schedule){
		.experiment = e,
		.design = &x->design,
		.expansion = x,
		.seed = seed,
		.first = mem_zalloc(e->n_matrices * e->n_roles,
				    sizeof(*s->first)),
	};
	if (check_numbers(e, x, err) || role_choices_make(&s->choices, e, err) ||
	    lay_out(s, rounds, &n_runs, err))
		goto out;
	made = made_find(s, rounds);
	/* one more: add_run() writes before it knows */
	s->runs = mem_realloc(NULL, n_runs + 1, sizeof(*s->runs));
	for (size_t m = 0; m < e->n_matrices; m++)
		plan_matrix(s, &rounds[m], made ? made[m] : NULL);
	s->runs = mem_realloc(s->runs, s->n_runs + 1, sizeof(*s->runs));
	s->n_planned = s->n_runs;
	rc = 0;
out:
	if (rc)
		schedule_release(s);
	for (size_t m = 0; m < e->n_matrices; m++)
		rounds_release(&rounds[m]);
	free(rounds);
	made_free(made, e->n_matrices);
	return rc;
}

void schedule_release(struct schedule *s)
{
	if (s->experiment)
		role_choices_free(s->choices, s->experiment->n_benchmarks);
	free(s->first);
	free(s->runs);
	memset(s, 0, sizeof(*s));
}

void schedule_run_key(const struct schedule *s, size_t run, struct buf *out)
{
	const struct run *r = &s->runs[run];

	treatment_key_escape(s->experiment->benchmarks[r->benchmark].name,
			     out);
	buf_addc(out, '/');
	treatment_key(s->design, r->treatment, out);
	buf_addf(out, "#%" PRIu32, r->replicate);
}

size_t schedule_missing(const struct schedule *s,
			int (*done)(void *ctx, const char *key), void *ctx,
			size_t *out)
{
	struct buf key = BUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < s->n_runs; i++) {
		int answer;

		buf_clear(&key);
		schedule_run_key(s, i, &key);
		answer = done(ctx, key.data);
		if (answer < 0)
			break;
		if (!answer)
			out[n++] = i;
	}
	buf_release(&key);
	return n;
}
