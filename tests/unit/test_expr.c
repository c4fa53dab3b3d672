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
#include "base/strlist.h"
#include "orchestrate/spec/expr.h"
#include "tests/unit/comma_locale.h"

/* The variables of these tests; a NULL value is absent. */
static const struct {
	const char *name;
	const char *value;
} variables[] = {
	{ "threads", "8" },  { "block_kib", "1024" }, { "platform", "docker" },
	{ "size", "64k" },   { "zero", "0" },	      { "gone", NULL },
	{ "yes", "true" },   { "no", "false" },	      { "version", "1.10" },
	{ "disk", "sda" },   { "huge", "1e308" },     { "empty", "" },
};
#define N_VARIABLES (sizeof(variables) / sizeof(*variables))

static const char *const words[] = { "docker", "lxc", "mq-deadline", "disk",
				     "zfs" };
#define N_WORDS (sizeof(words) / sizeof(*words))

static enum expr_meaning name_of(void *ctx, const char *name, struct mark at,
				 uint32_t *id)
{
	bool word = false;

	(void)ctx;
	(void)at;
	for (size_t i = 0; i < N_WORDS; i++)
		word |= !strcmp(words[i], name);
	for (size_t i = 0; i < N_VARIABLES; i++)
		if (!strcmp(variables[i].name, name)) {
			*id = (uint32_t)i;
			return word ? EXPR_AMBIGUOUS : EXPR_VARIABLE;
		}
	return word ? EXPR_WORD : EXPR_UNKNOWN;
}

static const char *fact_of(void *ctx, const char *of, const char *fact,
			   struct mark at)
{
	if (!strcmp(of, "sut") && !strcmp(fact, "cpus"))
		return "4";
	if (!strcmp(of, "host-1.lan") && !strcmp(fact, "arch"))
		return "x86_64";
	problems_add(ctx, at, "no fact %s of %s", fact, of);
	return NULL;
}

static void names_of(void *ctx, struct strlist *out)
{
	(void)ctx;
	for (size_t i = 0; i < N_VARIABLES; i++)
		strlist_push(out, variables[i].name);
	for (size_t i = 0; i < N_WORDS; i++)
		strlist_push(out, words[i]);
}

static int get(void *ctx, uint32_t id, struct expr_value *out,
	       struct error *err)
{
	(void)ctx;
	(void)err;
	assert_true(id < N_VARIABLES);
	if (variables[id].value)
		*out = expr_value_of(variables[id].value);
	else
		*out = (struct expr_value){ .kind = EXPR_ABSENT };
	return 0;
}

/* Its value, "(absent)", or its error; the expression stands in column 5. */
static char *value_of(const char *text)
{
	struct problems p = PROBLEMS_INIT;
	struct expr_symbols symbols = { .name = name_of, .names = names_of,
					.fact = fact_of, .ctx = &p };
	struct expr_source source = { text, { "x", 2, 4 }, 1 };
	struct expr *x = expr_compile(&source, &symbols, &p);
	struct error err = ERROR_INIT;
	char room[NUMBER_SIZE];
	struct expr_value v;
	struct buf out = BUF_INIT;

	assert_int_equal(p.total, x ? 0 : 1);
	if (!x)
		buf_addf(&out, "%u:%u: %s", p.items[0].line,
			 p.items[0].column, p.items[0].text);
	else if (expr_eval(x, get, NULL, &v, &err) < 0)
		buf_adds(&out, err.text);
	else if (v.kind == EXPR_ABSENT)
		buf_adds(&out, "(absent)");
	else
		buf_adds(&out, expr_value_text(&v, room));
	expr_free(x);
	problems_release(&p);
	return buf_detach(&out);
}

struct sample {
	const char *text;
	const char *value;
};

static void check(const struct sample *samples, size_t n)
{
	int failures = 0;

	for (size_t i = 0; i < n; i++) {
		char *got = value_of(samples[i].text);

		if (strcmp(got, samples[i].value)) {
			fprintf(stderr, "%s\n  wanted %s\n  got    %s\n",
				samples[i].text, samples[i].value, got);
			failures++;
		}
		free(got);
	}
	assert_int_equal(failures, 0);
}
#define CHECK(samples) check(samples, sizeof(samples) / sizeof(*(samples)))

