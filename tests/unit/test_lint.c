#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
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
#include "orchestrate/spec/treatment_def.h"
#include "stats/fraction.h"

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

static struct mark line(unsigned n)
{
	return (struct mark){ .file = "x.yaml", .line = n, .column = 3 };
}

/* `n_levels` has a digit for each factor. */
static void set_up(struct fixture *x, const char *n_levels)
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
static void list(struct fixture *x, const uint16_t *rows, size_t n)
{
	size_t size = n * x->e.n_factors * sizeof(*rows);

	x->matrices[0].kind = DESIGN_LIST;
	x->matrices[0].list = mem_alloc(size);
	x->matrices[0].n_list = n;
	memcpy(x->matrices[0].list, rows, size);
}

static void plan(struct fixture *x)
{
	struct problems problems = PROBLEMS_INIT;
	struct error err = ERROR_INIT;

	for (size_t m = 0; m < x->e.n_matrices; m++)
		if (!x->matrices[m].factors)
			matrix_take_all(&x->matrices[m], &x->e);
	layers_build(&x->e);
	if (expansion_make(&x->x, &x->e, &problems))
		fail_msg("%s", problems.items[0].text);
	if (schedule_plan(&x->s, &x->e, &x->x, 1, &err))
		fail_msg("%s", err.text);
}

static void tear_down(struct fixture *x)
{
	schedule_release(&x->s);
	expansion_release(&x->x);
	for (size_t m = 0; m < x->e.n_matrices; m++) {
		free(x->matrices[m].factors);
		free(x->matrices[m].benchmarks);
		free(x->matrices[m].list);
	}
	free(x->e.layers);
	strlist_release(&x->warnings);
}

/* Plans, lints, and ends the fixture. `want`: lines without "x.yaml:". */
static void assert_lints(struct fixture *x, const char *want)
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

static void a_sound_design_is_silent(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "");
	assert_lints(&x, "");
	set_up(&x, "2");
	assert_lints(&x, "");
	set_up(&x, "232");
	x.e.n_baseline = 1;
	x.e.baseline = x.baseline;
	x.e.n_benchmarks = 2;
	assert_lints(&x, "");
}

static void too_few_replicates(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	x.matrices[0].replicates = x.matrices[0].replicates_max = 1;
	assert_lints(&x, "32:3: 1 replicate: no interval can be given for any "
			 "result; 5 or more is usual\n");
	set_up(&x, "22");
	x.matrices[0].replicates = 2;
	x.matrices[0].replicates_mark.line = 0;
	assert_lints(&x, "30:3: 2 replicates: intervals will be very wide; 5 "
			 "or more is usual\n");
	set_up(&x, "22");
	x.matrices[0].replicates = 3;
	assert_lints(&x, "");
	/* on each of two hosts */
	set_up(&x, "22");
	x.matrices[0].replicates = x.matrices[0].replicates_max = 2;
	x.matrices[0].blocks = BLOCK_HOST;
	assert_lints(&x, "");
	/* no place in the file */
	set_up(&x, "22");
	x.matrices[0].replicates = 1;
	x.matrices[0].replicates_mark.line = x.matrices[0].mark.line = 0;
	assert_lints(&x, "1:1: 1 replicate: no interval can be given for any "
			 "result; 5 or more is usual\n");
}

static void whole_plots_that_are_set_up_once(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	x.factors[1].hard = true;
	x.matrices[0].replicates = x.matrices[0].replicates_max = 1;
	assert_lints(&x,
		     "32:3: 1 replicate: no interval can be given for any "
		     "result; 5 or more is usual\n"
		     "12:3: factor \"b\" is hard to change and each of its "
		     "whole plots is set up once: what that one set-up did "
		     "cannot be told from the effect of the level; write 2 "
		     "replicates or more\n");
	set_up(&x, "22");
	x.factors[1].hard = true;
	assert_lints(&x, "");
}

static void factor_with_one_level(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "21");
	assert_lints(&x, "12:3: factor \"b\" has one level: nothing is "
			 "compared; give it another, or write it under "
			 "\"variables\"\n");
}

