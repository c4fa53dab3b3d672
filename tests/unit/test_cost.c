#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/error.h"
#include "orchestrate/schedule/cost.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
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
static struct treatment_def raid = { .cost = 10 }, fs = { .cost = 3 }, mode;
static struct factor_use uses[] = {
	{ .treatment.def = &raid }, { .treatment.def = NULL },
	{ .treatment.def = &fs }, { .treatment.def = &mode },
};
static struct host hosts[] = {
	{ .name = (char[]){ "a" } },
	{ .name = (char[]){ "b" } },
	{ .name = (char[]){ "c" } },
};
static const struct experiment experiment = {
	.hosts = hosts, .n_hosts = 3, .factors = factors, .n_factors = 4,
	.uses = uses,
};

struct want {
	size_t changes[4];
	size_t n_hosts;
	double seconds, longest;
};

static void assert_cost(struct run *runs, size_t n_runs, const size_t *chosen,
			size_t n, const struct want *want)
{
	static const double run_seconds[] = { 1, 5 };
	struct error err = ERROR_INIT;
	struct schedule s = { .experiment = &experiment, .runs = runs,
			      .n_runs = n_runs };
	struct design d;
	struct cost c;

	assert_int_equal(design_build(&d, DESIGN_FULL_FACTORIAL, factors, 4,
				      &err), 0);
	s.design = &d;
	cost_of_runs(&c, &s, chosen, n, run_seconds);
	assert_int_equal(c.n_factors, 4);
	for (size_t f = 0; f < 4; f++)
		assert_int_equal(c.changes[f], want->changes[f]);
	assert_int_equal(c.n_hosts, want->n_hosts);
	assert_true(c.seconds == want->seconds);
	assert_true(c.longest == want->longest);
	cost_release(&c);
	design_release(&d);
}

static void change_takes_along_what_stands_on_top(void **state)
{
	struct run runs[] = {
		{ .treatment = 0 }, /* all applied: 13 s + 1 s */
		{ .treatment = 0 }, /* nothing */
		{ .treatment = 1 }, /* mode */
		{ .treatment = 3 }, /* fs, mode: 3 s */
		{ .treatment = 11 }, /* raid, fs, mode: 13 s */
	};

	(void)state;
	assert_cost(runs, 5, NULL, 0, &(struct want){
		{ 1, 0, 2, 3 }, 1, 13 + 3 + 13 + 5, 34 });
}

static void plain_factor_changes_nothing(void **state)
{
	struct run runs[] = {
		{ .treatment = 0 }, { .treatment = 4 }, { .treatment = 0 },
	};

	(void)state;
	assert_cost(runs, 3, NULL, 0, &(struct want){
		{ 0, 0, 0, 0 }, 1, 13 + 3, 16 });
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
		{ 1, 0, 1, 1 }, 2, (13 + 1 + 5) + (13 + 1 + 1 + 13 + 1), 29 });
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
		{ 0, 0, 0, 0 }, 3, 14 + 18 + 14, 28 });
	hosts[0].shares = hosts[1].shares = hosts[2].shares = NULL;
	assert_cost(runs, 3, NULL, 0, &(struct want){
		{ 0, 0, 0, 0 }, 3, 14 + 18 + 14, 18 });
}

static void chosen_runs_count_in_their_order(void **state)
{
	struct run runs[] = {
		{ .treatment = 0 }, { .treatment = 8 }, { .treatment = 0 },
	};
	const size_t chosen[] = { 0, 2 };

	(void)state;
	assert_cost(runs, 3, chosen, 2, &(struct want){
		{ 0, 0, 0, 0 }, 1, 13 + 2, 15 });
	assert_cost(runs, 3, chosen, 0, &(struct want){
		{ 0, 0, 0, 0 }, 0, 0, 0 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(change_takes_along_what_stands_on_top),
		cmocka_unit_test(plain_factor_changes_nothing),
		cmocka_unit_test(hosts_are_followed_apart),
		cmocka_unit_test(hosts_that_share_take_turns),
		cmocka_unit_test(chosen_runs_count_in_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
