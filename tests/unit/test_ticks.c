#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "plot/chart/ticks.h"

#define THIN "\xe2\x80\x89"
#define MINUS "\xe2\x88\x92"

/* "0|20|40|60 ×10⁶" */
static void assert_ticks(double lo, double hi, unsigned wanted,
			 const char *expected)
{
	struct range data = { lo, hi };
	struct buf seen = BUF_INIT;
	char factor[TICKS_LABEL_SIZE];
	struct ticks t;

	ticks_choose(&t, &data, wanted);
	for (size_t i = 0; i < t.n; i++)
		buf_addf(&seen, "%s%s", i ? "|" : "", t.label[i]);
	if (*ticks_factor(&t, factor))
		buf_addf(&seen, " %s", factor);
	assert_string_equal(seen.data, expected);
	buf_release(&seen);
}

static void steps_are_round_numbers(void **state)
{
	(void)state;
	assert_ticks(0, 95, 6, "0|20|40|60|80|100");
	assert_ticks(0, 612, 5, "0|100|200|300|400|500|600");
	assert_ticks(0, 612, 4, "0|200|400|600");
	assert_ticks(0, 3.04, 4, "0|1|2|3");
	assert_ticks(0, 0.97, 6, "0.0|0.2|0.4|0.6|0.8|1.0");
	assert_ticks(0, 10, 5, "0.0|2.5|5.0|7.5|10.0");
}

static void minus_is_a_minus_sign_not_a_hyphen(void **state)
{
	(void)state;
	assert_ticks(-22, 20, 5, MINUS "20|" MINUS "10|0|10|20");
	assert_ticks(-0.9, 0, 5,
		     MINUS "0.8|" MINUS "0.6|" MINUS "0.4|" MINUS "0.2|0.0");
}

static void groups_of_three_are_set_apart_from_ten_thousand(void **state)
{
	(void)state;
	assert_ticks(0, 6000, 4, "0|2000|4000|6000");
	assert_ticks(0, 60000, 4,
		     "0|20" THIN "000|40" THIN "000|60" THIN "000");
	assert_ticks(0, 600000, 4,
		     "0|200" THIN "000|400" THIN "000|600" THIN "000");
}

static void long_numbers_share_a_factor(void **state)
{
	(void)state;
	assert_ticks(0, 6e6, 4, "0|2|4|6 \xc3\x97" "10\xe2\x81\xb6");
	assert_ticks(0, 6e15, 4,
		     "0|2|4|6 \xc3\x97" "10\xc2\xb9\xe2\x81\xb5");
	assert_ticks(0, 5.9e-9, 4,
		     "0|2|4|6 \xc3\x97" "10\xe2\x81\xbb\xe2\x81\xb9");
	assert_ticks(0, 6e-5, 4,
		     "0|20|40|60 \xc3\x97" "10\xe2\x81\xbb\xe2\x81\xb6");
	assert_ticks(0, 0.0059, 4, "0.000|0.002|0.004|0.006");
}

static void tick_values_are_rounded_once(void **state)
{
	struct range data = { 0, 0.7 };
	struct ticks t;

	(void)state;
	ticks_choose(&t, &data, 7);
	assert_int_equal(t.n, 7);
	assert_true(t.value[3] == 0.3);
	assert_true(t.value[6] == 0.6);
}

static double in_units(const char *label)
{
	double v = 0, sign = 1, scale = 0;

	for (const char *p = label; *p; p++) {
		if (!strncmp(p, MINUS, strlen(MINUS)))
			sign = -1;
		if (*p >= '0' && *p <= '9') {
			v = v * 10 + (*p - '0');
			scale *= 10;
		}
		if (*p == '.')
			scale = 1;
	}
	return sign * v / (scale ? scale : 1);
}

/* Every magnitude, one-sided and mixed: 4 to 7 ticks that say what they are. */
static void any_range_gets_four_to_seven_true_ticks(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		double size = pow(10, -290 + 580 * (i / 20000.0));
		double share = (i * 7919 % 1000) / 1000.0;
		struct range data = { -share * size, (1 - share) * size };
		struct ticks t;

		ticks_choose(&t, &data, 4 + (unsigned)i % 3);
		assert_in_range(t.n, TICKS_MIN, TICKS_MAX);
		assert_true(t.axis.lo <= data.lo && t.axis.hi >= data.hi);
		for (size_t k = 0; k < t.n; k++) {
			double said = in_units(t.label[k]) *
				      pow(10, t.exponent);

			assert_true(t.value[k] >= t.axis.lo &&
				    t.value[k] <= t.axis.hi);
			assert_true(fabs(said - t.value[k]) <=
				    1e-9 * size);
			assert_true(strlen(t.label[k]) < 16);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_round_numbers),
		cmocka_unit_test(minus_is_a_minus_sign_not_a_hyphen),
		cmocka_unit_test(
			groups_of_three_are_set_apart_from_ten_thousand),
		cmocka_unit_test(long_numbers_share_a_factor),
		cmocka_unit_test(tick_values_are_rounded_once),
		cmocka_unit_test(any_range_gets_four_to_seven_true_ticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
