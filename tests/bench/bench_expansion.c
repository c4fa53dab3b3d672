/*
 * Times the expansion of designs: 5 factors of which an `exclude` leaves
 * 1,000,000 treatments, and how it grows from 10^3 to 10^7 combinations. Medians of wall time, and the peak of memory, beside the budgets.
 * Exit 1 when one is exceeded.
 *	build/tests/bench/bench_expansion [rounds]
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/library/library.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/resolver.h"
#include "stats/describe.h"
#include "stats/design_make.h"

#define MOST_FACTORS 7
#define MOST_LEVELS 25
#define MILLION_MS 500    /* 1,000,000 treatments with a rule */
#define PEAK_KIB (400 * 1024)
#define MOST_RATIO 3.0    /* time per combination, 10^7 to 10^5 */

struct plan {
	struct factor factors[MOST_FACTORS];
	struct level levels[MOST_LEVELS];
	struct design_options o;
	struct design_rule rule;
};

static void plan_init(struct plan *p, size_t n_factors, size_t n_levels)
{
	static char names[MOST_LEVELS][3];
	static char factor_names[] = "a\0b\0c\0d\0e\0f\0g";

	memset(p, 0, sizeof(*p));
	for (size_t i = 0; i < MOST_LEVELS; i++) {
		snprintf(names[i], sizeof(names[i]), "%zu", i);
		p->levels[i].name = names[i];
	}
	for (size_t i = 0; i < n_factors; i++) {
		p->factors[i].name = factor_names + 2 * i;
		p->factors[i].levels = p->levels;
		p->factors[i].n_levels = n_levels;
	}
	p->o.factors = p->factors;
	p->o.n_factors = n_factors;
}

/* Four of five combinations of the last two factors. */
static int four_of_five(void *ctx, const uint16_t *levels, struct error *err)
{
	const struct plan *p = ctx;
	size_t n = p->o.n_factors;

	(void)err;
	return (levels[n - 1] + levels[n - 2]) % 5 != 0;
}

static void make(void *ctx, size_t want)
{
	const struct plan *p = ctx;
	struct error err = ERROR_INIT;
	struct design d;

	if (design_make(&d, &p->o, &err) || d.n_treatments != want) {
		fprintf(stderr, "%zu treatments: %s\n", d.n_treatments,
			err.text);
		exit(1);
	}
	design_release(&d);
}

/* What a file asks for. */
static void expand(void *ctx, size_t want)
{
	struct problems p = PROBLEMS_INIT;
	struct expansion x;

	if (expansion_make(&x, ctx, &p) || x.design.n_treatments != want) {
		fprintf(stderr, "%zu treatments: %s\n",
			x.design.n_treatments,
			p.n ? p.items[0].text : "no problem");
		exit(1);
	}
	expansion_release(&x);
}

