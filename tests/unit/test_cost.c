#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "orchestrate/schedule/cost.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/matrix.h"
#include "orchestrate/spec/treatment_def.h"

/*
 * Two levels each of: raid (10 s a change), threads (plain), fs (3 s), mode (a
 * definition without a cost). Treatments count like an odometer: number
 * 8 raid + 4 threads + 2 fs + mode.
 */
static struct level two[] = { { .name = (char[]){ "0" } },
			      { .name = (char[]){ "1" } } };
static struct factor factors[] = {
	{ .name = (char[]){ "raid" }, .levels = two, .n_levels = 2 },
	{ .name = (char[]){ "threads" }, .levels = two, .n_levels = 2 },
	{ .name = (char[]){ "fs" }, .levels = two, .n_levels = 2 },
	{ .name = (char[]){ "mode" }, .levels = two, .n_levels = 2 },
};
static struct treatment_def raid = { .cost = 10 }, fs = { .cost = 3 }, mode,
	build = { .cost = 100 };
static struct factor_use uses[] = {
	{ .treatment.def = &raid }, { .treatment.def = NULL },
	{ .treatment.def = &fs }, { .treatment.def = &mode },
};
static struct host hosts[] = {
	{ .name = (char[]){ "a" } },
	{ .name = (char[]){ "b" } },
	{ .name = (char[]){ "c" } },
};
static struct benchmark benchmarks[] = {
	{ .name = (char[]){ "write" }, .role = (char[]){ "sut" },
	  .repeats = 1 },
	{ .name = (char[]){ "copy" }, .role = (char[]){ "sut" },
	  .repeats = 3, .warmup = 2 },
};
static struct role roles[] = {
	{ .name = (char[]){ "sut" }, .hosts = (size_t[]){ 0 }, .n_hosts = 1 },
	{ .name = (char[]){ "peer" }, .hosts = (size_t[]){ 1, 2 },
	  .n_hosts = 2 },
};

struct fixture {
	struct experiment e;
	struct design d;
	struct schedule s;
	struct cost c;
};

static void set_up(struct fixture *x, struct run *runs, size_t n)
{
	struct error err = ERROR_INIT;

	*x = (struct fixture){ .s = { .runs = runs, .n_runs = n } };
	x->e = (struct experiment){
		.hosts = hosts, .n_hosts = 3,
		.factors = factors, .n_factors = 4, .uses = uses,
		.benchmarks = benchmarks, .n_benchmarks = 2,
		.roles = roles, .n_roles = 2,
	};
	layers_build(&x->e);
	assert_int_equal(design_build(&x->d, DESIGN_FULL_FACTORIAL, factors, 4,
				      &err), 0);
	x->s.experiment = &x->e;
	x->s.design = &x->d;
}

static void tear_down(struct fixture *x)
{
	cost_release(&x->c);
	design_release(&x->d);
	free(x->e.layers);
}

/* A run of `write` takes 1 s, of `copy` 5 s. */
static void find_cost(struct fixture *x, const size_t *chosen, size_t n)
{
	static const double run_seconds[] = { 1, 5 };
	const struct cost_times times = { .runs = run_seconds };

	cost_release(&x->c);
	cost_of_runs(&x->c, &x->s, chosen, n, &times);
}

struct want {
	size_t applied[3];  /* raid, fs, mode */
	size_t n_hosts;
	double seconds, longest;
};

static void assert_cost(struct run *runs, size_t n_runs, const size_t *chosen,
			size_t n, const struct want *want)
{
	static const char *const names[] = { "raid", "fs", "mode" };
	struct fixture x;
	size_t applied = 0;

	set_up(&x, runs, n_runs);
	find_cost(&x, chosen, n);
	assert_int_equal(x.c.n_layers, 3);
	for (size_t l = 0; l < 3; l++) {
		assert_string_equal(x.c.layers[l].name, names[l]);
		assert_int_equal(x.c.layers[l].applied, want->applied[l]);
		/* what was applied is put back */
		assert_int_equal(x.c.layers[l].reverted, want->applied[l]);
		assert_int_equal(x.c.layers[l].reboots, 0);
		applied += want->applied[l];
	}
	assert_int_equal(x.c.applied, applied);
	assert_int_equal(x.c.reverted, applied);
	assert_int_equal(x.c.n_hosts, want->n_hosts);
	assert_true(x.c.seconds == want->seconds);
	assert_true(x.c.longest == want->longest);
	assert_int_equal(x.c.n_runs, chosen ? n : n_runs);
	assert_int_equal(x.c.n_untimed, 0);
	tear_down(&x);
}

