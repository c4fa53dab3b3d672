#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "orchestrate/spec/tags.h"

/* Has t, u.v and x-1. */
static bool has(void *ctx, const char *tag, size_t n)
{
	static const char *const there[] = { "t", "u.v", "x-1" };
	int *asked = ctx;

	(*asked)++;
	for (size_t i = 0; i < 3; i++)
		if (strlen(there[i]) == n && !strncmp(there[i], tag, n))
			return true;
	return false;
}

static int match(const char *text, int *asked)
{
	struct error err = ERROR_INIT;
	int rc;

	*asked = 0;
	rc = tags_match(text, has, asked, &err);
	if (rc < 0)
		print_error("%s: %s\n", text, err.text);
	return rc;
}

static void assert_match(const char *text, int wanted)
{
	int asked;

	assert_int_equal(match(text, &asked), wanted);
}

static void a_tag_is_there_or_not(void **state)
{
	(void)state;
	assert_match("t", 1);
	assert_match("f", 0);
	assert_match("u.v", 1);
	assert_match("x-1", 1);
	assert_match("  t\n", 1);
	assert_match("tt", 0);
}

static void words_combine_them(void **state)
{
	(void)state;
	assert_match("t and u.v", 1);
	assert_match("t and f", 0);
	assert_match("f or t", 1);
	assert_match("f or g", 0);
	assert_match("not f", 1);
	assert_match("not t", 0);
	assert_match("not not t", 1);
}

static void not_binds_closest_then_and_then_or(void **state)
{
	(void)state;
	assert_match("t or t and f", 1);
	assert_match("(t or t) and f", 0);
	assert_match("not f and f", 0);
	assert_match("not (f and f)", 1);
	assert_match("not f or f", 1);
	assert_match("not(f)and(t)", 1);
}

static void words_may_begin_a_tag(void **state)
{
	(void)state;
	assert_match("not android", 1);
	assert_match("nothing", 0);
	assert_match("order or t", 1);
}

static void every_tag_is_asked_for(void **state)
{
	int asked;

	(void)state;
	assert_int_equal(match("t or f or (f and f)", &asked), 1);
	assert_int_equal(asked, 4);
}

static void a_fault_has_its_column(void **state)
{
	static const struct {
		const char *text, *message;
	} faults[] = {
		{ "", "column 1: expected a tag, \"not\" or \"(\", but it "
		      "ends there" },
		{ "a and", "column 6: expected a tag, \"not\" or \"(\", but "
			   "it ends there" },
		{ "a or and", "column 6: expected a tag, \"not\" or \"(\", "
			      "got \"and\"" },
		{ "a b", "column 3: expected \"and\" or \"or\", got \"b\"" },
		{ "(a", "column 3: expected \"and\", \"or\" or \")\", but it "
			"ends there" },
		{ "(a))", "column 4: expected \"and\" or \"or\", got \")\"" },
		{ "a && b", "column 3: expected \"and\" or \"or\", got "
			    "\"&& b\"" },
		{ "a and \xc3\xa4 or \xc3\xb6",
		  "column 7: expected a tag, \"not\" or \"(\", got "
		  "\"\xc3\xa4 or \xc3\xb6\"" },
		{ "-a", "column 1: expected a tag, \"not\" or \"(\", got "
			"\"-a\"" },
	};
	int asked = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		struct error err = ERROR_INIT;

		assert_int_equal(tags_match(faults[i].text, has, &asked,
					    &err), -1);
		assert_string_equal(err.text, faults[i].message);
		assert_int_equal(err.kind, ERROR_USAGE);
	}
}

static void parentheses_have_a_bound(void **state)
{
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	int asked = 0;

	(void)state;
	for (int i = 0; i < 64; i++)
		buf_addc(&text, '(');
	buf_addc(&text, 't');
	for (int i = 0; i < 64; i++)
		buf_addc(&text, ')');
	assert_int_equal(tags_match(text.data, has, &asked, &err), 1);
	buf_clear(&text);
	for (int i = 0; i < 100000; i++)
		buf_addc(&text, '(');
	assert_int_equal(tags_match(text.data, has, &asked, &err), -1);
	assert_string_equal(err.text,
			    "column 65: more than 64 parentheses in each "
			    "other");
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tag_is_there_or_not),
		cmocka_unit_test(words_combine_them),
		cmocka_unit_test(not_binds_closest_then_and_then_or),
		cmocka_unit_test(words_may_begin_a_tag),
		cmocka_unit_test(every_tag_is_asked_for),
		cmocka_unit_test(a_fault_has_its_column),
		cmocka_unit_test(parentheses_have_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
