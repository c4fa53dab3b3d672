#include "tests/unit/plan_fixture.h"

static size_t all_hosts[] = { 0, 1, 2 };

/* sut: alpha, beta; other: all three. */
static void set_up_pools(struct fixture *x)
{
	set_up(x, "2");
	x->roles[1].hosts = all_hosts;
	x->roles[1].n_hosts = 3;
}

static void run_s_host_is_the_first_of_its_role(void **state)
{
	struct fixture x;
	size_t out[3];

	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		set_up_pools(&x);
		plan_seed(&x, seed);
		for (size_t i = 0; i < x.s.n_runs; i++) {
			assert_int_equal(schedule_role(&x.s, i), 0);
			assert_int_equal(schedule_hosts(&x.s, i, "sut", 1, out),
					 1);
			assert_int_equal(out[0], x.s.runs[i].host);
		}
		tear_down(&x);
	}
}

static void count_takes_those_that_follow(void **state)
{
	struct fixture x;
	size_t one[3], out[3];

	(void)state;
	set_up_pools(&x);
	plan(&x);
	for (size_t i = 0; i < x.s.n_runs; i++) {
		assert_int_equal(schedule_hosts(&x.s, i, "other", 0, one), 1);
		assert_int_equal(schedule_hosts(&x.s, i, "other", 2, out), 2);
		assert_int_equal(out[0], one[0]);
		assert_int_equal(out[1], (out[0] + 1) % 3);
		/* never more than the pool */
		assert_int_equal(schedule_hosts(&x.s, i, "other", 9, out), 3);
		assert_int_equal(out[2], (out[0] + 2) % 3);
		assert_int_equal(schedule_hosts(&x.s, i, "nobody", 1, out), 0);
	}
	tear_down(&x);
}

static void roles_take_turns_by_round(void **state)
{
	struct fixture x;
	size_t first[3], out[3];

	(void)state;
	set_up_pools(&x);
	plan(&x);
	schedule_hosts(&x.s, 0, "other", 1, first);
	for (size_t i = 0; i < x.s.n_runs; i++) {
		schedule_hosts(&x.s, i, "other", 1, out);
		assert_int_equal(out[0], (first[0] + i / 2) % 3);
	}
	tear_down(&x);
}

static void role_follows_the_level(void **state)
{
	struct variable cases[] = { { .name = (char *)"a1",
				      .value = (char *)"other" } };
	struct lookup by = { .by = (char *)"a", .cases = cases, .n_cases = 1,
			     .otherwise = (char *)"sut" };
	struct fixture x;

	(void)state;
	set_up(&x, "2");
	x.benchmarks[0].role_by = &by;
	plan(&x);
	assert_int_equal(x.s.n_runs, 8);
	for (size_t i = 0; i < x.s.n_runs; i++) {
		const struct run *r = &x.s.runs[i];

		assert_int_equal(schedule_role(&x.s, i), r->treatment);
		assert_int_equal(r->host == 2, r->treatment == 1);
	}
	tear_down(&x);
	/* as many replicates as its own pool says */
	set_up(&x, "2");
	x.benchmarks[0].role_by = &by;
	x.matrices[0].blocks = BLOCK_HOST;
	plan(&x);
	assert_int_equal(x.s.n_runs, 8 + 4);
	tear_down(&x);
}

static void in_a_square_others_go_along_with_the_host(void **state)
{
	struct fixture x;
	size_t out[3], partner[2];

	(void)state;
	set_up_pools(&x);
	x.matrices[0].kind = DESIGN_LATIN_SQUARE;
	x.matrices[0].latin = (struct latin){ LATIN_HOST, LATIN_ROUND, 0 };
	plan(&x);
	for (size_t i = 0; i < x.s.n_runs; i++) {
		size_t host = x.s.runs[i].host;

		schedule_hosts(&x.s, i, "sut", 1, out);
		assert_int_equal(out[0], host);
		schedule_hosts(&x.s, i, "other", 1, out);
		/* the first round tells who is whose */
		if (i < 2)
			partner[host] = out[0];
		assert_int_equal(out[0], partner[host]);
	}
	/* so the two runs of a round can go on side by side */
	assert_true(partner[0] != partner[1]);
	tear_down(&x);
}

static void assert_refused(struct fixture *x, const char *want)
{
	struct error err = ERROR_INIT;

	assert_int_equal(schedule_plan(&x->s, &x->e, &x->x, 1, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, want);
	tear_down(x);
}

static void roles_that_are_not_there_are_refused(void **state)
{
	struct variable cases[] = { { .name = (char *)"a1",
				      .value = (char *)"nobody" } };
	struct lookup by = { .by = (char *)"a", .cases = cases, .n_cases = 1,
			     .otherwise = (char *)"sut" };
	struct fixture x;

	(void)state;
	set_up(&x, "2");
	expand(&x);
	x.benchmarks[0].role_by = &by;
	assert_refused(&x, "benchmark 'write': no host has the role 'nobody'; "
			   "add it under `roles`");
	set_up(&x, "2");
	expand(&x);
	cases[0].value = (char *)"sut";
	by.otherwise = NULL;
	x.benchmarks[0].role_by = &by;
	assert_refused(&x, "benchmark 'write': no role is given for the level "
			   "'a0' of 'a'; add it, or `else`");
	set_up(&x, "1");
	expand(&x);
	cases[0].name = (char *)"a0";
	x.x.design.cells[0] = DESIGN_ABSENT;
	x.benchmarks[0].role_by = &by;
	assert_refused(&x, "benchmark 'write': its role depends on 'a', which "
			   "some treatments do not have; add `else`");
	set_up(&x, "1");
	expand(&x);
	by.by = (char *)"z";
	x.benchmarks[0].role_by = &by;
	assert_refused(&x, "benchmark 'write': its role depends on 'z', which "
			   "is no factor");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_s_host_is_the_first_of_its_role),
		cmocka_unit_test(count_takes_those_that_follow),
		cmocka_unit_test(roles_take_turns_by_round),
		cmocka_unit_test(role_follows_the_level),
		cmocka_unit_test(in_a_square_others_go_along_with_the_host),
		cmocka_unit_test(roles_that_are_not_there_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
