#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/json.h"
#include "tests/unit/comma_locale.h"

static void test_commas_and_nesting_are_the_writers_business(void **state)
{
	struct buf b = BUF_INIT;
	struct json j;

	(void)state;
	json_init(&j, &b);
	json_object(&j);
	json_put_string(&j, "a", "x");
	json_key(&j, "b");
	json_array(&j);
	json_int(&j, INT64_MIN);
	json_object(&j);
	json_object_end(&j);
	json_array(&j);
	json_array_end(&j);
	json_null(&j);
	json_array_end(&j);
	json_put_bool(&j, "c", true);
	json_put_double(&j, "d", 0.5);
	json_put_int(&j, "e", 7);
	json_put_string(&j, "f", NULL);
	json_object_end(&j);
	assert_string_equal(b.data,
			    "{\"a\":\"x\",\"b\":[-9223372036854775808,{},[],"
			    "null],\"c\":true,\"d\":0.5,\"e\":7,\"f\":null}");
	buf_release(&b);
}

static void test_thirty_one_levels_are_fine(void **state)
{
	struct buf b = BUF_INIT;
	struct json j;

	(void)state;
	json_init(&j, &b);
	for (int i = 0; i < 31; i++)
		json_array(&j);
	json_int(&j, 1);
	json_int(&j, 2);
	for (int i = 0; i < 31; i++)
		json_array_end(&j);
	assert_int_equal(b.n, 2 * 31 + 3);
	assert_non_null(strstr(b.data, "[1,2]"));
	buf_release(&b);
}

static void is_string(const char *s, size_t n, const char *expected)
{
	struct buf b = BUF_INIT;
	struct json j;

	json_init(&j, &b);
	json_string_n(&j, s, n);
	assert_string_equal(b.data, expected);
	buf_release(&b);
}

static void test_strings_are_escaped(void **state)
{
	(void)state;
	is_string("a\"\\\n\t\r\x01\x7f", 8,
		  "\"a\\\"\\\\\\n\\t\\u000d\\u0001\\u007f\"");
	is_string("a\0b", 3, "\"a\\u0000b\"");
	is_string("\xc3\xa4\xf0\x9f\x98\x80", 6,
		  "\"\xc3\xa4\xf0\x9f\x98\x80\"");
	is_string("\xff" "a\xc3", 3, "\"\xef\xbf\xbd" "a\xef\xbf\xbd\"");
}

static void is_double(double v, const char *expected)
{
	struct buf b = BUF_INIT;
	struct json j;

	json_init(&j, &b);
	json_double(&j, v);
	assert_string_equal(b.data, expected);
	buf_release(&b);
}

static void test_doubles_are_as_short_as_they_can_be(void **state)
{
	(void)state;
	is_double(0.1, "0.1");
	is_double(-0.0, "-0");
	is_double(1e300, "1e+300");
	is_double(0.1 + 0.2, "0.30000000000000004");
	is_double(NAN, "null");
	is_double(-INFINITY, "null");
}

/* xorshift64 (Marsaglia 2003): any bit pattern will do here. */
static uint64_t next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static void test_random_doubles_read_back_bit_for_bit(void **state)
{
	uint64_t x = 20261130;
	struct buf b = BUF_INIT;
	struct json j;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		uint64_t bits = next(&x);
		double v, back;

		memcpy(&v, &bits, sizeof(v));
		if (!isfinite(v))
			continue;
		buf_clear(&b);
		json_init(&j, &b);
		json_double(&j, v);
		back = strtod(b.data, NULL);
		if (memcmp(&v, &back, sizeof(v)) != 0)
			fail_msg("%a was written as %s", v, b.data);
	}
	buf_release(&b);
}

static void test_the_locale_changes_nothing(void **state)
{
	(void)state;
	if (!comma_locale_enter()) {
		comma_locale_leave();
		skip();
	}
	is_double(0.1, "0.1");
	is_double(-1.5e-300, "-1.5e-300");
	is_double(1e300, "1e+300");
	is_double(7, "7");
	comma_locale_leave();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commas_and_nesting_are_the_writers_business),
		cmocka_unit_test(test_thirty_one_levels_are_fine),
		cmocka_unit_test(test_strings_are_escaped),
		cmocka_unit_test(test_doubles_are_as_short_as_they_can_be),
		cmocka_unit_test(test_random_doubles_read_back_bit_for_bit),
		cmocka_unit_test(test_the_locale_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
