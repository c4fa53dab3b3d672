#include "tests/unit/plan_fixture.h"

#include "stats/random.h"

static size_t all_hosts[] = { 0, 1, 2 };

/* Three hosts for everybody. */
static void set_up_pool(struct fixture *x, const char *n_levels)
{
	set_up(x, n_levels);
	x->roles[0].hosts = all_hosts;
	x->roles[0].n_hosts = 3;
}

static void latin(struct fixture *x, int rows, int columns, int letters,
		  uint32_t squares)
{
	struct matrix *m = &x->matrices[0];

	m->kind = DESIGN_LATIN_SQUARE;
	m->latin = (struct latin){ rows, columns, letters };
	m->replicates = m->replicates_max = squares;
}

static size_t level(const struct fixture *x, const struct run *r, size_t f)
{
	return design_level(&x->x.design, r->treatment, f);
}

static void block_is_the_round(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "2");
	plan(&x);
	assert_int_equal(x.s.n_runs, 8);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(x.s.runs[i].block, i / 2);
	tear_down(&x);
}

static void block_is_the_host(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "2");
	x.matrices[0].blocks = BLOCK_HOST;
	plan(&x);
	assert_int_equal(x.s.n_runs, 16);
	for (size_t i = 0; i < 16; i++)
		assert_int_equal(x.s.runs[i].block, x.s.runs[i].host);
	tear_down(&x);
}

static void block_is_the_day_of_some_rounds(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "2");
	x.matrices[0].blocks = BLOCK_DAY;
	x.matrices[0].rounds_a_day = 3;
	plan(&x);
	for (size_t i = 0; i < 8; i++)
		assert_int_equal(x.s.runs[i].block, i / 6);
	tear_down(&x);
}

static void matrix_goes_on_counting_blocks(void **state)
{
	struct fixture x;

	(void)state;
	two_matrices(&x);
	x.matrices[0].blocks = BLOCK_DAY;
	x.matrices[0].rounds_a_day = 3;
	x.matrices[1].blocks = BLOCK_HOST;
	plan(&x);
	for (size_t i = 0; i < x.s.n_runs; i++) {
		const struct run *r = &x.s.runs[i];

		assert_int_equal(r->position, i + 1);
		assert_int_equal(r->matrix, i >= 16);
		if (r->matrix)
			assert_int_equal(r->block, 2 + r->host);
		else
			assert_int_equal(r->block, (r->replicate - 1) / 3);
	}
	tear_down(&x);
}

/* Replicates are distinct and without a gap, for each treatment. */
static void assert_complete(const struct fixture *x, uint32_t replicates)
{
	size_t n = x->x.design.n_treatments;
	bool *seen = mem_zalloc(n * replicates, sizeof(*seen));

	assert_int_equal(x->s.n_runs, n * replicates);
	for (size_t i = 0; i < x->s.n_runs; i++) {
		const struct run *r = &x->s.runs[i];
		bool *s;

		assert_in_range(r->replicate, 1, replicates);
		s = &seen[r->treatment * replicates + r->replicate - 1];
		assert_false(*s);
		*s = true;
	}
	free(seen);
}

/* Factor b (3 levels) in the square, a (2) crossed with it. */
static void square_of_hosts_and_rounds(void **state)
{
	bool moved = false;

	(void)state;
	for (uint64_t seed = 0; seed < 30; seed++) {
		size_t host_of[6][3];
		struct fixture x;

		memset(host_of, 0xff, sizeof(host_of));
		set_up_pool(&x, "23");
		latin(&x, LATIN_HOST, LATIN_ROUND, 1, 2);
		plan_seed(&x, seed);
		assert_complete(&x, 6);
		assert_int_equal(benchmark_replicates(&x.e, 0), 6);
		for (size_t i = 0; i < x.s.n_runs; i++) {
			const struct run *r = &x.s.runs[i];
			size_t *host = &host_of[r->block][level(&x, r, 1)];

			assert_int_equal(r->block, i / 6);
			assert_int_equal(r->replicate, r->block + 1);
			/* all runs of a letter are on one host */
			assert_true(*host == SIZE_MAX || *host == r->host);
			*host = r->host;
		}
		for (size_t round = 0; round < 6; round++) {
			const size_t *at = host_of[round];
			size_t k = round / 3 * 3;

			/* three letters on three hosts */
			assert_int_equal(at[0] + at[1] + at[2], 3);
			assert_true(at[0] != at[1] && at[1] != at[2]);
			/* a letter is on three hosts in three rounds */
			assert_int_equal(host_of[k][round % 3] +
						 host_of[k + 1][round % 3] +
						 host_of[k + 2][round % 3],
					 3);
			assert_true(host_of[k][0] != host_of[k + 1][0]);
		}
		moved |= memcmp(host_of, host_of + 3, sizeof(host_of) / 2) != 0;
		tear_down(&x);
	}
	/* the second square is drawn anew */
	assert_true(moved);
}