static void arithmetic_is_as_at_school(void **state)
{
	static const struct sample samples[] = {
		{ "1 + 2 * 3", "7" },
		{ "(1 + 2) * 3", "9" },
		{ "10 - 4 - 3", "3" },
		{ "100 / 10 / 5", "2" },
		{ "1 / 2", "0.5" },
		{ "7 % 4", "3" },
		{ "-7 % 4", "-3" },
		{ "7.5 % 2", "1.5" },
		{ "-2 * -3", "6" },
		{ "- - 2", "2" },
		{ "2 - -2", "4" },
		{ "threads * 2", "16" },
		{ "threads * block_kib", "8192" },
		{ "${threads}*2", "16" },
		{ "64K", "64K" },
		{ "64K + 0", "65536" },
		{ "1.5M + 0", "1572864" },
		{ "1kB + 1KiB", "2024" },
		{ "2GiB / 1G", "2" },
		{ "1e3 + 1E-1", "1000.1" },
		{ "size / 1k", "64" },
		{ "0.1 + 0.2", "0.30000000000000004" },
		{ "1e30 * 1", "1e+30" },
		{ "0 * -1", "0" },
		{ "min(3, 1, 2)", "1" },
		{ "max(threads, 3)", "8" },
		{ "floor(-1.5)", "-2" },
		{ "ceil(1.2)", "2" },
		{ "round(2.5)", "3" },
		{ "log2(8)", "3" },
		{ "max(1, min(2, 3)) + 1", "3" },
		{ "sut.cpus * 2", "8" },
		{ "'host-1.lan'.arch", "x86_64" },
	};

	(void)state;
	CHECK(samples);
}

static void comparisons_are_by_number_or_by_text(void **state)
{
	static const struct sample samples[] = {
		{ "threads == 8", "true" },
		{ "threads == 8.0", "true" },
		{ "threads != 8", "false" },
		{ "size == 65536", "true" },
		{ "threads < 9", "true" },
		{ "threads <= 8", "true" },
		{ "threads > 8", "false" },
		{ "threads >= 8", "true" },
		{ "threads * block_kib > 8191", "true" },
		{ "platform == docker", "true" },
		{ "platform == 'docker'", "true" },
		{ "platform == \"lxc\"", "false" },
		{ "platform != lxc", "true" },
		{ "platform == 8", "false" },
		{ "version == 1.1", "true" },
		{ "version == '1.1'", "false" },
		{ "version == '1.10'", "true" },
		{ "threads == '8'", "true" },
		{ "4 + 4 == '8'", "true" },
		{ "disk == 'sda'", "2:5: \"disk\" is a variable and also a "
				   "level; write ${disk} or 'disk'" },
		{ "${disk} == 'sda'", "true" },
		{ "empty == ''", "true" },
		{ "(1 < 2) == true", "true" },
	};

	(void)state;
	CHECK(samples);
}

static void conditions_combine(void **state)
{
	static const struct sample samples[] = {
		{ "1 < 2 and 2 < 3", "true" },
		{ "1 < 2 and 3 < 2", "false" },
		{ "2 < 1 or 1 < 2", "true" },
		{ "not 1 < 2", "false" },
		{ "not not 1", "true" },
		{ "not 1 == 2 and 1", "true" },
		{ "1 or 0 and 0", "true" },
		{ "(1 or 0) and 0", "false" },
		{ "0 and 1 / zero", "false" },
		{ "1 or 1 / zero", "true" },
		{ "yes and not no", "true" },
		{ "platform in [lxc, docker]", "true" },
		{ "platform in [lxc]", "false" },
		{ "platform not in [lxc]", "true" },
		{ "threads in [2, 4 + 4, 16]", "true" },
		{ "threads in [7, 9]", "false" },
		{ "threads > 4 ? 'many' : 'few'", "many" },
		{ "threads > 8 ? 1 : threads > 4 ? 2 : 3", "2" },
		{ "(threads > 8 ? 1 : 2) + 1", "3" },
		{ "1 ? 2 : 1 / zero", "2" },
	};

	(void)state;
	CHECK(samples);
}