static void order_as_written(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	x.matrices[0].order = ORDER_AS_WRITTEN;
	assert_lints(&x, "30:3: the order is as written: what changes with "
			 "time (heat, caches, other load) is taken for an "
			 "effect of the factors; write order: randomized\n");
	/* one treatment has no order */
	set_up(&x, "");
	x.matrices[0].order = ORDER_AS_WRITTEN;
	assert_lints(&x, "");
}

static void only_one_block(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	x.matrices[0].blocks = BLOCK_HOST;
	x.benchmarks[0].role = (char *)"other";
	assert_lints(&x, "30:3: hosts are blocks, and the role \"other\" has "
			 "one host: nothing says whether the results hold on "
			 "another; give it more hosts, or leave out blocks: "
			 "host\n");
	set_up(&x, "22");
	x.matrices[0].blocks = BLOCK_DAY;
	x.matrices[0].rounds_a_day = 4;
	assert_lints(&x, "30:3: days are blocks, and all 4 rounds are in one: "
			 "nothing says whether the results hold on another; "
			 "write fewer rounds a day\n");
	set_up(&x, "22");
	x.matrices[0].blocks = BLOCK_DAY;
	x.matrices[0].rounds_a_day = 3;
	assert_lints(&x, "");
	set_up(&x, "22");
	x.matrices[0].blocks = BLOCK_HOST;
	assert_lints(&x, "");
}

static void levels_on_different_hosts(void **state)
{
	struct variable cases[] = { { .name = (char *)"b1",
				      .value = (char *)"other" } };
	struct lookup by = { .by = (char *)"b", .cases = cases, .n_cases = 1,
			     .otherwise = (char *)"sut" };
	struct fixture x;

	(void)state;
	set_up(&x, "23");
	x.benchmarks[0].role_by = &by;
	assert_lints(&x, "21:3: benchmark \"write\" measures the levels of "
			 "\"b\" on different hosts (b0 on alpha, beta, b1 on "
			 "gamma): what differs between the hosts is taken for "
			 "an effect of the factor; give the roles the same "
			 "hosts\n");
	/* two roles, one host */
	set_up(&x, "23");
	x.roles[0].hosts = x.roles[1].hosts;
	x.roles[0].n_hosts = 1;
	x.benchmarks[0].role_by = &by;
	assert_lints(&x, "");
}

static void latin_square_of_hosts_is_silent(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	x.matrices[0].kind = DESIGN_LATIN_SQUARE;
	x.matrices[0].latin = (struct latin){ LATIN_HOST, LATIN_ROUND, 1 };
	assert_lints(&x, "");
}

static void levels_in_no_treatment(void **state)
{
	const uint16_t rows[] = { 0, 0, 1, 0, 0, 2, 1, 2 };
	struct fixture x;

	(void)state;
	set_up(&x, "23");
	list(&x, rows, 4);
	assert_lints(&x, "12:3: level \"b1\" of factor \"b\" is in no "
			 "treatment: it is not measured; change the filters, "
			 "or leave it out\n");
}

static void levels_that_occur_unequally_often(void **state)
{
	/* all of 2 x 3 but (a1, b2) */
	const uint16_t rows[] = { 0, 0, 0, 1, 0, 2, 1, 0, 1, 1 };
	struct fixture x;

	(void)state;
	set_up(&x, "23");
	list(&x, rows, 5);
	assert_lints(&x,
		     "31:3: levels occur unequally often: \"a\" (a0 3, a1 2), "
		     "\"b\" (b0 2, b1 2, b2 1); a mean over the other factors "
		     "compares different treatments then: compare within them, "
		     "or leave out whole levels\n");
}

static void axis_under_some_levels_is_silent(void **state)
{
	/* b exists under a1 and a2 only, c always */
	const uint16_t rows[] = {
		0, NA, 0, 0, NA, 1, 1, 0, 0, 1, 0, 1, 1, 1, 0,
		1, 1,  1, 2, 0,	 0, 2, 0, 1, 2, 1, 0, 2, 1, 1,
	};
	struct fixture x;

	(void)state;
	set_up(&x, "322");
	list(&x, rows, 10);
	assert_lints(&x, "");
}

