#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/matrix.h"
#include "orchestrate/spec/experiment.h"

/* A 2 x 3 design, two benchmarks, pools of two hosts and of one. */
static struct level two[] = { { .name = (char[]){ "disk" } },
			      { .name = (char[]){ "memory" } } };
static struct level three[] = { { .name = (char[]){ "4" } },
				{ .name = (char[]){ "16" } },
				{ .name = (char[]){ "64" } } };
static struct factor factors[] = {
	{ .name = (char[]){ "place" }, .levels = two, .n_levels = 2 },
	{ .name = (char[]){ "kib" }, .levels = three, .n_levels = 3 },
};
static struct host hosts[] = { { .name = (char[]){ "alpha" } },
			       { .name = (char[]){ "beta" } },
			       { .name = (char[]){ "gamma" } } };
static struct role roles[] = {
	{ .name = (char[]){ "sut" }, .hosts = (size_t[]){ 0, 2 },
	  .n_hosts = 2 },
	{ .name = (char[]){ "load" }, .hosts = (size_t[]){ 1 },
	  .n_hosts = 1 },
};
static struct benchmark benchmarks[] = {
	{ .name = (char[]){ "write" }, .role = (char[]){ "sut" } },
	{ .name = (char[]){ "copy" }, .role = (char[]){ "sut" } },
};

struct fixture {
	struct experiment e;
	struct expansion d;
	struct matrix m;
	struct schedule s;
	struct error err;
};

static struct fixture *set_up(uint32_t replicates)
{
	struct fixture *x = mem_zalloc(1, sizeof(*x));
	struct problems problems = PROBLEMS_INIT;

	x->e = (struct experiment){
		.hosts = hosts, .n_hosts = 3,
		.roles = roles, .n_roles = 2,
		.factors = factors, .n_factors = 2,
		.benchmarks = benchmarks, .n_benchmarks = 2,
		.matrices = &x->m, .n_matrices = 1,
	};
	x->m = (struct matrix){ .name = (char *)"",
				.replicates = replicates,
				.replicates_max = replicates };
	matrix_take_all(&x->m, &x->e);
	assert_int_equal(expansion_make(&x->d, &x->e, &problems), 0);
	return x;
}

static void plan(struct fixture *x, uint64_t seed)
{
	schedule_release(&x->s);
	if (schedule_plan(&x->s, &x->e, &x->d, seed, &x->err))
		fail_msg("%s", x->err.text);
}

static void tear_down(struct fixture *x)
{
	schedule_release(&x->s);
	expansion_release(&x->d);
	free(x->m.factors);
	free(x->m.benchmarks);
	factors[0].hard = false;
	free(x);
}

/* "w0a": benchmark's first letter, treatment, host's first letter */
static char *order_text(const struct fixture *x)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < x->s.n_runs; i++) {
		const struct run *r = &x->s.runs[i];

		buf_addf(&b, "%s%c%u%c", i ? " " : "",
			 benchmarks[r->benchmark].name[0], r->treatment,
			 hosts[r->host].name[0]);
	}
	return buf_detach(&b);
}

/*
 * Computed from schedule.h alone by a program of its own. A change here makes
 * every published seed mean another order.
 */
static void order_of_a_seed_never_changes(void **state)
{
	struct fixture *x = set_up(3);
	char *text;

	(void)state;
	plan(x, 20261130);
	text = order_text(x);
	assert_string_equal(text,
			    "c5a c0a w5a c2a w1a c1a w0a w4a w3a c3a c4a w2a "
			    "c3g c1g w1g c5g w0g c4g w3g w5g w4g w2g c2g c0g "
			    "w4a w2a w5a c3a c2a w0a c1a w1a c0a c5a c4a w3a");
	free(text);
	tear_down(x);
}

/* Of the same age: rounds on every host, and whole plots. */
static void order_of_blocks_and_plots_never_changes(void **state)
{
	static const char *const want[] = {
		"c1a c4a w3a w1a c3a w4a c2a w2a w0a c0a c5a w5a "
		"w2g w1g c2g c5g w5g c1g w3g w4g c3g w0g c0g c4g "
		"c3a c0a w1a c5a c4a w3a c2a w2a w5a w4a c1a w0a "
		"w0g w1g w5g c5g c0g c4g w4g w3g w2g c3g c1g c2g",
		"c0a w2a c1a w0a w1a c2a w5a c5a c3a w4a w3a c4a "
		"w5g c3g c4g c5g w3g w4g w2g w1g w0g c0g c2g c1g "
		"w4a c3a w5a c5a c4a w3a c1a c2a w1a w0a w2a c0a "
		"c5g w4g w3g w5g c4g c3g w0g w1g c2g w2g c1g c0g",
		"w3a c0a c3a w0a w1a c1a w4a c4a c2a w2a c5a w5a "
		"w3g c3g w0g c0g w2g c2g w5g c5g c1g w4g w1g c4g "
		"w4a c4a c1a w1a w5a c5a w2a c2a c0a c3a w3a w0a "
		"w0g c3g c0g w3g c1g c4g w1g w4g w2g w5g c5g c2g",
	};

	(void)state;
	for (int hard = 0; hard < 3; hard++) {
		struct fixture *x = set_up(2);
		char *text;

		x->m.blocks = BLOCK_HOST;
		factors[0].hard = hard == 1;
		factors[1].hard = hard == 2;
		plan(x, 42);
		text = order_text(x);
		assert_string_equal(text, want[hard]);
		free(text);
		factors[1].hard = false;
		tear_down(x);
	}
}