static void change_takes_along_what_stands_on_top(void **state)
{
	struct run runs[] = {
		{ .treatment = 0 }, /* all applied: 13 s + 1 s */
		{ .treatment = 0 }, /* nothing */
		{ .treatment = 1 }, /* mode */
		{ .treatment = 3 }, /* fs, mode: 3 s */
		{ .treatment = 11 }, /* raid, fs, mode: 13 s */
	}; /* and back: 13 s */

	(void)state;
	assert_cost(runs, 5, NULL, 0, &(struct want){
		{ 2, 3, 4 }, 1, 13 + 3 + 13 + 13 + 5, 47 });
}

static void plain_factor_changes_nothing(void **state)
{
	struct run runs[] = {
		{ .treatment = 0 }, { .treatment = 4 }, { .treatment = 0 },
	};

	(void)state;
	assert_cost(runs, 3, NULL, 0, &(struct want){
		{ 1, 1, 1 }, 1, 13 + 3 + 13, 29 });
}

static void hosts_are_followed_apart(void **state)
{
	struct run runs[] = {
		{ .treatment = 0, .host = 0 },
		{ .treatment = 8, .host = 1 },
		{ .treatment = 0, .host = 0, .benchmark = 1 },
		{ .treatment = 8, .host = 1 },
		{ .treatment = 0, .host = 1 },
	};

	(void)state;
	assert_cost(runs, 5, NULL, 0, &(struct want){
		{ 3, 3, 3 }, 2,
		(13 + 1 + 5 + 13) + (13 + 1 + 1 + 13 + 1 + 13), 42 });
}

static void hosts_that_share_take_turns(void **state)
{
	struct run runs[] = {
		{ .treatment = 0, .host = 0 },
		{ .treatment = 0, .host = 1, .benchmark = 1 },
		{ .treatment = 0, .host = 2 },
	};

	(void)state;
	hosts[0].shares = hosts[2].shares = (char[]){ "machine" };
	hosts[1].shares = (char[]){ "other" };
	assert_cost(runs, 3, NULL, 0, &(struct want){
		{ 3, 3, 3 }, 3, 27 + 31 + 27, 54 });
	hosts[0].shares = hosts[1].shares = hosts[2].shares = NULL;
	assert_cost(runs, 3, NULL, 0, &(struct want){
		{ 3, 3, 3 }, 3, 27 + 31 + 27, 31 });
}

static void chosen_runs_count_in_their_order(void **state)
{
	struct run runs[] = {
		{ .treatment = 0 }, { .treatment = 8 }, { .treatment = 0 },
	};
	const size_t chosen[] = { 0, 2 };

	(void)state;
	assert_cost(runs, 3, chosen, 2, &(struct want){
		{ 1, 1, 1 }, 1, 26 + 2, 28 });
	assert_cost(runs, 3, chosen, 0, &(struct want){
		{ 0, 0, 0 }, 0, 0, 0 });
}

static void every_apply_and_revert_of_a_kernel_is_a_reboot(void **state)
{
	struct run runs[] = {
		{ .treatment = 0 }, { .treatment = 8 }, { .treatment = 12 },
	};
	struct fixture x;

	(void)state;
	raid.reboot = true;
	set_up(&x, runs, 3);
	find_cost(&x, NULL, 0);
	assert_true(x.c.layers[0].is_reboot);
	assert_false(x.c.layers[1].is_reboot);
	assert_int_equal(x.c.layers[0].reboots, 4);
	assert_int_equal(x.c.reboots, 4);
	tear_down(&x);
	raid.reboot = false;
}

static void only_the_level_that_needs_it_reboots(void **state)
{
	struct treatment_def mainline = { .cost = 7, .reboot = true };
	struct level_use levels[] = {
		{ .n_vars = 0 }, { .treatment.def = &mainline },
	};
	struct run runs[] = {
		{ .treatment = 0 },  /* 10 */
		{ .treatment = 8 },  /* 7 */
	}; /* 7 */
	struct fixture x;

	(void)state;
	uses[0].levels = levels;
	set_up(&x, runs, 2);
	find_cost(&x, NULL, 0);
	assert_true(x.c.layers[0].is_reboot);
	assert_int_equal(x.c.layers[0].reboots, 2);
	assert_true(x.c.layers[0].seconds == 24);
	tear_down(&x);
	uses[0].levels = NULL;
}

static void absent_factor_is_reverted_and_not_applied(void **state)
{
	struct run runs[] = {
		{ .treatment = 0 }, { .treatment = 2 }, { .treatment = 0 },
	};
	struct fixture x;

	(void)state;
	set_up(&x, runs, 3);
	/* treatment 2 becomes the one without fs */
	x.d.cells[2 * 4 + 2] = DESIGN_ABSENT;
	find_cost(&x, NULL, 0);
	assert_int_equal(x.c.layers[1].applied, 2);
	assert_int_equal(x.c.layers[1].reverted, 2);
	/* applied, reverted, applied, reverted */
	assert_true(x.c.layers[1].seconds == 12);
	assert_int_equal(x.c.layers[2].applied, 3);
	tear_down(&x);
}

