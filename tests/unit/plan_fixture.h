#ifndef TESTS_PLAN_FIXTURE_H
#define TESTS_PLAN_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/lint.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/matrix.h"

#define NA DESIGN_ABSENT
#define MOST 5

/*
 * Up to five factors of 2 to 4 levels, at lines 11, 12, ...; benchmarks at 21,
 * 22; `kind` at 31, `replicates` at 32, `design` at 30.
 */
struct fixture {
	struct level levels[MOST][4];
	struct factor factors[MOST];
	struct factor_use uses[MOST];
	struct host hosts[3];
	struct role roles[2];
	struct benchmark benchmarks[2];
	struct matrix matrices[2];
	struct condition baseline[1];
	struct experiment e;
	struct expansion x;
	struct schedule s;
	struct strlist warnings;
};

static inline struct mark line(unsigned n)
{
	return (struct mark){ .file = "x.yaml", .line = n, .column = 3 };
}

/* `n_levels` has a digit for each factor. */
static inline void set_up(struct fixture *x, const char *n_levels)
{
	static char *const names[] = { (char *)"a", (char *)"b", (char *)"c",
				       (char *)"d", (char *)"e" };
	static char *const levels[MOST][4] = {
		{ (char *)"a0", (char *)"a1", (char *)"a2", (char *)"a3" },
		{ (char *)"b0", (char *)"b1", (char *)"b2", (char *)"b3" },
		{ (char *)"c0", (char *)"c1", (char *)"c2", (char *)"c3" },
		{ (char *)"d0", (char *)"d1", (char *)"d2", (char *)"d3" },
		{ (char *)"e0", (char *)"e1", (char *)"e2", (char *)"e3" },
	};
	static size_t pools[2][2] = { { 0, 1 }, { 2 } };

	memset(x, 0, sizeof(*x));
	for (size_t f = 0; f < strlen(n_levels); f++) {
		for (size_t i = 0; i < 4; i++)
			x->levels[f][i].name = levels[f][i];
		x->factors[f] = (struct factor){
			.name = names[f], .levels = x->levels[f],
			.n_levels = (size_t)(n_levels[f] - '0'),
		};
		x->uses[f].mark = line(11 + (unsigned)f);
	}
	x->hosts[0].name = (char *)"alpha";
	x->hosts[1].name = (char *)"beta";
	x->hosts[2].name = (char *)"gamma";
	x->roles[0] = (struct role){ .name = (char *)"sut", .hosts = pools[0],
				     .n_hosts = 2 };
	x->roles[1] = (struct role){ .name = (char *)"other",
				     .hosts = pools[1], .n_hosts = 1 };
	x->benchmarks[0] = (struct benchmark){ .name = (char *)"write",
					       .mark = line(21),
					       .role = (char *)"sut" };
	x->benchmarks[1] = (struct benchmark){ .name = (char *)"copy",
					       .mark = line(22),
					       .role = (char *)"sut" };
	x->e = (struct experiment){
		.path = (char *)"x.yaml",
		.factors = x->factors, .uses = x->uses,
		.n_factors = strlen(n_levels),
		.hosts = x->hosts, .n_hosts = 3,
		.roles = x->roles, .n_roles = 2,
		.benchmarks = x->benchmarks, .n_benchmarks = 1,
		.matrices = x->matrices, .n_matrices = 1,
	};
	x->matrices[0] = (struct matrix){
		.name = (char *)"", .mark = line(30), .kind_mark = line(31),
		.replicates_mark = line(32), .replicates = 4,
		.replicates_max = 4, .rounds_a_day = 1,
	};
}

/* An explicit list of treatments in place of a full factorial. */
static inline void list(struct fixture *x, const uint16_t *rows, size_t n)
{
	size_t size = n * x->e.n_factors * sizeof(*rows);

	x->matrices[0].kind = DESIGN_LIST;
	x->matrices[0].list = mem_alloc(size);
	x->matrices[0].n_list = n;
	memcpy(x->matrices[0].list, rows, size);
}

static inline void expand(struct fixture *x)
{
	struct problems problems = PROBLEMS_INIT;

	for (size_t m = 0; m < x->e.n_matrices; m++)
		if (!x->e.matrices[m].factors)
			matrix_take_all(&x->e.matrices[m], &x->e);
	layers_build(&x->e);
	if (expansion_make(&x->x, &x->e, &problems))
		fail_msg("%s", problems.items[0].text);
}

static inline void plan_seed(struct fixture *x, uint64_t seed)
{
	struct error err = ERROR_INIT;

	if (!x->x.shares)
		expand(x);
	schedule_release(&x->s);
	if (schedule_plan(&x->s, &x->e, &x->x, seed, &err))
		fail_msg("%s", err.text);
}

static inline void plan(struct fixture *x)
{
	plan_seed(x, 1);
}

static inline void tear_down(struct fixture *x)
{
	schedule_release(&x->s);
	expansion_release(&x->x);
	for (size_t m = 0; m < x->e.n_matrices; m++) {
		free(x->e.matrices[m].factors);
		free(x->e.matrices[m].benchmarks);
		free(x->e.matrices[m].list);
	}
	free(x->e.layers);
	strlist_release(&x->warnings);
}

/* Plans, lints, and ends the fixture. `want`: lines without "x.yaml:". */
static inline void assert_lints(struct fixture *x, const char *want)
{
	struct buf got = BUF_INIT;

	plan(x);
	lint_design(&x->e, &x->x, &x->s, &x->warnings);
	for (size_t i = 0; i < x->warnings.n; i++) {
		assert_memory_equal(x->warnings.items[i], "x.yaml:", 7);
		buf_addf(&got, "%s\n", x->warnings.items[i] + 7);
	}
	assert_string_equal(got.data, want);
	buf_release(&got);
	tear_down(x);
}

/* The first matrix crosses a with b for `write`, the second c alone for
 * `copy`. */
static inline void two_matrices(struct fixture *x)
{
	static const size_t parts[] = { 0, 1, 2 };

	set_up(x, "222");
	x->e.n_benchmarks = x->e.n_matrices = 2;
	x->matrices[1] = x->matrices[0];
	x->matrices[0].name = (char *)"io";
	x->matrices[1].name = (char *)"net";
	for (size_t m = 0; m < 2; m++) {
		matrix_take_all(&x->matrices[m], &x->e);
		x->matrices[m].n_factors = 2 - m;
		memcpy(x->matrices[m].factors, parts + 2 * m,
		       (2 - m) * sizeof(*parts));
		x->matrices[m].n_benchmarks = 1;
		x->matrices[m].benchmarks[0] = m;
	}
}

#endif
