#include "tests/unit/plan_fixture.h"

#include "base/map.h"
#include "stats/random.h"

/* Two matrices of all factors; the second makes `copy` too. */
static void set_up_two(struct fixture *x, const char *n_levels)
{
	set_up(x, n_levels);
	x->e.n_benchmarks = x->e.n_matrices = 2;
	x->matrices[1] = x->matrices[0];
	x->matrices[0].name = (char *)"io";
	x->matrices[1].name = (char *)"net";
	for (size_t m = 0; m < 2; m++)
		matrix_take_all(&x->matrices[m], &x->e);
	x->matrices[0].n_benchmarks = 1;
}

static void each_matrix_has_its_own_replicates_and_order(void **state)
{
	struct fixture x;

	(void)state;
	two_matrices(&x);
	x.matrices[0].replicates = x.matrices[0].replicates_max = 2;
	x.matrices[1].order = ORDER_AS_WRITTEN;
	plan(&x);
	assert_int_equal(x.s.n_runs, 4 * 2 + 2 * 4);
	for (size_t i = 0; i < x.s.n_runs; i++) {
		const struct run *r = &x.s.runs[i];
		size_t k = i < 8 ? i : i - 8;

		assert_int_equal(r->position, i + 1);
		assert_int_equal(r->matrix, i >= 8);
		assert_int_equal(r->benchmark, r->matrix);
		assert_int_equal(r->replicate, k / (r->matrix ? 2 : 4) + 1);
		/* the last two treatments are those of the second */
		assert_int_equal(r->treatment >= 4, r->matrix);
		if (r->matrix)
			assert_int_equal(r->treatment, 4 + k % 2);
	}
	tear_down(&x);
}

static void matrix_at_the_end_leaves_the_others_alone(void **state)
{
	struct fixture x, y;

	(void)state;
	two_matrices(&x);
	two_matrices(&y);
	/* as if it had only the first */
	x.e.n_matrices = 1;
	plan(&x);
	plan(&y);
	assert_int_equal(x.s.n_runs, 16);
	for (size_t i = 0; i < 16; i++)
		assert_memory_equal(&x.s.runs[i], &y.s.runs[i],
				    sizeof(struct run));
	x.e.n_matrices = 2;
	tear_down(&x);
	tear_down(&y);
}

static void assert_same_matrix(const struct fixture *x, size_t i,
			       const struct fixture *y, size_t k, size_t n)
{
	for (; n--; i++, k++) {
		const struct run *a = &x->s.runs[i], *b = &y->s.runs[k];
		struct buf key_a = BUF_INIT, key_b = BUF_INIT;

		schedule_run_key(&x->s, i, &key_a);
		schedule_run_key(&y->s, k, &key_b);
		assert_string_equal(key_a.data, key_b.data);
		assert_int_equal(a->host, b->host);
		buf_release(&key_a);
		buf_release(&key_b);
	}
}

static void other_matrices_do_not_touch_the_order(void **state)
{
	struct fixture x, y;
	struct matrix m;

	(void)state;
	two_matrices(&x);
	plan(&x);
	/* more replicates of the first */
	two_matrices(&y);
	y.matrices[0].replicates = y.matrices[0].replicates_max = 9;
	plan(&y);
	assert_same_matrix(&x, 16, &y, 36, 8);
	tear_down(&y);
	/* the second written first */
	two_matrices(&y);
	m = y.matrices[0];
	y.matrices[0] = y.matrices[1];
	y.matrices[1] = m;
	plan(&y);
	assert_same_matrix(&x, 0, &y, 8, 16);
	assert_same_matrix(&x, 16, &y, 0, 8);
	tear_down(&y);
	tear_down(&x);
}

static void names_give_different_orders(void **state)
{
	struct fixture x, y;
	size_t same = 0;

	(void)state;
	set_up(&x, "444");
	set_up(&y, "444");
	y.matrices[0].name = (char *)"io";
	plan(&x);
	plan(&y);
	for (size_t i = 0; i < x.s.n_runs; i++)
		same += x.s.runs[i].treatment == y.s.runs[i].treatment;
	/* 256 places, one of 64 treatments: 4 are expected */
	assert_in_range(same, 0, 16);
	tear_down(&x);
	tear_down(&y);
}

/* Key -> number of runs; the caller releases it. */
static void count_keys(struct map *keys, const struct fixture *x)
{
	for (size_t i = 0; i < x->s.n_runs; i++) {
		struct buf key = BUF_INIT;

		schedule_run_key(&x->s, i, &key);
		if (map_put(keys, key.data, keys))
			fail_msg("%s is there twice", key.data);
		buf_release(&key);
	}
}

static void shared_treatment_is_made_once_by_the_first(void **state)
{
	struct map keys = MAP_INIT;
	struct fixture x;

	(void)state;
	set_up_two(&x, "23");
	x.matrices[0].replicates = x.matrices[0].replicates_max = 2;
	x.matrices[1].replicates = x.matrices[1].replicates_max = 5;
	plan(&x);
	/* write: the larger number; copy: 5 */
	assert_int_equal(x.s.n_runs, 6 * 5 + 6 * 5);
	count_keys(&keys, &x);
	map_release(&keys);
	for (size_t i = 0; i < x.s.n_runs; i++) {
		const struct run *r = &x.s.runs[i];

		assert_int_equal(r->matrix,
				 r->benchmark || r->replicate > 2);
		assert_int_equal(r->position, i + 1);
	}
	tear_down(&x);
	/* the smaller number last: nothing is left to do for `write` */
	set_up_two(&x, "23");
	x.matrices[1].replicates = x.matrices[1].replicates_max = 1;
	plan(&x);
	assert_int_equal(x.s.n_runs, 6 * 4 + 6);
	tear_down(&x);
}

