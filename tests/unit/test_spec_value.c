#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "orchestrate/spec/names.h"
#include "orchestrate/spec/value.h"

static void counts_are_digits_up_to_two_to_the_64th(void **state)
{
	static const char *const bad[] = { "", "-1", "+1", " 1", "1 ", "0x10",
					   "1.0", "1e3", "one",
					   "18446744073709551616",
					   "99999999999999999999999" };
	uint64_t v;

	(void)state;
	assert_true(value_count("0", &v) && v == 0);
	assert_true(value_count("007", &v) && v == 7);
	assert_true(value_count("18446744073709551615", &v) &&
		    v == UINT64_MAX);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(value_count(bad[i], &v));
}

static void durations_have_units(void **state)
{
	static const struct {
		const char *text;
		double seconds;
	} good[] = {
		{ "90", 90 }, { "90s", 90 }, { "5m", 300 }, { "5min", 300 },
		{ "1.5h", 5400 }, { "250ms", 0.25 }, { "0.1", 0.1 },
		{ "0.3s", 0.3 }, { "0", 0 },
		{ "123456789012345", 123456789012345 },
		{ "1.1ms", 0.0011 }, { "000000000000000001", 1 },
	};
	static const char *const bad[] = { "", "s", "5 m", "m5", "-1s", "1,5h",
					   ".5s", "5.s", "1.2.3", "1e3s", "5d",
					   "inf", "nan", "0x10", "5M", "5ms ",
					   "1234567890123456",
					   "0.0000000000000001" };
	double v;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_true(value_duration(good[i].text, &v));
		assert_true(v == good[i].seconds);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(value_duration(bad[i], &v));
}

static void shares_are_percentages_or_fractions(void **state)
{
	static const char *const bad[] = { "", "%", "1 percent", "1%%", "-1%",
					   "1,5%", "1  %" };
	double v;

	(void)state;
	assert_true(value_share("1%", &v) && v == 0.01);
	assert_true(value_share("0.5%", &v) && v == 0.005);
	assert_true(value_share("2.5 %", &v) && v == 0.025);
	assert_true(value_share("0.07", &v) && v == 0.07);
	assert_true(value_share("0", &v) && v == 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_false(value_share(bad[i], &v));
}

static void numbers_are_the_same_in_every_locale(void **state)
{
	double v;

	(void)state;
	/* where there is no such locale, this is the test above once more */
	setlocale(LC_ALL, "fi_FI.UTF-8");
	assert_true(value_duration("1.5h", &v) && v == 5400);
	assert_false(value_duration("1,5h", &v));
	setlocale(LC_ALL, "C");
}

static void booleans_are_true_and_false_alone(void **state)
{
	bool v = false;

	(void)state;
	assert_true(value_bool("true", &v) && v);
	assert_true(value_bool("false", &v) && !v);
	assert_false(value_bool("yes", &v));
	assert_false(value_bool("True", &v));
	assert_false(value_bool("", &v));
}

static void names_fit_into_file_names(void **state)
{
	static const char *const good[] = { "a", "4k", "a.b-c_d", "A9" };
	static const char *const bad[] = { "", ".", "..", "-a", "_a", "a/b",
					   "a b", "ä", "a\n", "a:b" };
	char longest[66];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_null(name_fault(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_non_null(name_fault(bad[i]));
	memset(longest, 'a', 65);
	longest[65] = '\0';
	assert_string_equal(name_fault(longest),
			    "is longer than 64 characters");
	longest[64] = '\0';
	assert_null(name_fault(longest));
}

static void variables_harm_no_shell(void **state)
{
	static const char *const good[] = { "a", "_a", "block_kib", "A1",
					    "levels", "ENVIRONMENT", "LC_ALL",
					    "PATHS", "work", "TMPDIR" };
	static const char *const bad[] = { "", "1a", "a-b", "a.b", "ä", "a b",
					   "PATH", "HOME", "IFS", "ENV",
					   "LD_PRELOAD", "LD_LIBRARY_PATH",
					   "SHELL", "PWD", "OLDPWD", "level",
					   "saved", "_", "BASH_ENV", "OPTIND",
					   "ASSAY_X", "assay_dir", "PS4" };

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		assert_null(variable_fault(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_non_null(variable_fault(bad[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_digits_up_to_two_to_the_64th),
		cmocka_unit_test(durations_have_units),
		cmocka_unit_test(shares_are_percentages_or_fractions),
		cmocka_unit_test(numbers_are_the_same_in_every_locale),
		cmocka_unit_test(booleans_are_true_and_false_alone),
		cmocka_unit_test(names_fit_into_file_names),
		cmocka_unit_test(variables_harm_no_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
