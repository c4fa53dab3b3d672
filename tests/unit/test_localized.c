#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/localized.h"

static void test_no_text_is_null(void **state)
{
	struct localized l = LOCALIZED_INIT;

	(void)state;
	assert_null(localized_get(&l, "en"));
	assert_null(localized_get(&l, NULL));
	localized_release(&l);
}

static void test_the_exact_language_wins(void **state)
{
	struct localized l = LOCALIZED_INIT;

	(void)state;
	localized_add(&l, "", "any");
	localized_add(&l, "fi", "suomi");
	assert_string_equal(localized_get(&l, "fi"), "suomi");
	assert_string_equal(localized_get(&l, "en"), "any");
	assert_string_equal(localized_get(&l, NULL), "any");
	localized_release(&l);
	assert_int_equal(l.n, 0);
}

static void test_without_a_plain_text_the_first_is_taken(void **state)
{
	struct localized l = LOCALIZED_INIT;

	(void)state;
	localized_add(&l, "fi", "suomi");
	localized_add(&l, "en", "English");
	assert_string_equal(localized_get(&l, "de"), "suomi");
	assert_string_equal(localized_get(&l, "en"), "English");
	localized_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_text_is_null),
		cmocka_unit_test(test_the_exact_language_wins),
		cmocka_unit_test(test_without_a_plain_text_the_first_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