/* Each round is a square: a's level and b's say on which host. */
static void square_of_hosts_and_a_factor(void **state)
{
	struct fixture x;

	(void)state;
	for (uint64_t seed = 0; seed < 30; seed++) {
		size_t host_of[3][3];

		set_up_pool(&x, "33");
		latin(&x, LATIN_HOST, 0, 1, 4);
		plan_seed(&x, seed);
		assert_complete(&x, 4);
		for (size_t i = 0; i < x.s.n_runs; i++) {
			const struct run *r = &x.s.runs[i];

			assert_int_equal(r->replicate, i / 9 + 1);
			host_of[level(&x, r, 0)][level(&x, r, 1)] = r->host;
			if (i % 9 < 8)
				continue;
			for (size_t k = 0; k < 3; k++) {
				assert_int_equal(host_of[k][0] + host_of[k][1] +
							 host_of[k][2], 3);
				assert_int_equal(host_of[0][k] + host_of[1][k] +
							 host_of[2][k], 3);
				assert_true(host_of[k][0] != host_of[k][1]);
				assert_true(host_of[0][k] != host_of[1][k]);
			}
		}
		tear_down(&x);
	}
}

/* A round has one level of b with each of a; c is crossed with it. */
static void square_of_a_factor_and_rounds(void **state)
{
	struct fixture x;

	(void)state;
	for (uint64_t seed = 0; seed < 30; seed++) {
		set_up(&x, "332");
		latin(&x, 0, LATIN_ROUND, 1, 2);
		plan_seed(&x, seed);
		assert_complete(&x, 2);
		assert_int_equal(benchmark_replicates(&x.e, 0), 2);
		for (size_t round = 0; round < 6; round++) {
			size_t letter[3] = { SIZE_MAX, SIZE_MAX, SIZE_MAX };

			for (size_t i = 6 * round; i < 6 * round + 6; i++) {
				const struct run *r = &x.s.runs[i];
				size_t *at = &letter[level(&x, r, 0)];

				assert_int_equal(r->block, round);
				assert_int_equal(r->replicate, round / 3 + 1);
				/* the pool takes turns by square */
				assert_int_equal(
					r->host == x.s.runs[0].host,
					round < 3);
				assert_true(*at == SIZE_MAX ||
					    *at == level(&x, r, 1));
				*at = level(&x, r, 1);
			}
			assert_int_equal(letter[0] + letter[1] + letter[2], 3);
			assert_true(letter[0] != letter[1] &&
				    letter[1] != letter[2]);
		}
		tear_down(&x);
	}
}

/* What the header says of the draws, in the words of random.h. */
static void assert_square(uint64_t seed)
{
	static size_t pool[] = { 0, 1, 2, 3 };
	struct host hosts[4] = { { .name = (char *)"h" } };
	uint32_t part[3][4]; /* rows, columns, letters */
	struct fixture x;
	struct random r;

	set_up(&x, "4");
	x.e.hosts = hosts;
	x.e.n_hosts = 4;
	x.roles[0].hosts = pool;
	x.roles[0].n_hosts = 4;
	latin(&x, LATIN_HOST, LATIN_ROUND, 0, 1);
	plan_seed(&x, seed);
	random_seed(&r, seed);
	random_below(&r, 4);
	random_below(&r, 1);
	for (size_t i = 0; i < 3; i++) {
		for (uint32_t k = 0; k < 4; k++)
			part[i][k] = k;
		random_shuffle(&r, part[i], 4);
	}
	for (size_t i = 0; i < 16; i++) {
		const struct run *run = &x.s.runs[i];
		uint32_t letter = part[2][run->treatment];
		uint32_t column = part[1][run->block];

		assert_int_equal(run->host,
				 part[0][(4 + letter - column) % 4]);
	}
	tear_down(&x);
}

static void square_is_drawn_as_documented(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++)
		assert_square(seed);
}

static void several_hard_factors_form_plots_of_their_combinations(void **state)
{
	struct fixture x;

	(void)state;
	set_up(&x, "4424");
	x.factors[0].hard = x.factors[1].hard = x.factors[3].hard = true;
	plan(&x);
	assert_complete(&x, 4);
	/* 64 plots of two in each round, each in one piece */
	for (size_t round = 0; round < 4; round++) {
		bool seen[4][4][4] = { { { false } } };

		for (size_t i = 0; i < 64; i++) {
			const struct run *r = &x.s.runs[128 * round + 2 * i];
			bool *s = &seen[level(&x, r, 0)][level(&x, r, 1)]
				       [level(&x, r, 3)];

			assert_false(*s);
			*s = true;
			assert_int_equal(level(&x, r, 0), level(&x, r + 1, 0));
			assert_int_equal(level(&x, r, 1), level(&x, r + 1, 1));
			assert_int_equal(level(&x, r, 3), level(&x, r + 1, 3));
		}
	}
	tear_down(&x);
}