static void factors_that_change_together(void **state)
{
	const uint16_t rows[] = { 0, 1, 0, 0, 1, 1, 1, 0, 0, 1, 0, 1 };
	struct zip zip = { .factors = (size_t[]){ 0, 1 }, .n = 2 };
	struct fixture x;

	(void)state;
	set_up(&x, "222");
	list(&x, rows, 4);
	assert_lints(&x, "12:3: factors \"a\" and \"b\" change together (a0 "
			 "always with b1): an effect of one cannot be told "
			 "from one of the other; cross them, or write a zip if "
			 "they are one thing\n");
	/* said in the file */
	set_up(&x, "222");
	x.matrices[0].zips = &zip;
	x.matrices[0].n_zips = 1;
	assert_lints(&x, "");
}

static void factor_that_follows_from_another(void **state)
{
	/* b is 1 exactly with a2 */
	const uint16_t rows[] = { 0, 0, 0, 0, 0, 1, 1, 0, 0,
				  1, 0, 1, 2, 1, 0, 2, 1, 1 };
	struct fixture x;

	(void)state;
	set_up(&x, "322");
	list(&x, rows, 6);
	assert_lints(&x,
		     "31:3: levels occur unequally often: \"b\" (b0 4, b1 2); "
		     "a mean over the other factors compares different "
		     "treatments then: compare within them, or leave out whole "
		     "levels\n"
		     "12:3: each level of \"a\" has one level of \"b\": an "
		     "effect of \"b\" cannot be told from those of \"a\"; "
		     "cross them, or leave out \"b\"\n");
}

static void factors_that_never_vary_together(void **state)
{
	const uint16_t rows[] = { 0, 0, 1, 0, 0, 1 };
	struct fixture x;

	(void)state;
	set_up(&x, "22");
	list(&x, rows, 3);
	assert_lints(&x,
		     "31:3: levels occur unequally often: \"a\" (a0 2, a1 1), "
		     "\"b\" (b0 2, b1 1); a mean over the other factors "
		     "compares different treatments then: compare within them, "
		     "or leave out whole levels\n"
		     "12:3: factors \"a\" and \"b\" never vary together: "
		     "whether the effect of one depends on the other cannot "
		     "be seen; add treatments in which both differ\n");
	/* that is what this kind of design means */
	set_up(&x, "22");
	x.matrices[0].kind = DESIGN_ONE_AT_A_TIME;
	assert_lints(&x, "");
}

static void many_pairs_are_counted(void **state)
{
	const uint16_t rows[] = { 0, 0, 0, 0, 1, 1, 1, 1 };
	struct fixture x;
	const char *last;

	(void)state;
	set_up(&x, "2222");
	list(&x, rows, 2);
	plan(&x);
	lint_design(&x.e, &x.x, &x.s, &x.warnings);
	assert_int_equal(x.warnings.n, 4);
	last = x.warnings.items[3];
	assert_string_equal(last, "x.yaml:31:3: 3 more pairs of factors cannot "
				  "be told apart, or do not vary together");
	tear_down(&x);
}

static void effect_that_is_a_sum_of_others(void **state)
{
	/* c1 = b1 + a2 - a3, and every pair of factors varies together */
	const uint16_t rows[] = { 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1,
				  2, 0, 1, 3, 1, 0, 2, 1, 1 };
	struct fixture x;

	(void)state;
	set_up(&x, "422");
	list(&x, rows, 6);
	assert_lints(&x,
		     "31:3: levels occur unequally often: \"a\" (a0 2, a1 2, "
		     "a2 1, a3 1); a mean over the other factors compares "
		     "different treatments then: compare within them, or leave "
		     "out whole levels\n"
		     "31:3: effects of \"a\", \"b\", \"c\" cannot be told "
		     "apart: in these 6 treatments one is a sum of the others; "
		     "add treatments, or leave out a factor\n");
	/* one more tells them apart */
	set_up(&x, "422");
	list(&x, rows, 7);
	assert_lints(&x,
		     "31:3: levels occur unequally often: \"a\" (a0 2, a1 2, "
		     "a2 2, a3 1), \"b\" (b0 3, b1 4), \"c\" (c0 3, c1 4); a "
		     "mean over the other factors compares different "
		     "treatments then: compare within them, or leave out whole "
		     "levels\n");
}

