#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/utf8.h"

static size_t length(const char *s)
{
	return utf8_sequence(s, strlen(s));
}

static void test_well_formed_sequences_have_their_length(void **state)
{
	(void)state;
	assert_int_equal(length("a"), 1);
	assert_int_equal(utf8_sequence("\0", 1), 1);
	assert_int_equal(length("\xc2\x80"), 2);
	assert_int_equal(length("\xdf\xbf"), 2);
	assert_int_equal(length("\xe0\xa0\x80"), 3);
	assert_int_equal(length("\xed\x9f\xbf"), 3);
	assert_int_equal(length("\xee\x80\x80"), 3);
	assert_int_equal(length("\xf0\x90\x80\x80"), 4);
	assert_int_equal(length("\xf4\x8f\xbf\xbf"), 4);
}

static void test_malformed_sequences_have_none(void **state)
{
	static const char *const bad[] = {
		"",
		"\x80",             /* a tail alone */
		"\xc0\x80",         /* overlong */
		"\xc1\xbf",
		"\xe0\x9f\xbf",
		"\xf0\x8f\xbf\xbf",
		"\xed\xa0\x80",     /* a surrogate */
		"\xf4\x90\x80\x80", /* above U+10FFFF */
		"\xf5\x80\x80\x80",
		"\xff",
		"\xc3",             /* cut */
		"\xe2\x82",
		"\xf0\x9f\x98",
		"\xe2\x28\xa1",     /* no tail */
		"\xf0\x9f\x28\x80",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_int_equal(length(bad[i]), 0);
}

static void test_the_first_bad_byte_is_named(void **state)
{
	size_t bad = 99;

	(void)state;
	assert_true(utf8_valid("", 0, &bad));
	assert_true(utf8_valid("a\xc3\xa4\0z", 5, &bad));
	assert_int_equal(bad, 99);
	assert_false(utf8_valid("a\xc3\xa4\xff" "b", 5, &bad));
	assert_int_equal(bad, 3);
	assert_false(utf8_valid("ab\xc3\xa4", 3, &bad)); /* n cuts it */
	assert_int_equal(bad, 2);
	assert_false(utf8_valid("\xff", 1, NULL));
}

static void shows(const char *s, size_t n, const char *expected)
{
	struct buf b = BUF_INIT;

	utf8_add_printable(&b, s, n);
	assert_string_equal(b.data, expected);
	buf_release(&b);
}

static void test_printable_text_is_kept(void **state)
{
	(void)state;
	shows("", 0, "");
	shows("a\tb\n\xc3\xa4\xe2\x82\xac", 9, "a\tb\n\xc3\xa4\xe2\x82\xac");
	shows("\xc2\xa0", 2, "\xc2\xa0"); /* the first after the controls */
}

static void test_control_characters_become_pictures(void **state)
{
	(void)state;
	shows("a\0b", 3, "a\xe2\x90\x80" "b");
	shows("\x1b[0m\r\x1f\x7f", 7,
	      "\xe2\x90\x9b[0m\xe2\x90\x8d\xe2\x90\x9f\xe2\x90\xa1");
}

static void test_the_second_set_of_controls_is_replaced(void **state)
{
	(void)state;
	shows("\xc2\x80\xc2\x9b\xc2\x9f", 6,
	      "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

static void test_each_bad_byte_is_replaced(void **state)
{
	(void)state;
	shows("a\xff\xc3" "b\xe2\x82", 6,
	      "a\xef\xbf\xbd\xef\xbf\xbd" "b\xef\xbf\xbd\xef\xbf\xbd");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_well_formed_sequences_have_their_length),
		cmocka_unit_test(test_malformed_sequences_have_none),
		cmocka_unit_test(test_the_first_bad_byte_is_named),
		cmocka_unit_test(test_printable_text_is_kept),
		cmocka_unit_test(test_control_characters_become_pictures),
		cmocka_unit_test(test_the_second_set_of_controls_is_replaced),
		cmocka_unit_test(test_each_bad_byte_is_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