static void setup_is_made_anew_when_one_of_its_factors_changes(void **state)
{
	struct setup setups[] = {
		{ .name = (char[]){ "build" }, .per = (size_t[]){ 1 },
		  .n_per = 1, .treatment.def = &build },
	};
	struct run runs[] = {
		{ .treatment = 0 }, { .treatment = 2 }, /* fs */
		{ .treatment = 4 },                     /* threads */
		{ .treatment = 12 },                    /* raid, below it */
	};
	struct fixture x;

	(void)state;
	set_up(&x, runs, 4);
	x.e.setups = setups;
	x.e.n_setups = 1;
	layers_build(&x.e);
	find_cost(&x, NULL, 0);
	assert_int_equal(x.c.n_layers, 4);
	assert_string_equal(x.c.layers[1].name, "build");
	assert_int_equal(x.c.layers[1].applied, 3);
	assert_true(x.c.layers[1].seconds == 400);
	tear_down(&x);
}

static void measured_changes_replace_declared_ones(void **state)
{
	const double measured[] = { NAN, 0.5, 2 };
	struct run runs[] = { { .treatment = 0 }, { .treatment = 2 } };
	const double run_seconds[] = { 1, 5 };
	const struct cost_times times = { .layers = measured,
					  .runs = run_seconds };
	struct fixture x;

	(void)state;
	set_up(&x, runs, 2);
	cost_of_runs(&x.c, &x.s, NULL, 0, &times);
	assert_true(x.c.layers[0].seconds == 20);
	assert_true(x.c.layers[1].seconds == 1.5);
	assert_true(x.c.layers[2].seconds == 6);
	assert_true(x.c.seconds == 29.5);
	tear_down(&x);
}

static void warmup_and_repeats_count_only_when_no_run_was_measured(void **state)
{
	const double run_seconds[] = { NAN, 8 }, unknown[] = { NAN, NAN };
	const double executions[] = { 2, 2 };
	struct run runs[] = { { .benchmark = 0 }, { .benchmark = 1 } };
	struct cost_times times = { .runs = run_seconds,
				    .executions = executions };
	struct fixture x;

	(void)state;
	set_up(&x, runs, 2);
	cost_of_runs(&x.c, &x.s, NULL, 0, &times);
	assert_true(x.c.seconds == 26 + 2 + 8);
	cost_release(&x.c);
	times.runs = NULL;
	cost_of_runs(&x.c, &x.s, NULL, 0, &times);
	assert_true(x.c.seconds == 26 + 2 + 5 * 2);
	assert_int_equal(x.c.n_untimed, 0);
	cost_release(&x.c);
	times.runs = unknown;
	times.executions = NULL;
	cost_of_runs(&x.c, &x.s, NULL, 0, &times);
	assert_true(x.c.seconds == 26);
	assert_int_equal(x.c.n_untimed, 2);
	tear_down(&x);
}

static void optional_runs_are_a_range(void **state)
{
	struct run runs[] = {
		{ .treatment = 0 }, { .treatment = 8, .optional = true },
		{ .treatment = 0, .optional = true },
	};
	struct fixture x;

	(void)state;
	set_up(&x, runs, 3);
	find_cost(&x, NULL, 0);
	assert_int_equal(x.c.n_runs, 1);
	assert_true(x.c.longest == 27);
	assert_int_equal(x.c.layers[0].applied, 1);
	assert_int_equal(x.c.n_runs_most, 3);
	assert_true(x.c.longest_most == 13 * 4 + 3);
	x.s.n_runs = 1;
	find_cost(&x, NULL, 0);
	assert_int_equal(x.c.n_runs_most, 1);
	assert_true(x.c.longest_most == 27);
	tear_down(&x);
}

/* Two rounds of a plan on host a; its peers b and c take turns. */
struct planned {
	struct fixture x;
	struct matrix m;
	struct expansion expansion;
};

static void plan(struct planned *p)
{
	struct problems problems = PROBLEMS_INIT;
	struct error err = ERROR_INIT;
	struct experiment *e = &p->x.e;

	set_up(&p->x, NULL, 0);
	e->n_benchmarks = 1;
	p->m = (struct matrix){ .name = (char *)"", .replicates = 2,
				.order = ORDER_AS_WRITTEN };
	e->matrices = &p->m;
	e->n_matrices = 1;
	matrix_take_all(&p->m, e);
	assert_int_equal(expansion_make(&p->expansion, e, &problems), 0);
	assert_int_equal(schedule_plan(&p->x.s, e, &p->expansion, 1, &err), 0);
	find_cost(&p->x, NULL, 0);
}