static void main_effects_aliased_with_interactions(void **state)
{
	size_t ab[] = { 0, 1 }, ac[] = { 0, 2 }, abc[] = { 0, 1, 2 };
	struct generator three[] = { { .factor = 3, .of = ab, .n = 2 },
				     { .factor = 4, .of = ac, .n = 2 } };
	struct generator four[] = { { .factor = 3, .of = abc, .n = 3 } };
	struct fixture x;

	(void)state;
	set_up(&x, "22222");
	x.matrices[0].kind = DESIGN_FRACTIONAL;
	x.matrices[0].generators = three;
	x.matrices[0].n_generators = 2;
	assert_lints(&x,
		     "31:3: resolution III: the effect of a factor cannot be "
		     "told from interactions of two others (a = b*d = c*e, b = "
		     "a*d, c = a*e, d = a*b, 1 more); take fewer generators, "
		     "or longer ones\n");
	set_up(&x, "2222");
	x.matrices[0].kind = DESIGN_FRACTIONAL;
	x.matrices[0].generators = four;
	x.matrices[0].n_generators = 1;
	assert_lints(&x, "");
}

static void baseline_that_no_treatment_has(void **state)
{
	const uint16_t rows[] = { 0, 0, 0, 1, 1, 0, 1, 1 };
	struct fixture x;

	(void)state;
	set_up(&x, "32");
	list(&x, rows, 4);
	x.e.baseline = x.baseline;
	x.e.n_baseline = 1;
	x.baseline[0] = (struct condition){ .factor = 0, .level = 2 };
	assert_lints(&x,
		     "11:3: level \"a2\" of factor \"a\" is in no treatment: "
		     "it is not measured; change the filters, or leave it "
		     "out\n"
		     "11:3: no treatment has the baseline a=a2: nothing can be "
		     "compared with it; change the filters, or take another "
		     "baseline\n");
}

static void treatments_without_a_counterpart_at_the_baseline(void **state)
{
	/* all of 2 x 3 but (a0, b2); a0 is the baseline */
	const uint16_t rows[] = { 0, 0, 0, 1, 1, 0, 1, 1, 1, 2 };
	struct fixture x;

	(void)state;
	set_up(&x, "23");
	list(&x, rows, 5);
	x.e.baseline = x.baseline;
	x.e.n_baseline = 1;
	assert_lints(&x,
		     "31:3: levels occur unequally often: \"a\" (a0 2, a1 3), "
		     "\"b\" (b0 2, b1 2, b2 1); a mean over the other factors "
		     "compares different treatments then: compare within them, "
		     "or leave out whole levels\n"
		     "11:3: 1 of 5 treatments have no counterpart at the "
		     "baseline a=a0 (a=a1,b=b2 is the first): they are "
		     "compared with nothing; add the counterparts, or take "
		     "another baseline\n");
}

/* The first matrix crosses a with b for `write`, the second c alone for
 * `copy`. */
static void two_matrices(struct fixture *x)
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

static void baseline_of_other_matrices_is_not_missed(void **state)
{
	struct fixture x;

	(void)state;
	two_matrices(&x);
	x.e.baseline = x.baseline;
	x.e.n_baseline = 1;
	assert_lints(&x, "");
}

static void matrix_is_named_when_there_are_more(void **state)
{
	struct fixture x;

	(void)state;
	two_matrices(&x);
	x.matrices[1].replicates = x.matrices[1].replicates_max = 1;
	assert_lints(&x, "32:3: matrix \"net\": 1 replicate: no interval can "
			 "be given for any result; 5 or more is usual\n");
}