static void what_is_absent_makes_its_users_absent(void **state)
{
	static const struct sample samples[] = {
		{ "gone", "(absent)" },
		{ "gone + 1", "(absent)" },
		{ "-gone", "(absent)" },
		{ "gone == 1", "(absent)" },
		{ "gone != 1", "(absent)" },
		{ "not gone", "(absent)" },
		{ "gone in [1, 2]", "(absent)" },
		{ "gone not in [1, 2]", "(absent)" },
		{ "1 in [gone, 1]", "true" },
		{ "gone == 1 or 1", "true" },
		{ "1 or gone == 1", "true" },
		{ "gone == 1 or 0", "(absent)" },
		{ "0 or gone == 1", "(absent)" },
		{ "gone == 1 and 0", "false" },
		{ "0 and gone == 1", "false" },
		{ "gone == 1 and 1", "(absent)" },
		{ "1 and gone == 1", "(absent)" },
		{ "gone == 1 and gone == 1", "(absent)" },
		{ "gone ? 1 : 2", "(absent)" },
		{ "(gone ? 1 : 2) == 3 or threads == 8", "true" },
		{ "max(gone, 1)", "(absent)" },
	};

	(void)state;
	CHECK(samples);
}

static void mistakes_are_pointed_at(void **state)
{
	static const struct sample samples[] = {
		{ "", "2:5: expected a value, but the expression ends here" },
		{ "1 +", "2:8: expected a value, but the expression ends "
			 "here" },
		{ "1 + * 2", "2:9: expected a value, got \"*\"" },
		{ "(1 + 2", "2:11: expected an operator or \")\", but the "
			    "expression ends here" },
		{ "1 2", "2:7: expected an operator, got \"2\"" },
		{ "1)", "2:6: expected an operator, got \")\"" },
		{ "threads = 8", "2:13: \"=\" has no meaning in an "
				 "expression; write == to compare" },
		{ "1 && 2", "2:7: \"&\" has no meaning in an expression; "
			    "write and" },
		{ "1 || 2", "2:7: \"|\" has no meaning in an expression; "
			    "write or" },
		{ "!1", "2:5: \"!\" has no meaning in an expression; write "
			"not" },
		{ "$threads", "2:5: \"$\" has no meaning in an expression; "
			      "write ${name}, or the name alone" },
		{ "'ä' == ö", "2:12: \"ö\" has no meaning in an "
			      "expression" },
		{ "thread * 2", "2:5: \"thread\" is no variable and no level; "
				"did you mean \"threads\"?" },
		{ "xyzzy", "2:5: \"xyzzy\" is no variable and no level; a "
			   "text stands in quotes" },
		{ "${docker}", "2:7: \"docker\" is a level and no variable; "
			       "write 'docker'" },
		{ "${threads", "2:5: expected a variable's name and \"}\" "
			       "behind \"${\"" },
		{ "mq-deadline == 1", "2:5: \"mq\" is no variable and no "
				      "level; write 'mq-deadline' in "
				      "quotes" },
		{ "'open", "2:5: the text that begins here has no closing '" },
		{ "12abc", "2:5: no number: write one such as 8, 0.5 or 64K, "
			   "and a text in quotes" },
		{ "1.2.3", "2:5: no number: write one such as 8, 0.5 or 64K, "
			   "and a text in quotes" },
		{ "1 < 2 < 3", "2:11: expected \"and\" or \"or\" between two "
			       "comparisons, got \"<\"" },
		{ "1 in 2", "2:10: expected a list such as [a, b], got "
			    "\"2\"" },
		{ "1 in [2", "2:12: expected \",\" or \"]\", but the "
			     "expression ends here" },
		{ "1 in []", "2:11: expected a value, got \"]\"" },
		{ "1 not 2", "2:11: expected \"in\" behind \"not\", got "
			     "\"2\"" },
		{ "1 ? 2", "2:10: expected an operator or \":\", but the "
			   "expression ends here" },
		{ "flor(1)", "2:5: there is no function \"flor\"; did you "
			     "mean \"floor\"?" },
		{ "cosinus(1)", "2:5: there is no function \"cosinus\"; there "
				"are ceil, floor, log2, max, min and round" },
		{ "floor(1, 2)", "2:12: expected \")\", got \",\"" },
		{ "min(1)", "2:10: expected \",\" and a second number, got "
			    "\")\"" },
		{ "docker * 2", "2:5: expected a number, got the text "
				"docker" },
		{ "1 < 'b'", "2:9: expected a number, got the text 'b'" },
		{ "min('a', 1)", "2:9: expected a number, got the text 'a'" },
		{ "-'a'", "2:6: expected a number, got the text 'a'" },
		{ "cut.cpus", "2:5: no fact cpus of cut" },
		{ "and", "2:5: expected a value, got \"and\"" },
		{ "1 and", "2:10: expected a value, but the expression ends "
			   "here" },
	};

	(void)state;
	CHECK(samples);
}

