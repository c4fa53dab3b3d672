#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/utf8.h"

static void test_setting_an_error_returns_minus_one(void **state)
{
	struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(error_set(&err, ERROR_USAGE, "%s: %d", "a", 7), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, "a: 7");
}

static void test_context_goes_in_front_and_keeps_the_kind(void **state)
{
	struct error err = ERROR_INIT;

	(void)state;
	error_set(&err, ERROR_ENVIRONMENT, "no space");
	assert_int_equal(error_context(&err, "host %s", "alpha"), -1);
	assert_int_equal(error_context(&err, "run %d", 3), -1);
	assert_string_equal(err.text, "run 3: host alpha: no space");
	assert_int_equal(err.kind, ERROR_ENVIRONMENT);
}

static void test_a_long_text_is_cut_with_dots(void **state)
{
	struct error err = ERROR_INIT;
	char text[2000];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	error_set(&err, ERROR_USAGE, "%s", text);
	assert_int_equal(strlen(err.text), 1023);
	assert_string_equal(err.text + 1019, "x...");
}

static void test_a_text_that_just_fits_is_not_cut(void **state)
{
	struct error err = ERROR_INIT;
	char text[1024];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	error_set(&err, ERROR_USAGE, "%s", text);
	assert_string_equal(err.text, text);
}

static void test_a_cut_does_not_split_a_character(void **state)
{
	static const char *const characters[] = { "\xc3\xa4", "\xe2\x82\xac",
						  "\xf0\x9f\x98\x80" };

	(void)state;
	for (size_t c = 0; c < 3; c++) {
		for (size_t shift = 0; shift < 4; shift++) {
			struct error err = ERROR_INIT;
			char text[2048] = "";

			memset(text, 'x', shift);
			while (strlen(text) < 2000)
				strcat(text, characters[c]);
			error_set(&err, ERROR_USAGE, "%s", text);
			assert_true(utf8_valid(err.text, strlen(err.text),
					       NULL));
			assert_string_equal(err.text + strlen(err.text) - 3,
					    "...");
			assert_true(strlen(err.text) > 1015);
		}
	}
}

static void test_context_on_a_long_text_stays_valid(void **state)
{
	struct error err = ERROR_INIT;
	char text[1024] = "";

	(void)state;
	while (strlen(text) < 1020)
		strcat(text, "\xe2\x82\xac");
	error_set(&err, ERROR_USAGE, "%s", text);
	error_context(&err, "%s", text);
	assert_true(utf8_valid(err.text, strlen(err.text), NULL));
	assert_non_null(strstr(err.text, "...: \xe2\x82\xac"));
	assert_string_equal(err.text + strlen(err.text) - 3, "...");
}

static void test_each_kind_has_its_exit_status(void **state)
{
	static const struct {
		enum error_kind kind;
		int status;
	} wanted[] = { { ERROR_NONE, 0 },
		       { ERROR_NEGATIVE, 1 },
		       { ERROR_USAGE, 2 },
		       { ERROR_ENVIRONMENT, 3 },
		       { ERROR_INTERRUPTED, 130 } };

	(void)state;
	for (size_t i = 0; i < 5; i++) {
		struct error err = ERROR_INIT;

		err.kind = wanted[i].kind;
		assert_int_equal(error_exit_status(&err), wanted[i].status);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_setting_an_error_returns_minus_one),
		cmocka_unit_test(test_context_goes_in_front_and_keeps_the_kind),
		cmocka_unit_test(test_a_long_text_is_cut_with_dots),
		cmocka_unit_test(test_a_text_that_just_fits_is_not_cut),
		cmocka_unit_test(test_a_cut_does_not_split_a_character),
		cmocka_unit_test(test_context_on_a_long_text_stays_valid),
		cmocka_unit_test(test_each_kind_has_its_exit_status),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