/* b's levels take long to set, or restart the host. */
static void slow_factor_that_is_not_grouped(void **state)
{
	struct treatment_def raid = { .cost = 90 }, quick = { .cost = 2 };
	struct fixture x;

	(void)state;
	set_up(&x, "44");
	x.matrices[0].replicates = x.matrices[0].replicates_max = 3;
	x.roles[0].n_hosts = 1;
	x.uses[1].treatment.def = &raid;
	assert_lints(&x,
		     "12:3: factor \"b\" is set 35 times in this order (about "
		     "54 min 00 s); \"change: hard\" on \"b\" makes that 10 "
		     "(about 16 min 30 s): runs at one level are kept together "
		     "in each round\n");
	raid.cost = 0;
	raid.reboot = true;
	set_up(&x, "44");
	x.matrices[0].replicates = x.matrices[0].replicates_max = 3;
	x.roles[0].n_hosts = 1;
	x.uses[1].treatment.def = &raid;
	assert_lints(&x,
		     "12:3: factor \"b\" restarts hosts 70 times in this "
		     "order; \"change: hard\" on \"b\" makes that 20: runs at "
		     "one level are kept together in each round\n");
	/* grouped, quick, or in the order of the file */
	set_up(&x, "44");
	x.uses[1].treatment.def = &raid;
	x.factors[1].hard = true;
	assert_lints(&x, "");
	set_up(&x, "44");
	x.uses[1].treatment.def = &quick;
	assert_lints(&x, "");
	set_up(&x, "44");
	x.uses[1].treatment.def = &raid;
	x.matrices[0].order = ORDER_AS_WRITTEN;
	assert_lints(&x, "30:3: the order is as written: what changes with "
			 "time (heat, caches, other load) is taken for an "
			 "effect of the factors; write order: randomized\n");
}

static void slow_setup_that_is_not_grouped(void **state)
{
	struct treatment_def build = { .cost = 600 };
	struct setup setup = { .name = (char *)"build", .mark = line(40),
			       .per = (size_t[]){ 0, 1 }, .n_per = 2,
			       .treatment.def = &build };
	struct fixture x;

	(void)state;
	set_up(&x, "224");
	x.roles[0].n_hosts = 1;
	x.e.setups = &setup;
	x.e.n_setups = 1;
	assert_lints(&x,
		     "40:3: set-up \"build\" is made 53 times in this order "
		     "(about 9 h 00 min); \"change: hard\" on \"a\" and \"b\" "
		     "makes that 14 (about 2 h 30 min): runs at one level are "
		     "kept together in each round\n");
	set_up(&x, "224");
	x.roles[0].n_hosts = 1;
	x.e.setups = &setup;
	x.e.n_setups = 1;
	x.factors[0].hard = x.factors[1].hard = true;
	assert_lints(&x, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_design_is_silent),
		cmocka_unit_test(too_few_replicates),
		cmocka_unit_test(whole_plots_that_are_set_up_once),
		cmocka_unit_test(factor_with_one_level),
		cmocka_unit_test(order_as_written),
		cmocka_unit_test(only_one_block),
		cmocka_unit_test(levels_on_different_hosts),
		cmocka_unit_test(latin_square_of_hosts_is_silent),
		cmocka_unit_test(levels_in_no_treatment),
		cmocka_unit_test(levels_that_occur_unequally_often),
		cmocka_unit_test(axis_under_some_levels_is_silent),
		cmocka_unit_test(factors_that_change_together),
		cmocka_unit_test(factor_that_follows_from_another),
		cmocka_unit_test(factors_that_never_vary_together),
		cmocka_unit_test(many_pairs_are_counted),
		cmocka_unit_test(effect_that_is_a_sum_of_others),
		cmocka_unit_test(main_effects_aliased_with_interactions),
		cmocka_unit_test(baseline_that_no_treatment_has),
		cmocka_unit_test(
			treatments_without_a_counterpart_at_the_baseline),
		cmocka_unit_test(baseline_of_other_matrices_is_not_missed),
		cmocka_unit_test(matrix_is_named_when_there_are_more),
		cmocka_unit_test(slow_factor_that_is_not_grouped),
		cmocka_unit_test(slow_setup_that_is_not_grouped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