static void what_has_no_value_is_named(void **state)
{
	static const struct sample samples[] = {
		{ "threads / zero",
		  "x:2:15: zero is 0: there is no dividing by it" },
		{ "threads % (zero * 2)",
		  "x:2:16: zero * 2 is 0: there is no dividing by it" },
		{ "platform > 4",
		  "x:2:5: platform is \"docker\", which is no number" },
		{ "4 + platform",
		  "x:2:9: platform is \"docker\", which is no number" },
		{ "1 + (2 > 1)",
		  "x:2:10: 2 > 1 is \"true\", which is no number" },
		{ "floor(platform)",
		  "x:2:11: platform is \"docker\", which is no number" },
		{ "not platform",
		  "x:2:9: platform is \"docker\", which is no condition" },
		{ "platform and 1",
		  "x:2:5: platform is \"docker\", which is no condition" },
		{ "1 and platform",
		  "x:2:11: platform is \"docker\", which is no condition" },
		{ "platform ? 1 : 2",
		  "x:2:5: platform is \"docker\", which is no condition" },
		{ "1 + huge * 10",
		  "x:2:9: huge * 10 is out of range (above 1.8e308)" },
		{ "log2(zero)",
		  "x:2:10: zero has no log2: it is not above 0" },
		{ "log2(-1)", "x:2:10: -1 has no log2: it is not above 0" },
	};

	(void)state;
	CHECK(samples);
}

/* `n` times `open`, a 1, and as many times `close`. */
static char *nested(const char *open, size_t n, const char *close)
{
	struct buf text = BUF_INIT;
	char *got;

	for (size_t i = 0; i < n; i++)
		buf_adds(&text, open);
	buf_addc(&text, '1');
	for (size_t i = 0; i < n; i++)
		buf_adds(&text, close);
	got = value_of(text.data);
	buf_release(&text);
	return got;
}

static void depth_and_length_are_bounded(void **state)
{
	static const struct {
		const char *open, *close;
	} kinds[] = {
		{ "(", ")" }, { "- ", "" }, { "not ", "" },
		{ "1 ? 1 : ", "" }, { "floor(", ")" }, { "1 in [", "]" },
		{ "0 + (0 == (0 and ", "))" },
	};
	char *got;

	(void)state;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		got = nested(kinds[i].open, 25, kinds[i].close);
		assert_null(strstr(got, "nested"));
		free(got);
		got = nested(kinds[i].open, 65, kinds[i].close);
		assert_non_null(strstr(got, "nested more than 64 levels deep"));
		free(got);
	}
	got = nested("1+", 2047, "");
	assert_string_equal(got, "2048");
	free(got);
	got = nested("1+", 2048, "");
	assert_string_equal(got, "2:4: an expression of 4097 bytes; at most "
				 "4096 are possible");
	free(got);
	got = nested("1 in [1, ", 60, "]");
	assert_string_equal(got, "true");
	free(got);
}

static void a_place_inside_is_unknown_when_the_text_is_not_there(void **state)
{
	struct problems p = PROBLEMS_INIT;
	struct expr_symbols symbols = { .name = name_of, .names = names_of,
					.ctx = &p };
	struct expr_source source = { "1 +\n+ 2", { "x", 2, 4 }, -1 };

	(void)state;
	assert_null(expr_compile(&source, &symbols, &p));
	assert_int_equal(p.items[0].line, 2);
	assert_int_equal(p.items[0].column, 4);
	problems_release(&p);
	source.text = "sut.cpus";
	assert_null(expr_compile(&source, &symbols, &p));
	assert_string_equal(p.items[0].text,
			    "facts of hosts cannot be used here");
	problems_release(&p);
}

static int note(void *ctx, uint32_t id, const char *text, struct mark at)
{
	struct buf *out = ctx;

	buf_addf(out, "%u %s=%s;", at.column, variables[id].name, text);
	return 0;
}

static void texts_that_a_variable_is_compared_with_are_found(void **state)
{
	static const char text[] =
		"platform == docker and lxc != platform or (zero + 1) in "
		"[lxc] or platform in [1 + threads, lxc, 'x'] or "
		"threads == 4 or (zero ? platform : disk2) == 'y'";
	struct problems p = PROBLEMS_INIT;
	struct expr_symbols symbols = { .name = name_of, .names = names_of,
					.ctx = &p };
	struct expr_source source = { text, { "x", 1, 1 }, 0 };
	char *copy = strdup(text), *at = strstr(copy, "disk2");
	struct buf out = BUF_INIT;
	struct expr *x;

	(void)state;
	memcpy(at, "empty", 5);
	source.text = copy;
	x = expr_compile(&source, &symbols, &p);
	assert_non_null(x);
	assert_int_equal(expr_each_comparison(x, note, &out), 0);
	assert_string_equal(out.data, "13 platform=docker;24 platform=lxc;"
				      "92 platform=lxc;97 platform=x;");
	buf_release(&out);
	expr_free(x);
	free(copy);
}