/* A design, and every treatment's neighbour. */
static void make_and_compare(void *ctx, size_t want)
{
	const struct plan *p = ctx;
	const struct setting base = { 0, 0 };
	struct error err = ERROR_INIT;
	struct design d;
	size_t found = 0;

	if (design_make(&d, &p->o, &err))
		exit(1);
	for (size_t t = 0; t < d.n_treatments; t++)
		found += design_neighbour(&d, t, &base, 1) < d.n_treatments;
	if (found != want)
		exit(1);
	design_release(&d);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double time_of(void (*work)(void *ctx, size_t want), void *ctx,
		      size_t want, int rounds, double *low, double *high)
{
	double *ms = mem_realloc(NULL, (size_t)rounds, sizeof(*ms)), median;

	for (int i = 0; i < rounds; i++) {
		int64_t start = clock_monotonic_ns();

		work(ctx, want);
		ms[i] = (double)(clock_monotonic_ns() - start) / 1e6;
	}
	qsort(ms, (size_t)rounds, sizeof(*ms), by_value);
	median = describe_median(ms, (size_t)rounds);
	*low = ms[0];
	*high = ms[rounds - 1];
	free(ms);
	return median;
}

static bool report(const char *what, double budget, int rounds,
		   void (*work)(void *ctx, size_t want), void *ctx,
		   size_t want)
{
	struct rusage usage;
	double low, high, median;

	median = time_of(work, ctx, want, rounds, &low, &high);
	getrusage(RUSAGE_SELF, &usage);
	printf("%-52s %6.1f ms (%.1f to %.1f, n = %d), peak %ld MiB; "
	       "budget %.0f ms\n", what, median, low, high, rounds,
	       usage.ru_maxrss / 1024, budget);
	return median <= budget && usage.ru_maxrss <= PEAK_KIB;
}

/* 20 x 25 x 25 x 25 x 4 levels: 1,250,000, of which 1,000,000 stay */
static bool million(int rounds)
{
	struct plan p;
	bool ok;

	plan_init(&p, 5, 25);
	p.factors[0].n_levels = 20;
	p.factors[1].n_levels = 4;
	p.rule = (struct design_rule){ .holds = four_of_five, .ctx = &p };
	p.o.rules = &p.rule;
	p.o.n_rules = 1;
	ok = report("expand 1,250,000 combinations, 1,000,000 stay",
		    MILLION_MS, rounds, make, &p, 1000000);
	return report("  ... with every treatment's baseline", 2 * MILLION_MS,
		      rounds, make_and_compare, &p, 1000000) && ok;
}

/* 1,000,000 of 1,250,000 combinations stay. */
static bool from_file(const char *what, const char *exclude, int rounds)
{
	static const char file[] =
		"assay: 1\nexperiment: x\nhosts: {here: local}\n"
		"factors:\n"
		"  a: {range: [0, 19], step: 1}\n"
		"  b: {range: [0, 4], step: 1}\n"
		"  c: {range: [0, 24], step: 1}\n"
		"  d: {range: [0, 24], step: 1}\n"
		"  e: {range: [0, 19], step: 1}\n"
		"design: {exclude: %s}\n"
		"benchmarks: {b: {run: r, "
		"responses: {t: {regex: .+, uom: s}}}}\n";
	struct problems p = PROBLEMS_INIT;
	struct resolver resolver;
	struct experiment e;
	struct library l;
	char *text = mem_printf(file, exclude);
	bool ok;

	library_init(&l, ".", NULL);
	resolver = library_resolver(&l);
	if (experiment_parse(&e, "x.yaml", text, strlen(text), &resolver, NULL,
			     &p)) {
		fprintf(stderr, "%s\n", p.items[0].text);
		exit(1);
	}
	ok = report(what, MILLION_MS, rounds, expand, &e, 1000000);
	experiment_release(&e);
	library_release(&l);
	problems_release(&p);
	free(text);
	return ok;
}

static bool from_files(int rounds)
{
	bool ok = from_file("  ... from a file, exclude: {b: 0}", "{b: 0}",
			    rounds);

	ok &= from_file("  ... exclude: 'b + 0 * (a + c + d + e) == 0'",
			"'b + 0 * (a + c + d + e) == 0'", rounds);
	return ok;
}

/* 10^3 to 10^7 combinations of 3 to 7 factors */
static bool growth(int rounds)
{
	double per_row[MOST_FACTORS + 1] = { 0 }, ratio;
	size_t n = 100;

	printf("growth:      combinations   ms     ns each\n");
	for (size_t factors = 3; factors <= MOST_FACTORS; factors++) {
		struct plan p;
		double low, high, ms;

		n *= 10;
		plan_init(&p, factors, 10);
		p.rule = (struct design_rule){ .holds = four_of_five,
					       .ctx = &p };
		p.o.rules = &p.rule;
		p.o.n_rules = 1;
		ms = time_of(make, &p, n / 5 * 4, n > 1000000 ? 3 : rounds,
			     &low, &high);
		per_row[factors] = ms * 1e6 / (double)n;
		printf("             %12zu %8.2f %6.1f\n", n, ms,
		       per_row[factors]);
	}
	ratio = per_row[MOST_FACTORS] / per_row[5];
	printf("time per combination, 10^7 to 10^5: %.2f times; budget %.1f\n",
	       ratio, MOST_RATIO);
	return ratio <= MOST_RATIO;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 11;
	bool ok;

	if (rounds < 1)
		rounds = 1;
	ok = million(rounds);
	ok &= from_files(rounds);
	ok &= growth(rounds);
	return !ok;
}
