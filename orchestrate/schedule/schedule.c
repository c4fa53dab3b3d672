#include "orchestrate/schedule/schedule.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/plots.h"
#include "orchestrate/spec/experiment.h"
#include "stats/random.h"

/* What planning knows about a benchmark. */
struct share {
	const struct role *role;
	size_t first;    /* index into the pool of the host of round 1 */
	size_t rounds;
};

/* Replicates in all; SCHEDULE_MAX_RUNS + 1 stands for any larger number. */
static size_t rounds_of(const struct experiment *e, const struct role *role)
{
	size_t hosts = e->matrices[0].blocks == BLOCK_HOST ? role->n_hosts : 1;

	if (e->matrices[0].replicates > SCHEDULE_MAX_RUNS / hosts)
		return SCHEDULE_MAX_RUNS + 1;
	return e->matrices[0].replicates * hosts;
}

static const struct role *find_role(const struct experiment *e,
				    const char *name)
{
	for (size_t i = 0; i < e->n_roles; i++)
		if (!strcmp(e->roles[i].name, name))
			return &e->roles[i];
	return NULL;
}

static int find_roles(struct share *shares, const struct experiment *e,
		      struct error *err)
{
	for (size_t b = 0; b < e->n_benchmarks; b++) {
		const struct benchmark *bench = &e->benchmarks[b];

		shares[b].role = find_role(e, bench->role);
		if (!shares[b].role || !shares[b].role->n_hosts)
			return error_set(err, ERROR_USAGE,
					 "benchmark '%s': no host has the role "
					 "'%s'; add it under `roles`",
					 bench->name, bench->role);
		shares[b].rounds = rounds_of(e, shares[b].role);
	}
	return 0;
}

/* Where each role's pool starts, drawn in the order of the roles. */
static void draw_first_hosts(struct share *shares, const struct experiment *e,
			     struct random *r)
{
	for (size_t i = 0; i < e->n_roles; i++) {
		size_t first = 0;

		if (e->matrices[0].order == ORDER_RANDOMIZED && e->roles[i].n_hosts)
			first = (size_t)random_below(r, e->roles[i].n_hosts);
		for (size_t b = 0; b < e->n_benchmarks; b++)
			if (shares[b].role == &e->roles[i])
				shares[b].first = first;
	}
}

/* Checks the size; *rounds is the longest share. */
static int count(const struct share *shares, const struct experiment *e,
		 const struct design *d, size_t *n_runs, size_t *rounds,
		 struct error *err)
{
	*n_runs = 0;
	*rounds = 0;
	if (!d->n_treatments)
		return error_set(err, ERROR_USAGE,
				 "there is nothing to run: the design has no "
				 "treatment");
	for (size_t b = 0; b < e->n_benchmarks; b++) {
		if (shares[b].rounds >
		    (SCHEDULE_MAX_RUNS - *n_runs) / d->n_treatments)
			return error_set(err, ERROR_USAGE,
					 "%zu benchmarks, %zu treatments and "
					 "%" PRIu32 " replicates make more "
					 "than %d runs; leave out levels or "
					 "replicates", e->n_benchmarks,
					 d->n_treatments, e->matrices[0].replicates,
					 SCHEDULE_MAX_RUNS);
		*n_runs += shares[b].rounds * d->n_treatments;
		if (shares[b].rounds > *rounds)
			*rounds = shares[b].rounds;
	}
	if (!*n_runs)
		return error_set(err, ERROR_USAGE,
				 "there is nothing to run: %s",
				 e->n_benchmarks ? "`replicates` is 0"
						 : "no benchmark is declared");
	return 0;
}

/* Appends round `round` (from 0) in the order of `items`. */
static void add_round(struct schedule *s, const struct share *shares,
		      size_t round, const uint32_t *items)
{
	size_t n_treatments = s->design->n_treatments;
	size_t n = s->experiment->n_benchmarks * n_treatments;

	for (size_t i = 0; i < n; i++) {
		uint32_t b = (uint32_t)(items[i] / n_treatments);
		const struct share *share = &shares[b];
		const struct role *role = share->role;

		if (round >= share->rounds)
			continue;
		s->runs[s->n_runs++] = (struct run){
			.benchmark = b,
			.treatment = (uint32_t)(items[i] % n_treatments),
			.replicate = (uint32_t)(round + 1),
			.block = (uint32_t)round,
			.host = (uint32_t)role->hosts[(share->first + round) %
						      role->n_hosts],
		};
	}
}

static void add_rounds(struct schedule *s, const struct share *shares,
		       size_t rounds, struct random *r)
{
	const struct design *d = s->design;
	size_t n = s->experiment->n_benchmarks * d->n_treatments;
	uint32_t *items = mem_realloc(NULL, n, sizeof(*items));
	struct plots plots;

	plots_build(&plots, d);
	for (size_t i = 0; i < n; i++)
		items[i] = (uint32_t)i;
	for (size_t round = 0; round < rounds; round++) {
		if (s->experiment->matrices[0].order == ORDER_RANDOMIZED)
			plots_shuffle(&plots, r, d->n_treatments, items, n);
		add_round(s, shares, round, items);
	}
	plots_release(&plots);
	free(items);
}

int schedule_plan(struct schedule *s, const struct experiment *e,
		  const struct expansion *x, uint64_t seed, struct error *err)
{
	const struct design *d = &x->design;
	struct share *shares = mem_zalloc(e->n_benchmarks, sizeof(*shares));
	struct random r;
	size_t n_runs, rounds;
	int rc = -1;

	*s = (struct schedule){
		.experiment = e,
		.design = d,
		.expansion = x,
		.seed = seed,
	};
	if (find_roles(shares, e, err) ||
	    count(shares, e, d, &n_runs, &rounds, err))
		goto out;
	random_seed(&r, seed);
	draw_first_hosts(shares, e, &r);
	s->runs = mem_realloc(NULL, n_runs, sizeof(*s->runs));
	add_rounds(s, shares, rounds, &r);
	rc = 0;
out:
	free(shares);
	return rc;
}

void schedule_release(struct schedule *s)
{
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