static void other_seeds_give_other_orders(void **state)
{
	struct fixture *x = set_up(3);
	char *text[20];

	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		plan(x, seed);
		text[seed] = order_text(x);
		for (uint64_t i = 0; i < seed; i++)
			assert_string_not_equal(text[i], text[seed]);
	}
	for (int i = 0; i < 20; i++)
		free(text[i]);
	tear_down(x);
}

static void every_run_occurs_once_and_every_round_is_complete(void **state)
{
	struct fixture *x = set_up(5);
	bool seen[5][12] = { { false } };

	(void)state;
	plan(x, 7);
	assert_int_equal(x->s.n_runs, 60);
	for (size_t i = 0; i < 60; i++) {
		const struct run *r = &x->s.runs[i];
		bool *s = &seen[r->replicate - 1][6 * r->benchmark +
						  r->treatment];

		/* rounds follow one another */
		assert_int_equal(r->replicate, i / 12 + 1);
		assert_false(*s);
		*s = true;
	}
	tear_down(x);
}

static void round_is_on_one_host_and_hosts_take_turns(void **state)
{
	struct fixture *x = set_up(5);
	bool started[3] = { false };

	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		uint32_t first;

		plan(x, seed);
		first = x->s.runs[0].host;
		assert_true(first == 0 || first == 2);
		started[first] = true;
		for (size_t i = 0; i < 60; i++)
			assert_int_equal(x->s.runs[i].host,
					 i / 12 % 2 ? 2 - first : first);
	}
	assert_true(started[0] && started[2]);
	tear_down(x);
}

static void block_host_gives_every_host_all_replicates(void **state)
{
	unsigned count[3][12] = { { 0 } };
	struct fixture *x = set_up(5);

	(void)state;
	x->m.blocks = BLOCK_HOST;
	plan(x, 1);
	assert_int_equal(x->s.n_runs, 120);
	for (size_t i = 0; i < 120; i++) {
		const struct run *r = &x->s.runs[i];

		assert_int_equal(r->replicate, i / 12 + 1);
		count[r->host][6 * r->benchmark + r->treatment]++;
	}
	for (size_t i = 0; i < 12; i++) {
		assert_int_equal(count[0][i], 5);
		assert_int_equal(count[1][i], 0);
		assert_int_equal(count[2][i], 5);
	}
	tear_down(x);
}

static void smaller_pool_has_fewer_rounds_in_blocks(void **state)
{
	struct benchmark own[2] = { benchmarks[0], benchmarks[1] };
	struct fixture *x = set_up(2);
	unsigned runs_of[2] = { 0 };

	(void)state;
	own[1].role = (char[]){ "load" };
	x->e.benchmarks = own;
	x->m.blocks = BLOCK_HOST;
	plan(x, 1);
	assert_int_equal(x->s.n_runs, 6 * 4 + 6 * 2);
	for (size_t i = 0; i < x->s.n_runs; i++) {
		const struct run *r = &x->s.runs[i];

		runs_of[r->benchmark]++;
		assert_int_equal(r->host == 1, r->benchmark == 1);
		assert_true(r->replicate <= (r->benchmark ? 2 : 4));
	}
	assert_int_equal(runs_of[0], 24);
	assert_int_equal(runs_of[1], 12);
	tear_down(x);
}

static void more_replicates_leave_earlier_rounds_alone(void **state)
{
	struct fixture *x = set_up(3), *y = set_up(7);

	(void)state;
	plan(x, 5);
	plan(y, 5);
	assert_memory_equal(x->s.runs, y->s.runs,
			    x->s.n_runs * sizeof(struct run));
	tear_down(x);
	tear_down(y);
}

static void order_as_written_is_the_file_s(void **state)
{
	struct fixture *x = set_up(2);
	char *text;

	(void)state;
	x->m.order = ORDER_AS_WRITTEN;
	plan(x, 3);
	text = order_text(x);
	assert_string_equal(text,
			    "w0a w1a w2a w3a w4a w5a c0a c1a c2a c3a c4a c5a "
			    "w0g w1g w2g w3g w4g w5g c0g c1g c2g c3g c4g c5g");
	free(text);
	tear_down(x);
}

