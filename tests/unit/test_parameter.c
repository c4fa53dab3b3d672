#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/buf.h"
#include "orchestrate/spec/parameter.h"
#include "orchestrate/spec/reading.h"
#include "tests/unit/comma_locale.h"

static bool fits(enum parameter_type type, const char *text)
{
	const struct parameter p = { .type = type };

	return parameter_fits(&p, text);
}

#define TAKES(type, ...)                                                    \
	do {                                                                \
		const char *const items[] = { __VA_ARGS__ };                \
		for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++) \
			if (!fits(type, items[i]))                          \
				fail_msg("refuses \"%s\"", items[i]);       \
	} while (0)
#define REFUSES(type, ...)                                                  \
	do {                                                                \
		const char *const items[] = { __VA_ARGS__ };                \
		for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++) \
			if (fits(type, items[i]))                           \
				fail_msg("takes \"%s\"", items[i]);         \
	} while (0)

static void every_type_takes_what_is_one_and_nothing_else(void **state)
{
	(void)state;
	TAKES(PARAMETER_TEXT, "", "x", "a b");
	TAKES(PARAMETER_INTEGER, "0", "12", "-3", "007");
	REFUSES(PARAMETER_INTEGER, "", "-", "1.0", "1k", " 1", "1 ", "+1",
		"1e3", "x");
	TAKES(PARAMETER_NUMBER, "0", "12", "-3.5", "0.25", "1e6", "1.5E-3",
	      "2e+4");
	REFUSES(PARAMETER_NUMBER, "", ".5", "5.", "1,5", "1e", "1e+", "nan",
		"inf", "0x10", "1e999", "--1");
	TAKES(PARAMETER_SIZE, "0", "4096", "64k", "64K", "1.5G", "1GiB", "2t",
	      "3m");
	REFUSES(PARAMETER_SIZE, "", "-1", "64KB", "1X", "K", "1 G", "1Gi",
		"1GiBB", "50%");
	TAKES(PARAMETER_DURATION, "90", "90s", "5m", "1.5h", "250ms");
	REFUSES(PARAMETER_DURATION, "", "-1", "1d", "soon");
	TAKES(PARAMETER_BOOLEAN, "true", "false");
	REFUSES(PARAMETER_BOOLEAN, "", "yes", "1", "True");
	TAKES(PARAMETER_PATH, "/", "/var/tmp", "/a..b/..c", "/a b");
	REFUSES(PARAMETER_PATH, "", "tmp", "./x", "/..", "/a/../b", "/a/..");
}

static void what_is_computed_is_not_known_yet(void **state)
{
	(void)state;
	TAKES(PARAMETER_INTEGER, "= threads * 2", "${n}", "1${n}");
	REFUSES(PARAMETER_INTEGER, "$n", "{n}");
}

static void bounds_are_inclusive_and_have_units(void **state)
{
	const struct parameter integer = { .type = PARAMETER_INTEGER,
					   .min = (char *)"-1",
					   .max = (char *)"1024" };
	const struct parameter size = { .type = PARAMETER_SIZE,
					.min = (char *)"300M" };
	const struct parameter duration = { .type = PARAMETER_DURATION,
					    .max = (char *)"5m" };

	(void)state;
	assert_true(parameter_fits(&integer, "-1"));
	assert_true(parameter_fits(&integer, "1024"));
	assert_false(parameter_fits(&integer, "-2"));
	assert_false(parameter_fits(&integer, "1025"));
	assert_true(parameter_fits(&size, "0.5G"));
	assert_true(parameter_fits(&size, "314572800"));
	assert_false(parameter_fits(&size, "314572799"));
	assert_true(parameter_fits(&duration, "300s"));
	assert_false(parameter_fits(&duration, "0.1h"));
}

static void a_decimal_point_is_one_in_every_locale(void **state)
{
	const struct parameter p = { .type = PARAMETER_NUMBER,
				     .max = (char *)"0.5" };

	(void)state;
	if (!comma_locale_enter())
		skip();
	assert_true(parameter_fits(&p, "0.5"));
	assert_false(parameter_fits(&p, "0.51"));
	assert_false(parameter_fits(&p, "0,4"));
	comma_locale_leave();
}

static void assert_message(const struct parameter *p, const char *of,
			   char *value, const char *wanted)
{
	struct problems problems = PROBLEMS_INIT;
	struct reading r = { .problems = &problems };
	const struct variable given = {
		.name = p->var.name, .value = value,
		.mark = { .file = "x.yaml", .line = 3, .column = 7 },
	};

	parameter_check(&r, of, p, &given);
	assert_int_equal(problems.n, wanted ? 1 : 0);
	if (wanted) {
		assert_string_equal(problems.items[0].text, wanted);
		assert_int_equal(problems.items[0].line, 3);
	}
	problems_release(&problems);
}

static void a_message_says_what_is_wanted(void **state)
{
	char *choices[] = { (char *)"read", (char *)"write" };
	const struct parameter depth = {
		.var.name = (char *)"iodepth", .type = PARAMETER_INTEGER,
		.min = (char *)"1", .max = (char *)"1024",
	};
	const struct parameter size = {
		.var.name = (char *)"size", .type = PARAMETER_SIZE,
		.min = (char *)"4K",
	};
	const struct parameter rw = {
		.var.name = (char *)"rw", .type = PARAMETER_CHOICE,
		.choices = { .items = choices, .n = 2 },
	};

	(void)state;
	assert_message(&depth, "benchmark fio", (char *)"32", NULL);
	assert_message(&depth, "benchmark fio", (char *)"x",
		       "benchmark fio: parameter \"iodepth\": expected a whole "
		       "number from 1 to 1024, got \"x\"");
	assert_message(&size, "benchmark fio", (char *)"1K",
		       "benchmark fio: parameter \"size\": expected a size "
		       "such as 4096, 64K or 1.5G of at least 4K, got \"1K\"");
	assert_message(&rw, "benchmark fio", (char *)"raed",
		       "benchmark fio: parameter \"rw\": expected one of: "
		       "read, write; got \"raed\"; did you mean \"read\"?");
	assert_message(&depth, NULL, (char *)"0",
		       "the default of parameter \"iodepth\": expected a whole "
		       "number from 1 to 1024, got \"0\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_takes_what_is_one_and_nothing_else),
		cmocka_unit_test(what_is_computed_is_not_known_yet),
		cmocka_unit_test(bounds_are_inclusive_and_have_units),
		cmocka_unit_test(a_decimal_point_is_one_in_every_locale),
		cmocka_unit_test(a_message_says_what_is_wanted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
