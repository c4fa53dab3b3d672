#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "stats/random.h"

/* The sequence that implementations of splitmix64.c agree on for 1234567. */
static void seeding_is_split_mix_64(void **state)
{
	static const uint64_t want[4] = {
		6457827717110365317u, 3203168211198807973u,
		9817491932198370423u, 4593380528125082431u,
	};
	struct random r;

	(void)state;
	random_seed(&r, 1234567);
	for (int i = 0; i < 4; i++)
		assert_true(r.s[i] == want[i]);
}

/* What xoshiro256starstar.c gives from the state 1, 2, 3, 4. */
static void sequence_is_xoshiro256_star_star(void **state)
{
	static const uint64_t want[10] = {
		11520u, 0u, 1509978240u, 1215971899390074240u,
		1216172134540287360u, 607988272756665600u,
		16172922978634559625u, 8476171486693032832u,
		10595114339597558777u, 2904607092377533576u,
	};
	struct random r = { .s = { 1, 2, 3, 4 } };

	(void)state;
	for (int i = 0; i < 10; i++)
		assert_true(random_next(&r) == want[i]);
}

static void below_stays_below_and_reaches_all(void **state)
{
	unsigned seen = 0;
	struct random r;

	(void)state;
	random_seed(&r, 0);
	for (int i = 0; i < 1000; i++) {
		uint64_t v = random_below(&r, 7);

		assert_true(v < 7);
		seen |= 1u << v;
	}
	assert_int_equal(seen, 0x7f);
	for (int i = 0; i < 10; i++)
		assert_true(random_below(&r, 1) == 0);
}

/*
 * For n = 2^63 + 1 nearly half of all draws must be rejected; a plain modulo
 * would give the lowest 2^63 - 1 values twice as often.
 */
static void below_rejects_what_would_be_biased(void **state)
{
	const uint64_t n = ((uint64_t)1 << 63) + 1;
	struct random a, b;
	int draws = 0;

	(void)state;
	random_seed(&a, 42);
	b = a;
	for (int i = 0; i < 1000; i++) {
		uint64_t x, v = random_below(&a, n);

		do {
			x = random_next(&b);
			draws++;
		} while (x < (uint64_t)0 - n);
		assert_true(v == x % n);
	}
	assert_in_range(draws, 1800, 2200);
}

static void shuffle_is_fisher_yates_from_the_end(void **state)
{
	uint32_t items[5] = { 0, 1, 2, 3, 4 }, want[5] = { 0, 1, 2, 3, 4 };
	struct random a, b;

	(void)state;
	random_seed(&a, 99);
	b = a;
	random_shuffle(&a, items, 5);
	for (uint32_t i = 4; i >= 1; i--) {
		uint64_t j = random_below(&b, i + 1);
		uint32_t keep = want[i];

		want[i] = want[j];
		want[j] = keep;
	}
	assert_memory_equal(items, want, sizeof(want));
	assert_memory_equal(&a, &b, sizeof(a));
}

static void shuffle_of_none_or_one_draws_nothing(void **state)
{
	struct random a, b;
	uint32_t one = 7;

	(void)state;
	random_seed(&a, 1);
	b = a;
	random_shuffle(&a, NULL, 0);
	random_shuffle(&a, &one, 1);
	assert_int_equal(one, 7);
	assert_memory_equal(&a, &b, sizeof(a));
}

/* Each of the 24 orders of 4: 24,000 draws, chi-squared(23) < 62 (p 2e-5). */
static void shuffle_gives_every_order_equally_often(void **state)
{
	unsigned count[256] = { 0 };
	double chi = 0;
	struct random r;

	(void)state;
	random_seed(&r, 2026);
	for (int i = 0; i < 24000; i++) {
		uint32_t v[4] = { 0, 1, 2, 3 };

		random_shuffle(&r, v, 4);
		count[v[0] | v[1] << 2 | v[2] << 4 | v[3] << 6]++;
	}
	for (int i = 0; i < 256; i++)
		if (count[i])
			chi += (count[i] - 1000.0) * (count[i] - 1000.0) / 1000;
	assert_true(chi < 62);
	assert_true(chi > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seeding_is_split_mix_64),
		cmocka_unit_test(sequence_is_xoshiro256_star_star),
		cmocka_unit_test(below_stays_below_and_reaches_all),
		cmocka_unit_test(below_rejects_what_would_be_biased),
		cmocka_unit_test(shuffle_is_fisher_yates_from_the_end),
		cmocka_unit_test(shuffle_of_none_or_one_draws_nothing),
		cmocka_unit_test(shuffle_gives_every_order_equally_often),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