static void unplan(struct planned *p)
{
	free(p->m.factors);
	free(p->m.benchmarks);
	schedule_release(&p->x.s);
	expansion_release(&p->expansion);
	tear_down(&p->x);
}

static void setting_of_another_role_changes_its_hosts(void **state)
{
	size_t chosen[32], n = 0;
	struct planned p;

	(void)state;
	raid.applies_to = (char[]){ "peer" };
	plan(&p);
	/* 16 treatments, round 1 with b as the peer, round 2 with c: on each
	 * raid is applied twice */
	assert_int_equal(p.x.c.layers[0].applied, 4);
	assert_int_equal(p.x.c.layers[0].reverted, 4);
	/* fs stands on the run's host and does not feel it */
	assert_int_equal(p.x.c.layers[1].applied, 16);
	assert_int_equal(p.x.c.n_hosts, 1);
	/* what never changes is set once on each peer */
	for (size_t i = 0; i < p.x.s.n_runs; i++)
		if (p.x.s.runs[i].treatment < 8)
			chosen[n++] = i;
	find_cost(&p.x, chosen, n);
	assert_int_equal(n, 16);
	assert_int_equal(p.x.c.layers[0].applied, 2);
	unplan(&p);
	raid.applies_to = NULL;
}

static void setting_counts_for_each_host_of_a_role(void **state)
{
	struct planned p;

	(void)state;
	raid.applies_to = (char[]){ "peer" };
	roles[1].count.value = (char[]){ "2" };
	plan(&p);
	/* b and c together, in both rounds */
	assert_int_equal(p.x.c.layers[0].applied, 8);
	assert_int_equal(p.x.c.layers[0].reverted, 8);
	assert_true(p.x.c.layers[0].seconds == 100);
	unplan(&p);
	/* raid=0 on one of them, raid=1 on both: the first of round 1 is set
	 * twice, the other three times */
	roles[1].count.value = (char[]){ "= raid + 1" };
	plan(&p);
	assert_int_equal(p.x.c.layers[0].applied, 5);
	unplan(&p);
	raid.applies_to = NULL;
	roles[1].count.value = NULL;
}

static void settings_of_the_run_s_role_are_on_all_its_hosts(void **state)
{
	struct planned p;

	(void)state;
	benchmarks[0].role = (char[]){ "peer" };
	plan(&p);
	assert_int_equal(p.x.c.layers[0].applied, 4);
	unplan(&p);
	roles[1].count.value = (char[]){ "2" };
	plan(&p);
	assert_int_equal(p.x.c.layers[0].applied, 8);
	unplan(&p);
	roles[1].count.value = NULL;
	benchmarks[0].role = (char[]){ "sut" };
}

static void hosts_that_one_run_needs_take_turns(void **state)
{
	struct service service = { .name = (char[]){ "echo" },
				   .role = (char[]){ "sut" } };
	struct planned p;
	double longest;

	(void)state;
	benchmarks[0].role = (char[]){ "peer" };
	plan(&p);
	longest = p.x.c.longest;
	assert_true(longest * 2 == p.x.c.seconds);
	unplan(&p);
	/* both peers need the one that serves */
	benchmarks[0].services = &service;
	benchmarks[0].n_services = 1;
	plan(&p);
	assert_true(p.x.c.longest == 2 * longest);
	assert_int_equal(p.x.c.n_hosts, 2);
	unplan(&p);
	benchmarks[0].role = (char[]){ "sut" };
	benchmarks[0].services = NULL;
	benchmarks[0].n_services = 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(change_takes_along_what_stands_on_top),
		cmocka_unit_test(plain_factor_changes_nothing),
		cmocka_unit_test(hosts_are_followed_apart),
		cmocka_unit_test(hosts_that_share_take_turns),
		cmocka_unit_test(chosen_runs_count_in_their_order),
		cmocka_unit_test(
			every_apply_and_revert_of_a_kernel_is_a_reboot),
		cmocka_unit_test(only_the_level_that_needs_it_reboots),
		cmocka_unit_test(absent_factor_is_reverted_and_not_applied),
		cmocka_unit_test(
			setup_is_made_anew_when_one_of_its_factors_changes),
		cmocka_unit_test(measured_changes_replace_declared_ones),
		cmocka_unit_test(
			warmup_and_repeats_count_only_when_no_run_was_measured),
		cmocka_unit_test(optional_runs_are_a_range),
		cmocka_unit_test(setting_of_another_role_changes_its_hosts),
		cmocka_unit_test(setting_counts_for_each_host_of_a_role),
		cmocka_unit_test(
			settings_of_the_run_s_role_are_on_all_its_hosts),
		cmocka_unit_test(hosts_that_one_run_needs_take_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
