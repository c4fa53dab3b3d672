/*
 * Times the planning of 1,000,000 runs, from a file too, how that grows from
 * 10^3 to 10^7 runs, and the grouping of 1,000,000 observations: medians of
 * wall time, and the peak of memory, beside the budgets. Exit 1 when one is
 * exceeded.
 *	build/tests/bench/bench_schedule [rounds]
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "orchestrate/library/library.h"
#include "orchestrate/schedule/cost.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/lint.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/matrix.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/treatment_def.h"
#include "stats/describe.h"
#include "stats/interval.h"
#include "stats/sample.h"
#include "tests/bench/budget.h"

#define MOST_FACTORS 6
#define N_KEYS 10000
#define RUNS_PER_KEY 10
#define VALUES_PER_RUN 10
#define MOST_RATIO 3.0 /* time per run, 10^7 to 10^6 */

/* Factors of 10 levels on two hosts. */
struct plan {
	struct factor factors[MOST_FACTORS];
	struct factor_use uses[MOST_FACTORS];
	struct treatment_def def;
	struct level levels[10];
	struct host hosts[2];
	struct role role;
	struct benchmark bench;
	struct matrix matrix;
	struct experiment e;
	size_t pool[2];
};

static void plan_init(struct plan *p, size_t n_factors, uint32_t replicates)
{
	static char names[] = "0\0001\0002\0003\0004\0005\0006\0007\0008\0009";
	static char factor_names[] = "a\0b\0c\0d\0e\0f";

	memset(p, 0, sizeof(*p));
	for (size_t i = 0; i < 10; i++)
		p->levels[i].name = names + 2 * i;
	for (size_t i = 0; i < n_factors; i++) {
		p->factors[i].name = factor_names + 2 * i;
		p->factors[i].levels = p->levels;
		p->factors[i].n_levels = 10;
		p->uses[i].treatment.def = i % 2 ? &p->def : NULL;
	}
	p->pool[1] = 1;
	p->role = (struct role){ .name = (char *)"sut", .hosts = p->pool,
				 .n_hosts = 2 };
	p->bench = (struct benchmark){ .name = (char *)"write",
				       .role = (char *)"sut" };
	p->e = (struct experiment){
		.hosts = p->hosts, .n_hosts = 2,
		.roles = &p->role, .n_roles = 1,
		.factors = p->factors, .n_factors = n_factors,
		.uses = p->uses,
		.benchmarks = &p->bench, .n_benchmarks = 1,
		.matrices = &p->matrix, .n_matrices = 1,
	};
	p->matrix.replicates = p->matrix.replicates_max = replicates;
	p->matrix.name = (char *)"";
	matrix_take_all(&p->matrix, &p->e);
	layers_build(&p->e);
}

static void die(const struct error *err)
{
	fprintf(stderr, "%s\n", err->text);
	exit(1);
}

static void plan_all(const struct plan *p, struct expansion *d,
		     struct schedule *s)
{
	struct problems problems = PROBLEMS_INIT;
	struct error err = ERROR_INIT;

	if (expansion_make(d, &p->e, &problems) ||
	    schedule_plan(s, &p->e, d, 1, &err))
		die(&err);
}

static void expand_and_schedule(void *ctx)
{
	struct schedule s;
	struct expansion d;

	plan_all(ctx, &d, &s);
	schedule_release(&s);
	expansion_release(&d);
}

static int never_done(void *ctx, const char *key)
{
	(void)ctx;
	(void)key;
	return 0;
}

static void expand_schedule_keys_and_cost(void *ctx)
{
	const double seconds = 1;
	const struct cost_times times = { .runs = &seconds };
	struct schedule s;
	struct expansion d;
	struct cost c;
	size_t *out;

	plan_all(ctx, &d, &s);
	out = mem_realloc(NULL, s.n_runs, sizeof(*out));
	schedule_missing(&s, never_done, NULL, out);
	cost_of_runs(&c, &s, out, s.n_runs, &times);
	cost_release(&c);
	free(out);
	schedule_release(&s);
	expansion_release(&d);
}

/* An experiment of five factors from a file. */
struct file {
	struct library library;
	struct experiment e;
};

