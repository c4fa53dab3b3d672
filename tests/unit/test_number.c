#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "plot/table/number.h"
#include "tests/unit/comma_locale.h"

static void is_number(double v, double uncertainty, const char *expected)
{
	struct buf b = BUF_INIT;

	number_add(&b, v, uncertainty);
	assert_string_equal(b.data, expected);
	buf_release(&b);
}

static void is_mean_sd(double v, double sd, const char *expected)
{
	struct estimate e = ESTIMATE_INIT;
	struct buf b = BUF_INIT;

	e.value = v;
	e.sd = sd;
	number_add_mean_sd(&b, &e);
	assert_string_equal(b.data, expected);
	buf_release(&b);
}

static void is_interval(double v, double low, double high,
			const char *expected)
{
	struct estimate e = ESTIMATE_INIT;
	struct buf b = BUF_INIT;

	e.value = v;
	e.low = low;
	e.high = high;
	number_add_interval(&b, &e);
	assert_string_equal(b.data, expected);
	buf_release(&b);
}

static void test_the_uncertainty_decides_the_digits(void **state)
{
	(void)state;
	is_number(412.3456, 4.1, "412.3");
	is_number(412.3456, 0.041, "412.346");
	is_number(412.3456, 41, "412");
	is_number(412.3456, 410, "410");
	is_number(412.3456, 4100, "400");
	is_number(412.3456, 41000, "0");
	is_number(0.00123, 0.00004, "0.001230");
	/* the uncertainty itself rounds up to one more digit */
	is_number(5.12345, 0.0996, "5.12");
	is_number(5.12345, 0.0994, "5.123");
}

static void test_a_value_that_rounds_up_keeps_its_place(void **state)
{
	(void)state;
	is_number(9.96, 1.2, "10.0");
	is_number(99.996, 0.12, "100.00");
	is_number(0.96, 12, "1");
	is_number(0.46, 12, "0");
	is_number(6, 120, "10");
	is_number(4, 120, "0");
}

static void test_without_uncertainty_four_digits_are_shown(void **state)
{
	(void)state;
	is_number(3.14159265, NAN, "3.142");
	is_number(3.14159265, 0, "3.142");
	is_number(3.14159265, INFINITY, "3.142");
	is_number(1234.5, NAN, "1234");
	is_number(0.00012345, NAN, "0.0001234");
	is_number(5, NAN, "5.000");
	is_number(1095267, NAN, "1\xe2\x80\xaf" "095\xe2\x80\xaf" "267");
	is_number(1095267.4, 0, "1\xe2\x80\xaf" "095\xe2\x80\xaf" "267");
	is_number(0, NAN, "0");
	is_number(-0.0, NAN, "0");
}

static void test_groups_are_set_apart_from_ten_thousand_on(void **state)
{
	(void)state;
	is_number(9999, 12, "9999");
	is_number(10000, 12, "10\xe2\x80\xaf" "000");
	is_number(1234567.89, 0.12,
		  "1\xe2\x80\xaf" "234\xe2\x80\xaf" "567.89");
	is_number(123456789, 12,
		  "123\xe2\x80\xaf" "456\xe2\x80\xaf" "789");
}

static void test_minus_is_a_true_minus(void **state)
{
	(void)state;
	is_number(-412.3456, 4.1, "\xe2\x88\x92" "412.3");
	is_number(-INFINITY, NAN, "\xe2\x88\x92\xe2\x88\x9e");
	is_number(INFINITY, 1, "\xe2\x88\x9e");
}

static void test_a_value_that_rounds_to_zero_has_no_sign(void **state)
{
	(void)state;
	is_number(-0.004, 0.12, "0.00");
	is_number(-0.006, 0.12, "\xe2\x88\x92" "0.01");
}

static void test_missing_is_an_en_dash(void **state)
{
	(void)state;
	is_number(NAN, NAN, "\xe2\x80\x93");
	is_number(NAN, 1, "\xe2\x80\x93");
	is_mean_sd(NAN, NAN, "\xe2\x80\x93");
	is_interval(NAN, NAN, NAN, "\xe2\x80\x93");
	is_interval(NAN, 1, 2, "\xe2\x80\x93");
}