static void hard_factor_forms_whole_plots(void **state)
{
	struct fixture *x = set_up(40);
	int disk_first = 0;

	(void)state;
	factors[0].hard = true;
	plan(x, 11);
	for (size_t round = 0; round < 40; round++) {
		const struct run *r = x->s.runs + 12 * round;
		size_t plot = r[0].treatment / 3;
		unsigned seen = 0;

		for (size_t i = 0; i < 12; i++) {
			assert_int_equal(r[i].treatment / 3,
					 i < 6 ? plot : 1 - plot);
			seen |= 1u << (6 * r[i].benchmark + r[i].treatment);
		}
		assert_int_equal(seen, 0xfff);
		disk_first += plot == 0;
	}
	/* both orders of the plots occur; 40 fair coins */
	assert_in_range(disk_first, 8, 32);
	tear_down(x);
}

static void key_says_benchmark_treatment_and_replicate(void **state)
{
	struct fixture *x = set_up(1);
	struct buf key = BUF_INIT;

	(void)state;
	x->m.order = ORDER_AS_WRITTEN;
	plan(x, 1);
	schedule_run_key(&x->s, 11, &key);
	assert_string_equal(key.data, "copy/kib=64,place=memory#1");
	buf_clear(&key);
	benchmarks[0].name[0] = '/';
	schedule_run_key(&x->s, 0, &key);
	assert_string_equal(key.data, "%2Frite/kib=4,place=disk#1");
	benchmarks[0].name[0] = 'w';
	buf_release(&key);
	tear_down(x);
}

static int is_done(void *ctx, const char *key)
{
	return map_get(ctx, key) ? 1 : 0;
}

static int fails_at_third(void *ctx, const char *key)
{
	(void)key;
	return ++*(int *)ctx == 3 ? -1 : 0;
}

static void missing_is_the_design_minus_what_is_done(void **state)
{
	struct fixture *x = set_up(2);
	struct map done = MAP_INIT;
	struct buf key = BUF_INIT;
	size_t out[24], n;
	int calls = 0;

	(void)state;
	plan(x, 9);
	for (size_t i = 0; i < 24; i += 3) {
		buf_clear(&key);
		schedule_run_key(&x->s, i, &key);
		map_put(&done, key.data, x);
	}
	n = schedule_missing(&x->s, is_done, &done, out);
	assert_int_equal(n, 16);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(out[i], i / 2 * 3 + i % 2 + 1);
	assert_int_equal(schedule_missing(&x->s, fails_at_third, &calls, out),
			 2);
	assert_int_equal(calls, 3);
	buf_release(&key);
	map_release(&done);
	tear_down(x);
}

static void what_was_not_expanded_is_refused(void **state)
{
	const struct expansion none = { .shares = NULL };
	struct fixture *x = set_up(1);

	(void)state;
	assert_int_equal(schedule_plan(&x->s, &x->e, &none, 1, &x->err), -1);
	assert_string_equal(x->err.text, "there is nothing to run: the design "
					 "has no treatment");
	tear_down(x);
}

static void assert_refused(struct fixture *x, const char *want)
{
	assert_int_equal(schedule_plan(&x->s, &x->e, &x->d, 1, &x->err), -1);
	assert_int_equal(x->err.kind, ERROR_USAGE);
	assert_string_equal(x->err.text, want);
	assert_null(x->s.runs);
}

static void what_cannot_be_planned_is_refused(void **state)
{
	struct fixture *x = set_up(0);

	(void)state;
	assert_refused(x, "there is nothing to run: `replicates` is 0");
	x->m.replicates = UINT32_MAX;
	assert_refused(x, "2 benchmarks, 6 treatments and 4294967295 "
			  "replicates make more than 100000000 runs; leave out "
			  "levels or replicates");
	x->m.blocks = BLOCK_HOST;
	assert_refused(x, "2 benchmarks, 6 treatments and 4294967295 "
			  "replicates make more than 100000000 runs; leave out "
			  "levels or replicates");
	x->m.replicates = 1;
	x->e.n_roles = 0;
	assert_refused(x, "benchmark 'write': no host has the role 'sut'; add "
			  "it under `roles`");
	x->e.n_benchmarks = 0;
	assert_refused(x,
		       "there is nothing to run: no benchmark is declared");
	tear_down(x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_of_a_seed_never_changes),
		cmocka_unit_test(order_of_blocks_and_plots_never_changes),
		cmocka_unit_test(other_seeds_give_other_orders),
		cmocka_unit_test(
			every_run_occurs_once_and_every_round_is_complete),
		cmocka_unit_test(round_is_on_one_host_and_hosts_take_turns),
		cmocka_unit_test(block_host_gives_every_host_all_replicates),
		cmocka_unit_test(smaller_pool_has_fewer_rounds_in_blocks),
		cmocka_unit_test(more_replicates_leave_earlier_rounds_alone),
		cmocka_unit_test(order_as_written_is_the_file_s),
		cmocka_unit_test(hard_factor_forms_whole_plots),
		cmocka_unit_test(key_says_benchmark_treatment_and_replicate),
		cmocka_unit_test(missing_is_the_design_minus_what_is_done),
		cmocka_unit_test(what_was_not_expanded_is_refused),
		cmocka_unit_test(what_cannot_be_planned_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