static void square_as_written_is_cyclic(void **state)
{
	static const unsigned want[3][3] = { { 0, 1, 2 }, { 2, 0, 1 },
					     { 1, 2, 0 } };
	struct fixture x;

	(void)state;
	set_up_pool(&x, "3");
	latin(&x, LATIN_HOST, LATIN_ROUND, 0, 1);
	x.matrices[0].order = ORDER_AS_WRITTEN;
	plan(&x);
	for (size_t i = 0; i < 9; i++) {
		assert_int_equal(x.s.runs[i].treatment, i % 3);
		assert_int_equal(x.s.runs[i].host, want[i / 3][i % 3]);
	}
	tear_down(&x);
}

static void more_squares_leave_the_earlier_alone(void **state)
{
	struct fixture x, y;

	(void)state;
	set_up_pool(&x, "23");
	latin(&x, LATIN_HOST, LATIN_ROUND, 1, 2);
	set_up_pool(&y, "23");
	latin(&y, LATIN_HOST, LATIN_ROUND, 1, 5);
	plan(&x);
	plan(&y);
	assert_memory_equal(x.s.runs, y.s.runs,
			    x.s.n_runs * sizeof(struct run));
	tear_down(&x);
	tear_down(&y);
}

static void treatment_without_a_letter_goes_by_turns(void **state)
{
	struct fixture x;
	unsigned on[3] = { 0 };

	(void)state;
	set_up_pool(&x, "23");
	latin(&x, LATIN_HOST, LATIN_ROUND, 1, 1);
	expand(&x);
	/* (a0, b0) becomes a0 without b */
	x.x.design.cells[1] = DESIGN_ABSENT;
	plan(&x);
	assert_complete(&x, 3);
	for (size_t i = 0; i < x.s.n_runs; i++)
		if (!x.s.runs[i].treatment)
			on[x.s.runs[i].host]++;
	for (size_t h = 0; h < 3; h++)
		assert_int_equal(on[h], 1);
	tear_down(&x);
}

static void assert_refused(struct fixture *x, const char *want)
{
	struct error err = ERROR_INIT;

	if (!x->x.shares)
		expand(x);
	assert_int_equal(schedule_plan(&x->s, &x->e, &x->x, 1, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, want);
	assert_null(x->s.runs);
	tear_down(x);
}

static void square_that_does_not_fit_is_refused(void **state)
{
	struct fixture x;

	(void)state;
	set_up_pool(&x, "24");
	latin(&x, LATIN_HOST, LATIN_ROUND, 1, 1);
	assert_refused(&x,
		       "x.yaml:31:3: a Latin square of hosts needs as many "
		       "hosts as \"b\" has levels: these are 4, and the role "
		       "\"sut\" of benchmark \"write\" has 3 hosts; change one "
		       "of them");
	set_up_pool(&x, "23");
	latin(&x, LATIN_HOST, 0, 1, 1);
	expand(&x);
	assert_refused(&x, "x.yaml:31:3: a Latin square needs as many levels "
			   "of \"a\" as of \"b\": they are 2 and 3");
	set_up(&x, "1");
	x.benchmarks[0].role = (char *)"other";
	latin(&x, LATIN_HOST, LATIN_ROUND, 0, 1);
	plan(&x);
	assert_int_equal(x.s.n_runs, 1);
	tear_down(&x);
}

static void same_seed_gives_the_same_bytes(void **state)
{
	struct fixture x, y;

	(void)state;
	set_up_pool(&x, "333");
	latin(&x, LATIN_HOST, 0, 1, 4);
	set_up_pool(&y, "333");
	latin(&y, LATIN_HOST, 0, 1, 4);
	x.factors[2].hard = y.factors[2].hard = true;
	plan_seed(&x, 99);
	plan_seed(&y, 99);
	assert_memory_equal(x.s.runs, y.s.runs,
			    x.s.n_runs * sizeof(struct run));
	tear_down(&x);
	tear_down(&y);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(block_is_the_round),
		cmocka_unit_test(block_is_the_host),
		cmocka_unit_test(block_is_the_day_of_some_rounds),
		cmocka_unit_test(matrix_goes_on_counting_blocks),
		cmocka_unit_test(square_of_hosts_and_rounds),
		cmocka_unit_test(square_of_hosts_and_a_factor),
		cmocka_unit_test(square_of_a_factor_and_rounds),
		cmocka_unit_test(square_is_drawn_as_documented),
		cmocka_unit_test(
			several_hard_factors_form_plots_of_their_combinations),
		cmocka_unit_test(square_as_written_is_cyclic),
		cmocka_unit_test(more_squares_leave_the_earlier_alone),
		cmocka_unit_test(treatment_without_a_letter_goes_by_turns),
		cmocka_unit_test(square_that_does_not_fit_is_refused),
		cmocka_unit_test(same_seed_gives_the_same_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