static void what_a_matrix_in_between_asks_for_counts_too(void **state)
{
	struct matrix three[3];
	struct map keys = MAP_INIT;
	struct fixture x;

	(void)state;
	set_up(&x, "23");
	for (size_t m = 0; m < 3; m++) {
		three[m] = x.matrices[0];
		matrix_take_all(&three[m], &x.e);
	}
	three[0].name = (char *)"one";
	three[1].name = (char *)"two";
	three[1].replicates = three[1].replicates_max = 1;
	three[2].name = (char *)"three";
	three[2].replicates = three[2].replicates_max = 5;
	x.e.matrices = three;
	x.e.n_matrices = 3;
	plan(&x);
	assert_int_equal(x.s.n_runs, 6 * 5);
	count_keys(&keys, &x);
	map_release(&keys);
	tear_down(&x);
}

static void runs_above_the_minimum_are_optional(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "23");
	x.matrices[0].replicates_max = 10;
	plan(&x);
	assert_int_equal(x.s.n_runs, 60);
	assert_int_equal(x.s.n_optional, 36);
	for (size_t i = 0; i < 60; i++)
		assert_int_equal(x.s.runs[i].optional,
				 x.s.runs[i].replicate > 4);
	tear_down(&x);
	/* on each host */
	set_up(&x, "2");
	x.matrices[0].replicates_max = 10;
	x.matrices[0].blocks = BLOCK_HOST;
	plan(&x);
	assert_int_equal(x.s.n_runs, 40);
	assert_int_equal(x.s.n_optional, 24);
	tear_down(&x);
}

static void optional_run_that_another_matrix_needs_is_sure(void **state)
{
	struct fixture x;

	(void)state;
	set_up_two(&x, "2");
	x.matrices[0].replicates = 2;
	x.matrices[0].replicates_max = 8;
	x.matrices[1].replicates = x.matrices[1].replicates_max = 5;
	plan(&x);
	assert_int_equal(x.s.n_runs, 2 * 8 + 2 * 5);
	assert_int_equal(x.s.n_optional, 2 * 3);
	for (size_t i = 0; i < x.s.n_runs; i++) {
		const struct run *r = &x.s.runs[i];

		assert_int_equal(r->optional, !r->benchmark &&
						      r->replicate > 5);
	}
	tear_down(&x);
}

/* Any two lists of treatments, replicates and benchmarks: the union, once. */
static void every_run_that_is_asked_for_occurs_once(void **state)
{
	struct random r;

	(void)state;
	random_seed(&r, 4);
	for (int round = 0; round < 200; round++) {
		bool asked[2][2][12] = { { { false } } };
		size_t want = 0, times[2];
		struct map keys = MAP_INIT;
		struct fixture x;

		set_up_two(&x, "34");
		for (size_t m = 0; m < 2; m++) {
			struct matrix *at = &x.matrices[m];
			uint16_t *rows = mem_zalloc(24, sizeof(*rows));
			size_t n = 1 + (size_t)random_below(&r, 12);

			at->kind = DESIGN_LIST;
			at->list = rows;
			at->n_benchmarks = 1 + (size_t)random_below(&r, 2);
			times[m] = 1 + (size_t)random_below(&r, 4);
			at->replicates = at->replicates_max =
				(uint32_t)times[m];
			for (size_t t = 0; t < 12; t++) {
				if (12 - t > n && random_below(&r, 2))
					continue;
				if (at->n_list == n)
					break;
				rows[2 * at->n_list] = (uint16_t)(t / 4);
				rows[2 * at->n_list++ + 1] = t % 4;
				for (size_t b = 0; b < at->n_benchmarks; b++)
					asked[m][b][t] = true;
			}
		}
		plan_seed(&x, (uint64_t)round);
		count_keys(&keys, &x);
		map_release(&keys);
		for (size_t i = 0; i < 24; i++) {
			size_t one = asked[0][i / 12][i % 12] * times[0];
			size_t two = asked[1][i / 12][i % 12] * times[1];

			want += one > two ? one : two;
		}
		assert_int_equal(x.s.n_runs, want);
		tear_down(&x);
	}
}

static void too_many_runs_name_the_matrix(void **state)
{
	struct error err = ERROR_INIT;
	struct fixture x;

	(void)state;
	two_matrices(&x);
	expand(&x);
	x.matrices[1].replicates_max = 50000001;
	assert_int_equal(schedule_plan(&x.s, &x.e, &x.x, 1, &err), -1);
	assert_string_equal(err.text,
			    "matrix 'net': 1 benchmarks, 2 treatments and "
			    "50000001 replicates make more than 100000000 "
			    "runs; leave out levels or replicates");
	tear_down(&x);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_matrix_has_its_own_replicates_and_order),
		cmocka_unit_test(matrix_at_the_end_leaves_the_others_alone),
		cmocka_unit_test(other_matrices_do_not_touch_the_order),
		cmocka_unit_test(names_give_different_orders),
		cmocka_unit_test(shared_treatment_is_made_once_by_the_first),
		cmocka_unit_test(what_a_matrix_in_between_asks_for_counts_too),
		cmocka_unit_test(runs_above_the_minimum_are_optional),
		cmocka_unit_test(
			optional_run_that_another_matrix_needs_is_sure),
		cmocka_unit_test(every_run_that_is_asked_for_occurs_once),
		cmocka_unit_test(too_many_runs_name_the_matrix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