static void numbers_read_back(void **state)
{
	uint64_t bits = 88172645463325252u;
	char text[NUMBER_SIZE];
	double v, back;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		/* xorshift64 (Marsaglia, 2003) */
		bits ^= bits << 13;
		bits ^= bits >> 7;
		bits ^= bits << 17;
		memcpy(&v, &bits, sizeof(v));
		if (i % 2) /* of a usual size */
			v = (double)(int64_t)(bits >> 20) / 1000;
		if (v != v || v - v != 0)
			continue;
		number_print(text, v);
		assert_true(strlen(text) < NUMBER_SIZE - 1);
		assert_true(number_parse(text, &back));
		if (back < v || back > v)
			fail_msg("%.17g printed as %s", v, text);
	}
}

static void numbers_print_shortest(void **state)
{
	static const struct {
		double v;
		const char *text;
	} samples[] = {
		{ 8, "8" }, { 0.5, "0.5" }, { -0.5, "-0.5" }, { -0.0, "0" },
		{ 1e30, "1e+30" }, { 1.25e-7, "1.25e-07" },
		{ 0.00001, "0.00001" }, { 1e18, "1000000000000000000" },
		{ 9.3e18, "9.3e+18" }, { 0.1 + 0.2, "0.30000000000000004" },
		{ 123456.789, "123456.789" }, { 5e-324, "5e-324" },
		{ 1.7976931348623157e308, "1.7976931348623157e+308" },
		{ -12.05, "-12.05" }, { 0.001, "0.001" },
	};
	char text[NUMBER_SIZE];

	(void)state;
	for (int pass = 0; pass < 2; pass++) {
		if (pass && !comma_locale_enter())
			print_message("no localedef here\n");
		for (size_t i = 0; i < sizeof(samples) / sizeof(*samples);
		     i++)
			assert_string_equal(number_print(text, samples[i].v),
					    samples[i].text);
		assert_true(number_parse("1.5", &(double){ 0 }));
	}
	comma_locale_leave();
}

static void a_number_is_the_whole_text(void **state)
{
	static const struct {
		const char *text;
		double v;
	} good[] = {
		{ "4", 4 }, { "-4", -4 }, { "007", 7 }, { "0.25", 0.25 },
		{ "4k", 4096 }, { "4K", 4096 }, { "1M", 1048576 },
		{ "1G", 1073741824 }, { "1T", 1099511627776 },
		{ "1KiB", 1024 }, { "1MiB", 1048576 }, { "1kB", 1000 },
		{ "0.1MB", 100000 }, { "1TB", 1e12 }, { "2e3", 2000 },
		{ "2E-3", 0.002 }, { "1e+2", 100 },
	};
	static const char *const bad[] = {
		"", "-", "+4", ".5", "5.", "4m", "4 k", "4KB", "4kiB", "4kb",
		"0x10", "1e", "1e400", "nan", "inf", "4kk", "1e3k", "--4",
		"1_000", "4 ", " 4", "1.2.3", "4g",
		"11111111111111111111111111111111111111111111111111111111111"
		"1111111111",
	};
	double v;

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_true(number_parse(good[i].text, &v));
		if (v < good[i].v || v > good[i].v)
			fail_msg("%s is %.17g", good[i].text, v);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (number_parse(bad[i], &v))
			fail_msg("\"%s\" is taken for %g", bad[i], v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arithmetic_is_as_at_school),
		cmocka_unit_test(comparisons_are_by_number_or_by_text),
		cmocka_unit_test(conditions_combine),
		cmocka_unit_test(what_is_absent_makes_its_users_absent),
		cmocka_unit_test(mistakes_are_pointed_at),
		cmocka_unit_test(what_has_no_value_is_named),
		cmocka_unit_test(depth_and_length_are_bounded),
		cmocka_unit_test(
			a_place_inside_is_unknown_when_the_text_is_not_there),
		cmocka_unit_test(
			texts_that_a_variable_is_compared_with_are_found),
		cmocka_unit_test(numbers_read_back),
		cmocka_unit_test(numbers_print_shortest),
		cmocka_unit_test(a_number_is_the_whole_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
