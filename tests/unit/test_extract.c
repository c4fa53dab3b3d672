#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "orchestrate/exec/extract.h"

static void finds(enum extract_kind kind, const char *pattern,
		  const char *text, size_t n_expected, const double *expected)
{
	struct extracted x = EXTRACTED_INIT;
	struct error err = ERROR_INIT;

	if (extract_values(kind, pattern, text, strlen(text), &x, &err))
		fail_msg("%s: %s", pattern, err.text);
	assert_int_equal(x.n, n_expected);
	for (size_t i = 0; i < n_expected; i++)
		assert_true(x.values[i] == expected[i]);
	extracted_release(&x);
}

static void refuses_n(enum extract_kind kind, const char *pattern,
		      const char *text, size_t n, const char *message)
{
	struct extracted x = EXTRACTED_INIT;
	struct error err = ERROR_INIT;

	assert_int_equal(extract_values(kind, pattern, text, n, &x, &err), -1);
	assert_int_equal(err.kind, ERROR_NEGATIVE);
	assert_string_equal(err.text, message);
	extracted_release(&x);
}

static void refuses(enum extract_kind kind, const char *pattern,
		    const char *text, const char *message)
{
	refuses_n(kind, pattern, text, strlen(text), message);
}

static void does_not_compile(enum extract_kind kind, const char *pattern,
			     const char *message)
{
	struct error err = ERROR_INIT;

	assert_int_equal(extract_check(kind, pattern, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, message);
}

#define FINDS(kind, pattern, text, ...)                                     \
	finds(kind, pattern, text,                                          \
	      sizeof((double[]){ __VA_ARGS__ }) / sizeof(double),           \
	      (double[]){ __VA_ARGS__ })
#define JSON(pattern, text, ...) FINDS(EXTRACT_JSON, pattern, text, __VA_ARGS__)
#define REGEX(pattern, text, ...)                                           \
	FINDS(EXTRACT_REGEX, pattern, text, __VA_ARGS__)

static void json_gives_every_result(void **state)
{
	(void)state;
	JSON(".a", "{\"a\": 12.5}", 12.5);
	JSON(".a[]", "{\"a\": [1, -2e3, 0.1]}", 1, -2000, 0.1);
	JSON(".x", "{\"x\":1}\n{\"x\":2}\n", 1, 2);
	JSON(".jobs[0] | (.read.bw_bytes + .write.bw_bytes) / 1048576",
	     "{\"jobs\":[{\"read\":{\"bw_bytes\":0},"
	     "\"write\":{\"bw_bytes\":2097152}}]}", 2);
}

static void json_takes_a_string_only_when_it_is_a_number(void **state)
{
	(void)state;
	JSON(".", "\"12.5\"", 12.5);
	JSON(".", "\" 7\\n\"", 7);
	refuses(EXTRACT_JSON, ".", "\"12.5 ms\"", "'12.5 ms' is not a number");
	refuses(EXTRACT_JSON, ".", "\"0x10\"", "'0x10' is not a number");
	refuses(EXTRACT_JSON, ".", "\"1,000\"", "'1,000' is not a number");
	refuses(EXTRACT_JSON, ".", "\"nan\"", "'nan' is not a number");
	refuses(EXTRACT_JSON, ".", "\"1e999\"",
		"'1e999' is too large for a number");
	refuses(EXTRACT_JSON, ".", "\"1\\u0000\"",
		"'1\xe2\x90\x80' is not a number");
}

static void json_refuses_what_is_no_number(void **state)
{
	(void)state;
	refuses(EXTRACT_JSON, ".rate", "{}", "the program gave null (a field "
		"that is not there?) where a number is needed");
	refuses(EXTRACT_JSON, ".", "true",
		"the program gave boolean where a number is needed");
	refuses(EXTRACT_JSON, ".", "[1]",
		"the program gave array where a number is needed");
	refuses(EXTRACT_JSON, ".[]", "[]", "nothing in the output matched");
	refuses(EXTRACT_JSON, ".", "", "the command printed nothing");
	refuses(EXTRACT_JSON, "nan", "1",
		"found nan, which is no finite number");
	refuses(EXTRACT_JSON, "infinite", "1",
		"found infinity, which is no finite number");
}

static void json_says_where_the_output_is_no_json(void **state)
{
	(void)state;
	refuses(EXTRACT_JSON, ".", "{\"a\": 1,\n oops}",
		"the output is not JSON: Invalid numeric literal at line 2, column 6");
	refuses(EXTRACT_JSON, ".a", "{\"a\": 1", "the output is not JSON: "
		"Unfinished JSON term at EOF at line 1, column 7");
	refuses_n(EXTRACT_JSON, ".", "\xff\xfe\0", 3, "the output is not "
		  "JSON: Invalid numeric literal at EOF at line 1, column 3");
}

static void json_tells_what_went_wrong_in_the_program(void **state)
{
	(void)state;
	refuses(EXTRACT_JSON, ".a", "7",
		"jq: Cannot index number with string \"a\"");
	refuses(EXTRACT_JSON, "error({a: 1})", "7", "jq: {\"a\":1}");
	refuses(EXTRACT_JSON, "error(\"b\\u0007c\")", "7",
		"jq: b\xe2\x90\x87" "c");
	does_not_compile(EXTRACT_JSON, ".a |",
			 "not a jq program: syntax error, unexpected $end "
			 "at line 1");
	does_not_compile(EXTRACT_JSON, "1 +\nfoo(1)",
			 "not a jq program: foo/1 is not defined at line 2");
	does_not_compile(EXTRACT_JSON, "\xff",
			 "not a jq program: it does not compile");
}

static void json_programs_cannot_run_away_or_reach_out(void **state)
{
	(void)state;
	refuses(EXTRACT_JSON, "repeat(1)", "1", "more than 1000000 values; "
		"the pattern may match too much or never end");
	refuses(EXTRACT_JSON, "input", "1 2", "jq: input is not available");
	refuses(EXTRACT_JSON, "halt", "1", "jq: halt is not available");
	refuses(EXTRACT_JSON, "\"x\" | halt_error", "1",
		"jq: halt_error is not available");
	refuses(EXTRACT_JSON, "halt_error(3)", "1",
		"jq: halt_error is not available");
	refuses(EXTRACT_JSON, "input_line_number", "1",
		"jq: Unknown input line number");
	JSON("stderr | debug", "1", 1);
	does_not_compile(EXTRACT_JSON, "import \"a\" as a; 1",
			 "not a jq program: syntax error, unexpected import, "
			 "expecting $end at line 1");
}

static void json_programs_that_never_end_are_ended(void **state)
{
	(void)state;
	refuses(EXTRACT_JSON, "until(. > 5; .)", "1",
		"the jq program did not end within 10 s of CPU time");
}

static void json_programs_that_eat_all_memory_are_ended(void **state)
{
	(void)state;
#ifdef __SANITIZE_ADDRESS__
	skip(); /* which bounds no memory */
#endif
	refuses(EXTRACT_JSON, "def f: 1 + f; f", "1",
		"the jq program ran out of memory or crashed");
	refuses(EXTRACT_JSON, ".[300000000] = 1 | length", "[]",
		"the jq program ran out of memory or crashed");
}

static void json_gives_a_million_values(void **state)
{
	struct extracted x = EXTRACTED_INIT;
	struct error err;

	(void)state;
	assert_int_equal(extract_values(EXTRACT_JSON, "range(1e6)", "1", 1, &x,
					&err), 0);
	assert_int_equal(x.n, EXTRACT_MAX_VALUES);
	for (size_t i = 0; i < x.n; i++)
		assert_true(x.values[i] == (double)i);
	extracted_release(&x);
}

static void json_survives_an_error_and_runs_again(void **state)
{
	struct extracted x = EXTRACTED_INIT;
	struct error err = ERROR_INIT;
	struct extractor *json = extractor_new(EXTRACT_JSON, ".a", &err);

	(void)state;
	assert_non_null(json);
	assert_int_equal(extractor_run(json, "7", 1, &x, &err), -1);
	assert_int_equal(extractor_run(json, "[", 1, &x, &err), -1);
	assert_int_equal(extractor_run(json, "{\"a\":5}", 7, &x, &err), 0);
	assert_int_equal(x.n, 1);
	assert_true(x.values[0] == 5);
	extracted_release(&x);
	extractor_free(json);
}

static void regex_prefers_the_group_value(void **state)
{
	(void)state;
	REGEX("([a-z]+)=(?<value>[0-9]+)", "a=1 b=2\nc=3", 1, 2, 3);
	REGEX("rate: ([0-9.]+)", "rate: 7.25 MiB", 7.25);
	REGEX("[0-9]+", "x 10 y 20", 10, 20);
	REGEX("^v ([-+.e0-9]+)$", "v 1\nv -2.5e3\nw 3\nv .5", 1, -2500, .5);
	REGEX("\\((?<value>[0-9.]+) MiB/sec\\)",
	      "1 transferred (7210.55 MiB/sec)\n", 7210.55);
}

static void regex_refuses_what_is_no_number(void **state)
{
	(void)state;
	refuses(EXTRACT_REGEX, "rate: (\\S+)", "rate: 1,024",
		"'1,024' is not a number");
	refuses(EXTRACT_REGEX, "rate: (.*)", "rate: 12 MB",
		"'12 MB' is not a number");
	refuses(EXTRACT_REGEX, "rate: (.*)", "rate: inf",
		"'inf' is not a number");
	refuses(EXTRACT_REGEX, "rate: (.*)", "speed: 1",
		"nothing in the output matched");
	refuses(EXTRACT_REGEX, "[0-9]*", "ab",
		"an empty text is not a number");
	refuses(EXTRACT_REGEX, "a(1)?", "a",
		"a match without its group for the number");
	refuses(EXTRACT_REGEX, "(.+)",
		"1234567890123456789012345678901234567890"
		"123456789012345678901234567890x",
		"'1234567890123456789012345678901234567890"
		"12345678901234567890...' is not a number");
}

static void regex_takes_any_bytes(void **state)
{
	(void)state;
	REGEX("\xc3\xa4=([0-9]+)", "\xc3\xa4=4", 4);
	REGEX("^.=([0-9]+)", "\xc3\xa4=4", 4);          /* one character */
	REGEX("^..=([0-9]+)", "\xc3\xff=4", 4);         /* two bytes */
	REGEX("(?=([0-9]))", "1\xc3\xa4" "2", 1, 2);    /* empty matches */
}

static void regex_sees_past_nul_bytes(void **state)
{
	struct extracted x = EXTRACTED_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	assert_int_equal(extract_values(EXTRACT_REGEX, "b=(\\d)", "a\0b=3", 5,
					&x, &err), 0);
	assert_int_equal(x.n, 1);
	assert_true(x.values[0] == 3);
	extracted_release(&x);
}

static void regex_says_what_does_not_compile(void **state)
{
	(void)state;
	does_not_compile(EXTRACT_REGEX, "a(b", "not a regular expression: "
			 "missing closing parenthesis at character 4");
	does_not_compile(EXTRACT_REGEX, "\\C", "not a regular expression: "
			 "using \\C is disabled by the application at "
			 "character 3");
}

static void regex_gives_up_on_a_runaway_pattern(void **state)
{
	(void)state;
	refuses(EXTRACT_REGEX, "^(a|aa)+$",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
		"the regular expression gave up on this output (match limit "
		"exceeded); make it more exact");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_gives_every_result),
		cmocka_unit_test(json_takes_a_string_only_when_it_is_a_number),
		cmocka_unit_test(json_refuses_what_is_no_number),
		cmocka_unit_test(json_says_where_the_output_is_no_json),
		cmocka_unit_test(json_tells_what_went_wrong_in_the_program),
		cmocka_unit_test(json_programs_cannot_run_away_or_reach_out),
		cmocka_unit_test(json_programs_that_never_end_are_ended),
		cmocka_unit_test(json_programs_that_eat_all_memory_are_ended),
		cmocka_unit_test(json_gives_a_million_values),
		cmocka_unit_test(json_survives_an_error_and_runs_again),
		cmocka_unit_test(regex_prefers_the_group_value),
		cmocka_unit_test(regex_refuses_what_is_no_number),
		cmocka_unit_test(regex_takes_any_bytes),
		cmocka_unit_test(regex_sees_past_nul_bytes),
		cmocka_unit_test(regex_says_what_does_not_compile),
		cmocka_unit_test(regex_gives_up_on_a_runaway_pattern),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
