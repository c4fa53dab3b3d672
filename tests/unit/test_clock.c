#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "tests/unit/comma_locale.h"

#define SECOND INT64_C(1000000000)

static void test_monotonic_time_does_not_go_back(void **state)
{
	int64_t before = clock_monotonic_ns();

	(void)state;
	for (int i = 0; i < 1000; i++) {
		int64_t now = clock_monotonic_ns();

		assert_true(now >= before);
		before = now;
	}
}

static void test_wall_time_is_this_century(void **state)
{
	(void)state;
	assert_true(clock_wall_ns() > 1600000000 * SECOND);
}

static void test_labels_are_iso_8601_in_utc(void **state)
{
	char text[CLOCK_TEXT_SIZE];

	(void)state;
	assert_string_equal(clock_iso8601(0, text), "1970-01-01T00:00:00Z");
	assert_string_equal(clock_iso8601(1796071624 * SECOND + 999, text),
			    "2026-11-30T20:47:04Z");
	setenv("TZ", "Asia/Tokyo", 1);
	assert_string_equal(clock_iso8601(951782400 * SECOND, text),
			    "2000-02-29T00:00:00Z");
	unsetenv("TZ");
}

static void is_duration(int64_t ns, const char *expected)
{
	char text[CLOCK_TEXT_SIZE];

	assert_string_equal(clock_duration(ns, text), expected);
}

static void test_durations_read_like_speech(void **state)
{
	(void)state;
	is_duration(0, "0.0 s");
	is_duration(1300000000, "1.3 s");
	is_duration(245 * SECOND, "4 min 05 s");
	is_duration(34800 * SECOND, "9 h 40 min");
	is_duration(-1300000000, "-1.3 s");
	is_duration(INT64_MIN, "-2562047 h 47 min");
}

static void test_durations_round_into_the_next_unit(void **state)
{
	(void)state;
	is_duration(59940000000, "59.9 s");
	is_duration(59960000000, "1 min 00 s");
	is_duration(3599400000000, "59 min 59 s");
	is_duration(3599600000000, "1 h 00 min");
}

static void test_the_locale_changes_nothing(void **state)
{
	(void)state;
	if (!comma_locale_enter()) {
		comma_locale_leave();
		skip();
	}
	is_duration(1300000000, "1.3 s");
	comma_locale_leave();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_monotonic_time_does_not_go_back),
		cmocka_unit_test(test_wall_time_is_this_century),
		cmocka_unit_test(test_labels_are_iso_8601_in_utc),
		cmocka_unit_test(test_durations_read_like_speech),
		cmocka_unit_test(test_durations_round_into_the_next_unit),
		cmocka_unit_test(test_the_locale_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