static void test_huge_and_tiny_numbers_are_scientific(void **state)
{
	(void)state;
	is_number(999999999, NAN,
		  "999\xe2\x80\xaf" "999\xe2\x80\xaf" "999");
	is_number(1.23456789e9, 0, "1.235 \xc3\x97 10\xe2\x81\xb9");
	is_number(1.23456e9, NAN, "1.235 \xc3\x97 10\xe2\x81\xb9");
	is_number(1.23456e12, 4.2e9, "1.2346 \xc3\x97 10\xc2\xb9\xc2\xb2");
	is_number(-1.23456e-7, NAN,
		  "\xe2\x88\x92" "1.235 \xc3\x97 10\xe2\x81\xbb\xe2\x81\xb7");
	is_number(0.0001, NAN, "0.0001000");
	is_number(0.00009, NAN,
		  "9.000 \xc3\x97 10\xe2\x81\xbb\xe2\x81\xb5");
	is_number(1.7976931348623157e308, NAN,
		  "1.798 \xc3\x97 10\xc2\xb3\xe2\x81\xb0\xe2\x81\xb8");
	is_number(5e-324, NAN,
		  "4.941 \xc3\x97 10\xe2\x81\xbb\xc2\xb3\xc2\xb2\xe2\x81\xb4");
}

static void test_no_digits_beyond_those_of_a_double(void **state)
{
	(void)state;
	is_number(0.1, 1e-30, "0.100000000000000");
	is_number(123456.789, 1e-20, "123\xe2\x80\xaf" "456.789000000");
}

static void test_mean_and_sd_share_their_place(void **state)
{
	(void)state;
	is_mean_sd(412.3456, 4.123, "412.3 \xc2\xb1 4.1");
	is_mean_sd(41234.5, 123, "41\xe2\x80\xaf" "230 \xc2\xb1 120");
	is_mean_sd(1.23456e9, 1.2e7,
		   "(1.235 \xc2\xb1 0.012) \xc3\x97 10\xe2\x81\xb9");
	is_mean_sd(0, 3e-9, "(0.0 \xc2\xb1 3.0) \xc3\x97 10\xe2\x81\xbb\xe2\x81\xb9");
}

static void test_no_variation_shows_zero_and_four_digits(void **state)
{
	(void)state;
	is_mean_sd(5, 0, "5.000 \xc2\xb1 0");
	is_interval(5, 5, 5, "5.000 [5.000, 5.000]");
	is_interval(0, 0, 0, "0 [0, 0]");
}

static void test_a_single_run_shows_no_spread(void **state)
{
	(void)state;
	is_mean_sd(412.3456, NAN, "412.3");
	is_interval(412.3456, NAN, NAN, "412.3");
}

static void test_an_interval_shows_both_ends(void **state)
{
	(void)state;
	is_interval(412.3456, 408.9123, 415.7123, "412.3 [408.9, 415.7]");
	is_interval(0.5, -1.25, 2.25, "0.5 [\xe2\x88\x92" "1.2, 2.2]");
	is_interval(1.23456e9, 1.2e9, 1.27e9,
		    "(1.235 [1.200, 1.270]) \xc3\x97 10\xe2\x81\xb9");
}

static void test_an_open_interval_ends_in_infinity(void **state)
{
	(void)state;
	is_interval(3.14159, -INFINITY, INFINITY,
		    "3.142 [\xe2\x88\x92\xe2\x88\x9e, \xe2\x88\x9e]");
	is_interval(3.14159, 2.6, INFINITY, "3.14 [2.60, \xe2\x88\x9e]");
	is_interval(3.14159, -INFINITY, 3.4,
		    "3.14 [\xe2\x88\x92\xe2\x88\x9e, 3.40]");
}

static void test_the_locale_changes_nothing(void **state)
{
	(void)state;
	if (!comma_locale_enter()) {
		comma_locale_leave();
		skip();
	}
	is_number(1234567.89, 0.12,
		  "1\xe2\x80\xaf" "234\xe2\x80\xaf" "567.89");
	is_number(1.23456e9, NAN, "1.235 \xc3\x97 10\xe2\x81\xb9");
	is_interval(412.3456, 408.9123, 415.7123, "412.3 [408.9, 415.7]");
	comma_locale_leave();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_uncertainty_decides_the_digits),
		cmocka_unit_test(test_a_value_that_rounds_up_keeps_its_place),
		cmocka_unit_test(test_without_uncertainty_four_digits_are_shown),
		cmocka_unit_test(test_groups_are_set_apart_from_ten_thousand_on),
		cmocka_unit_test(test_minus_is_a_true_minus),
		cmocka_unit_test(test_a_value_that_rounds_to_zero_has_no_sign),
		cmocka_unit_test(test_missing_is_an_en_dash),
		cmocka_unit_test(test_huge_and_tiny_numbers_are_scientific),
		cmocka_unit_test(test_no_digits_beyond_those_of_a_double),
		cmocka_unit_test(test_mean_and_sd_share_their_place),
		cmocka_unit_test(test_no_variation_shows_zero_and_four_digits),
		cmocka_unit_test(test_a_single_run_shows_no_spread),
		cmocka_unit_test(test_an_interval_shows_both_ends),
		cmocka_unit_test(test_an_open_interval_ends_in_infinity),
		cmocka_unit_test(test_the_locale_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