static void file_init(struct file *f, const size_t n_levels[5],
		      const char *design)
{
	static const char form[] =
		"assay: 1\nexperiment: x\n"
		"hosts: {one: {ssh: one}, two: {ssh: two}}\n"
		"roles: {sut: [one, two]}\n"
		"factors:\n"
		"  a: {range: [1, %zu], step: 1}\n"
		"  b: {range: [1, %zu], step: 1}\n"
		"  c: {range: [1, %zu], step: 1}\n"
		"  d: {range: [1, %zu], step: 1}\n"
		"  e: {range: [1, %zu], step: 1}\n"
		"design:\n  order: {kind: randomized, seed: 20190501}\n%s"
		"benchmarks: {b: {run: r, "
		"responses: {t: {regex: .+, uom: s}}}}\n";
	struct problems p = PROBLEMS_INIT;
	struct resolver resolver;
	char *text = mem_printf(form, n_levels[0], n_levels[1], n_levels[2],
				n_levels[3], n_levels[4], design);

	library_init(&f->library, ".", NULL);
	resolver = library_resolver(&f->library);
	if (experiment_parse(&f->e, "x.yaml", text, strlen(text), &resolver,
			     NULL, &p)) {
		fprintf(stderr, "%u: %s\n", p.items[0].line, p.items[0].text);
		exit(1);
	}
	problems_release(&p);
	free(text);
}

static void file_release(struct file *f)
{
	experiment_release(&f->e);
	library_release(&f->library);
}

static void plan_file(const struct file *f, struct expansion *x,
		      struct schedule *s)
{
	struct problems problems = PROBLEMS_INIT;
	struct error err = ERROR_INIT;

	if (expansion_make(x, &f->e, &problems) ||
	    schedule_plan(s, &f->e, x, f->e.seed, &err))
		die(&err);
}

static void expand_and_schedule_file(void *ctx)
{
	struct expansion x;
	struct schedule s;

	plan_file(ctx, &x, &s);
	schedule_release(&s);
	expansion_release(&x);
}

struct planned {
	const struct file *file;
	struct expansion x;
	struct schedule s;
};

static void lint(void *ctx)
{
	struct strlist warnings = STRLIST_INIT;
	struct planned *p = ctx;

	lint_design(&p->file->e, &p->x, &p->s, &warnings);
	strlist_release(&warnings);
}

static void frame_init(struct frame *f)
{
	memset(f, 0, sizeof(*f));
	f->n_keys = N_KEYS;
	f->keys = mem_zalloc(N_KEYS, sizeof(*f->keys));
	f->n_runs = N_KEYS * RUNS_PER_KEY;
	f->n_values = f->n_runs * VALUES_PER_RUN;
	f->runs = mem_zalloc(f->n_runs, sizeof(*f->runs));
	f->run_of = mem_realloc(NULL, f->n_values, sizeof(*f->run_of));
	f->value = mem_realloc(NULL, f->n_values, sizeof(*f->value));
	for (size_t i = 0; i < f->n_runs; i++) {
		f->runs[i].treatment = (uint32_t)(i / RUNS_PER_KEY);
		f->runs[i].sequence = (uint32_t)(i * 7919 % f->n_runs + 1);
	}
	for (size_t i = 0; i < f->n_values; i++) {
		f->run_of[i] = (uint32_t)(i / VALUES_PER_RUN);
		f->value[i] = 100 + (double)(i * 7919 % 1009) / 100;
	}
}

static void group_with_intervals(void *ctx)
{
	struct sample *samples = mem_zalloc(N_KEYS, sizeof(*samples));
	struct error err = ERROR_INIT;
	struct estimate e;

	if (sample_each_key(samples, ctx, &err))
		die(&err);
	for (size_t k = 0; k < N_KEYS; k++) {
		if (interval_of_sample(&samples[k], ESTIMATE_MEAN_T, 0.95, &e,
				       &err) ||
		    interval_of_sample(&samples[k], ESTIMATE_MEDIAN_ORDER, 0.95,
				       &e, &err))
			die(&err);
		sample_release(&samples[k]);
	}
	free(samples);
}

