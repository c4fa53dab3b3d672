/*
 * Times the variables of all scripts of 20,000 runs, of a factor with 10,000
 * levels, as `assay run` looks at them before the first run is made; beside
 * the budget. Exit 1 when it is exceeded.
 *	build/tests/bench/bench_binding [rounds]
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/exec/planned.h"
#include "orchestrate/library/library.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/resolver.h"
#include "tests/bench/budget.h"

static const char text[] =
	"assay: 1\nexperiment: x\n"
	"hosts: {here: {local: true, env: {dir: '/data/${b}'}}}\n"
	"factors:\n"
	"  a: {range: [1, 10000], step: 1}\n"
	"  b:\n"
	"    - {name: x, set: {size: '= a * 2', most: 3}}\n"
	"    - {name: y, set: {size: 1}}\n"
	"variables:\n"
	"  threads: '= a * 2'\n"
	"  place: '${dir}/${threads}'\n"
	"  port: {by: b, values: {x: '= size + 1'}, else: 5000}\n"
	"  next: '= port + 1'\n"
	"  wide: '= most > 2 ? 1 : 0'\n"
	"benchmarks: {b: {run: r, responses: {t: {regex: .+, uom: s}}}}\n";

struct plan {
	struct library library;
	struct experiment e;
	struct expansion x;
	struct schedule s;
	size_t *runs;
};

static void die(const char *what)
{
	fprintf(stderr, "%s\n", what);
	exit(1);
}

static void plan_init(struct plan *p)
{
	struct problems problems = PROBLEMS_INIT;
	struct error err = ERROR_INIT;
	struct resolver resolver;

	library_init(&p->library, ".", NULL);
	resolver = library_resolver(&p->library);
	if (experiment_parse(&p->e, "x.yaml", text, strlen(text), &resolver,
			     NULL, &problems) ||
	    expansion_make(&p->x, &p->e, &problems))
		die(problems.items[0].text);
	if (schedule_plan(&p->s, &p->e, &p->x, 1, &err))
		die(err.text);
	p->runs = mem_zalloc(p->s.n_runs, sizeof(*p->runs));
	for (size_t i = 0; i < p->s.n_runs; i++)
		p->runs[i] = i;
}

static void plan_release(struct plan *p)
{
	free(p->runs);
	schedule_release(&p->s);
	expansion_release(&p->x);
	experiment_release(&p->e);
	library_release(&p->library);
}

static void check_all(void *ctx)
{
	struct error err = ERROR_INIT;
	struct plan *p = ctx;

	if (planned_check(&p->e, &p->s, p->runs, p->s.n_runs, &err))
		die(err.text);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 11;
	struct plan p;
	bool ok;

	plan_init(&p);
	ok = p.s.n_runs == 20000;
	ok &= budget_report("variables of 20,000 runs, a factor of 10,000 "
			    "levels", 300, rounds < 1 ? 1 : rounds, check_all,
			    &p);
	plan_release(&p);
	return !ok;
}