/* 1,250,000 combinations, of which 1,000,000 stay, on two hosts by day. */
static bool from_file(int rounds)
{
	static const char design[] =
		"  exclude: ['(a + e) % 5 == 0 and b > 0']\n"
		"  blocks: day\n";
	const size_t n_levels[] = { 20, 5, 25, 25, 20 };
	struct planned p;
	struct file file;
	bool ok;

	file_init(&file, n_levels, design);
	p.file = &file;
	ok = budget_report("a file: 1,000,000 of 1,250,000 stay, days, a seed", 1000,
		    rounds, expand_and_schedule_file, &file);
	plan_file(&file, &p.x, &p.s);
	ok &= p.s.n_runs == 1000000;
	ok &= budget_report("  ... what the lints say of it", 300, rounds, lint, &p);
	schedule_release(&p.s);
	expansion_release(&p.x);
	file_release(&file);
	file_init(&file, (const size_t[]){ 100, 100, 100, 10, 10 },
		  "  zip: [[a, b]]\n");
	plan_file(&file, &p.x, &p.s);
	ok &= budget_report("  ... and of 1,000,000, two factors going along", 300,
		     rounds, lint, &p);
	schedule_release(&p.s);
	expansion_release(&p.x);
	file_release(&file);
	file_init(&file, (const size_t[]){ 10, 10, 10, 10, 10 },
		  "  replicates: 5\n  blocks: host\n"
		  "  exclude: ['a + b > 30']\n");
	ok &= budget_report("a file: 100,000 treatments, 5 times on two hosts", 1000,
		     rounds, expand_and_schedule_file, &file);
	file_release(&file);
	return ok;
}

/* As the kernel tells it; 0: it does not. */
static double last_level_kib(void)
{
	FILE *f = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
	unsigned kib = 0;

	if (f && fscanf(f, "%uK", &kib) != 1)
		kib = 0;
	if (f)
		fclose(f);
	return kib;
}

/* Why a million runs do not take ten times as long as a hundred thousand. */
static void tell_cache(void)
{
	double cache = last_level_kib();
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	printf("the work is linear, the memory is not: a plan takes %zu bytes "
	       "a run and is\nwritten in random order of its treatments; ",
	       sizeof(struct run) + sizeof(uint32_t));
	if (cache > 0)
		printf("%.1f million runs fill the last-level\ncache of %.0f "
		       "MiB, beyond that most steps wait for memory",
		       cache * 1024 / 1e6 /
			       (double)(sizeof(struct run) + sizeof(uint32_t)),
		       cache / 1024);
	else
		printf("what does not fit a cache waits\nfor memory");
	printf("; peak %ld MiB\n", usage.ru_maxrss / 1024);
}

static bool growth(int rounds)
{
	static const size_t n_levels[][5] = {
		{ 5, 5, 5, 4, 2 },      { 10, 10, 5, 5, 4 },
		{ 10, 10, 10, 10, 10 }, { 20, 20, 10, 25, 10 },
		{ 20, 20, 25, 25, 40 },
	};
	double each[5], n = 100, ratio;

	printf("growth:              runs       ms  ns each\n");
	for (size_t i = 0; i < 5; i++) {
		int times = i == 4 && rounds > 3 ? 3 : rounds;
		double *ms = mem_realloc(NULL, (size_t)times, sizeof(*ms));
		struct file file;

		n *= 10;
		file_init(&file, n_levels[i],
			  "  exclude: ['a + b > 1000']\n");
		for (int k = 0; k < times; k++) {
			int64_t start = clock_monotonic_ns();

			expand_and_schedule_file(&file);
			ms[k] = (double)(clock_monotonic_ns() - start) / 1e6;
		}
		each[i] = describe_median(ms, (size_t)times) * 1e6 / n;
		printf("             %12.0f %8.2f %8.1f\n", n, each[i] * n / 1e6,
		       each[i]);
		file_release(&file);
		free(ms);
	}
	tell_cache();
	printf("time per run, 10^7 to 10^3: %.2f times; no budget\n",
	       each[4] / each[0]);
	ratio = each[4] / each[3];
	printf("time per run, 10^7 to 10^6: %.2f times; budget %.1f\n", ratio,
	       MOST_RATIO);
	return ratio <= MOST_RATIO;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 11;
	struct plan plan;
	struct frame frame;
	bool ok;

	if (rounds < 1)
		rounds = 1;
	plan_init(&plan, 6, 1);
	ok = budget_report("expand and schedule 1,000,000 treatments, once each",
		    1000, rounds, expand_and_schedule, &plan);
	plan_init(&plan, 5, 10);
	ok &= budget_report("expand and schedule 100,000 treatments, 10 times", 1000,
		     rounds, expand_and_schedule, &plan);
	ok &= budget_report("  ... with every run's key, and the cost", 1000, rounds,
		     expand_schedule_keys_and_cost, &plan);
	ok &= from_file(rounds);
	frame_init(&frame);
	ok &= budget_report("mean and median of 1,000,000 values, 10,000 samples",
		     400, rounds, group_with_intervals, &frame);
	frame_release(&frame);
	return !(growth(rounds) && ok);
}
