#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/spec/yaml_doc.h"

static struct yaml_doc doc;
static struct problems problems;

static int setup(void **state)
{
	(void)state;
	doc = (struct yaml_doc){ .root = NULL };
	problems = (struct problems)PROBLEMS_INIT;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	yaml_doc_release(&doc);
	problems_release(&problems);
	return 0;
}

static int parse(const char *text)
{
	return yaml_doc_parse(&doc, "f.yaml", text, strlen(text), &problems);
}

/* The only problem, as "line:column: text". */
static void assert_problem(const char *wanted)
{
	char *got;

	assert_int_equal(problems.n, 1);
	got = mem_printf("%u:%u: %s", problems.items[0].line,
			 problems.items[0].column, problems.items[0].text);
	assert_string_equal(got, wanted);
	free(got);
}

static void a_tree_knows_where_everything_stands(void **state)
{
	const struct yaml_node *root, *list;

	(void)state;
	assert_int_equal(parse("a: 1\nböb:\n  - 'x'\n  - {k: v}\n"), 0);
	root = doc.root;
	assert_int_equal(root->kind, YAML_MAPPING);
	assert_int_equal(root->n_pairs, 2);
	assert_string_equal(root->pairs[1].key, "böb");
	assert_int_equal(root->pairs[1].mark.line, 2);
	assert_string_equal(root->pairs[1].mark.file, "f.yaml");
	list = root->pairs[1].value;
	assert_int_equal(list->kind, YAML_SEQUENCE);
	assert_int_equal(list->n_items, 2);
	assert_string_equal(list->items[0]->text, "x");
	assert_false(list->items[0]->plain);
	assert_true(root->pairs[0].value->plain);
	assert_int_equal(list->items[1]->mark.line, 4);
	assert_int_equal(list->items[1]->mark.column, 5);
	assert_string_equal(yaml_get(list->items[1], "k")->value->text, "v");
	assert_null(yaml_get(list->items[1], "kk"));
	assert_null(yaml_get(list, "k"));
}

static void columns_count_characters_not_bytes(void **state)
{
	(void)state;
	assert_int_equal(parse("{äöü: é, k: v}\n"), 0);
	assert_int_equal(doc.root->pairs[1].mark.column, 10);
}

static void scalars_keep_their_text(void **state)
{
	static const char *const texts[] = { "0x10", "1.0", "yes", "null", "~",
					     "1e3", "0o7", "2001-01-01" };

	(void)state;
	assert_int_equal(parse("[0x10, 1.0, yes, null, ~, 1e3, 0o7, "
			       "2001-01-01, !!int 07, '']"), 0);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		assert_string_equal(doc.root->items[i]->text, texts[i]);
	assert_string_equal(doc.root->items[8]->text, "07");
	assert_string_equal(doc.root->items[9]->text, "");
	assert_false(yaml_is_nothing(doc.root->items[9]));
}

static void shapes_have_names(void **state)
{
	(void)state;
	assert_int_equal(parse("[x, [], {}, '', ~]\n"), 0);
	assert_string_equal(yaml_shape(doc.root->items[0]), "text");
	assert_string_equal(yaml_shape(doc.root->items[1]), "a list");
	assert_string_equal(yaml_shape(doc.root->items[2]), "a mapping");
	assert_string_equal(yaml_shape(doc.root->items[3]), "text");
	yaml_doc_release(&doc);
	assert_int_equal(parse("a:\n"), 0);
	assert_string_equal(yaml_shape(doc.root->pairs[0].value), "nothing");
}

static void a_byte_order_mark_of_utf8_is_skipped(void **state)
{
	(void)state;
	assert_int_equal(parse("\xef\xbb\xbf" "a: b\n"), 0);
	assert_string_equal(doc.root->pairs[0].key, "a");
	assert_int_equal(doc.root->pairs[0].mark.column, 1);
}

static void aliases_share_their_anchors_value(void **state)
{
	(void)state;
	assert_int_equal(parse("a: &x {k: [1, 2]}\nb: *x\nc: [*x, *x]\n"), 0);
	assert_ptr_equal(yaml_get(doc.root, "b")->value,
			 yaml_get(doc.root, "a")->value);
	assert_ptr_equal(yaml_get(doc.root, "c")->value->items[1],
			 yaml_get(doc.root, "a")->value);
	assert_int_equal(problems.n, 0);
}

/* Nine levels of nine aliases: 3.4 GB if written out. */
static char *bomb(void)
{
	struct buf text = BUF_INIT;

	buf_adds(&text, "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, "
			"lol]\n");
	for (int i = 1; i < 10; i++) {
		buf_addf(&text, "a%d: &a%d [", i, i);
		for (int k = 0; k < 9; k++)
			buf_addf(&text, "%s*a%d", k ? ", " : "", i - 1);
		buf_adds(&text, "]\n");
	}
	return buf_detach(&text);
}

static void a_yaml_bomb_is_refused_where_it_grows_too_large(void **state)
{
	int64_t start = clock_monotonic_ns();
	char *text = bomb();
	int rc = parse(text);

	(void)state;
	free(text);
	assert_int_equal(rc, -1);
	assert_null(doc.root);
	assert_problem("6:10: alias \"*a4\": with its aliases written out, the "
		       "file is too large (at most 100000 values, 4 MiB)");
	assert_true(doc.n_nodes < 200);
	assert_true(clock_monotonic_ns() - start < 1000000000);
}

static void a_bomb_of_long_texts_is_refused(void **state)
{
	struct buf text = BUF_INIT;
	int rc;

	(void)state;
	buf_adds(&text, "a: &a ");
	for (int i = 0; i < 500000; i++)
		buf_addc(&text, 'x');
	buf_adds(&text, "\nb: [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n");
	rc = yaml_doc_parse(&doc, "f.yaml", text.data, text.n, &problems);
	buf_release(&text);
	assert_int_equal(rc, -1);
	assert_problem("2:33: alias \"*a\": with its aliases written out, the "
		       "file is too large (at most 100000 values, 4 MiB)");
}

static void too_many_values_are_refused(void **state)
{
	struct buf text = BUF_INIT;
	int rc;

	(void)state;
	buf_adds(&text, "[");
	for (int i = 0; i < 100000; i++)
		buf_adds(&text, i % 100 ? "a," : "a,\n");
	buf_adds(&text, "]");
	rc = yaml_doc_parse(&doc, "f.yaml", text.data, text.n, &problems);
	buf_release(&text);
	assert_int_equal(rc, -1);
	assert_problem("1001:197: more than 100000 values in one file");
}

static char *nested(int depth)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < depth; i++)
		buf_addc(&text, '[');
	for (int i = 0; i < depth; i++)
		buf_addc(&text, ']');
	return buf_detach(&text);
}

static void nesting_is_bounded(void **state)
{
	char *fits = nested(32), *deep = nested(33), *abyss = nested(50000);

	(void)state;
	assert_int_equal(parse(fits), 0);
	yaml_doc_release(&doc);
	assert_int_equal(parse(deep), -1);
	assert_problem("1:33: nested more than 32 levels deep");
	yaml_doc_release(&doc);
	assert_int_equal(parse(abyss), -1);
	free(fits);
	free(deep);
	free(abyss);
}

static void nesting_by_aliases_is_bounded(void **state)
{
	struct buf text = BUF_INIT;
	int rc;

	(void)state;
	buf_adds(&text, "- &a0 [x]\n");
	for (int i = 1; i < 40; i++)
		buf_addf(&text, "- &a%d [*a%d]\n", i, i - 1);
	rc = yaml_doc_parse(&doc, "f.yaml", text.data, text.n, &problems);
	buf_release(&text);
	assert_int_equal(rc, -1);
	assert_problem("32:9: nested more than 32 levels deep");
}

static void duplicate_keys_are_reported_and_the_first_stays(void **state)
{
	(void)state;
	assert_int_equal(parse("a: 1\nb: 2\n'a': [3]\nb: 4\n"), 0);
	assert_int_equal(problems.n, 2);
	assert_string_equal(problems.items[0].text,
			    "duplicate key \"a\"; the first is on line 1");
	assert_int_equal(problems.items[0].line, 3);
	assert_int_equal(doc.root->n_pairs, 2);
	assert_string_equal(yaml_get(doc.root, "a")->value->text, "1");
}

static void many_keys_are_no_trouble(void **state)
{
	struct buf text = BUF_INIT;
	int64_t start;

	(void)state;
	for (int i = 0; i < 40000; i++)
		buf_addf(&text, "key%d: \n", i);
	start = clock_monotonic_ns();
	assert_int_equal(yaml_doc_parse(&doc, "f", text.data, text.n,
					&problems), 0);
	assert_true(clock_monotonic_ns() - start < 2000000000);
	assert_int_equal(doc.root->n_pairs, 40000);
	buf_release(&text);
}

static void odd_keys_are_refused(void **state)
{
	static const struct {
		const char *text;
		const char *problem;
	} cases[] = {
		{ "{a: b}: c\n", "1:1: a key must be a text, not a mapping" },
		{ "? [a]\n: c\n", "1:3: a key must be a text, not a list" },
		{ "a: &x y\n*x : z\n", "2:1: a key cannot be an alias (*x)" },
		{ "&x a: b\n", "1:1: a key cannot have an anchor (&)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(parse(cases[i].text), -1);
		assert_problem(cases[i].problem);
		teardown(state);
	}
}

/* Marks of every control character, encoded and escaped. */
static void control_characters_are_refused(void **state)
{
	for (int c = 1; c < 0x20; c++) {
		char text[] = { 'a', ':', ' ', 'b', (char)c, 'c', '\n', 0 };
		int ok = c == '\t' || c == '\n' || c == '\r';

		assert_int_equal(parse(text), ok && c == '\t' ? 0 : -1);
		teardown(state);
	}
	assert_int_equal(yaml_doc_parse(&doc, "f", "a: b\0\n", 6, &problems),
			 -1);
	assert_problem("1:5: character U+0000 at offset 4 does not belong in a "
		       "text file; remove it");
	teardown(state);
	assert_int_equal(parse("a: \"\\x1b[2J\"\n"), -1);
	assert_problem("1:4: this text holds the character U+001B, which can "
		       "be neither shown nor passed to a script");
	teardown(state);
	assert_int_equal(parse("a: \"\\uFFFE\"\n"), -1);
	teardown(state);
	assert_int_equal(parse("a: \"\\t\\n\"\n"), 0);
}

static void other_encodings_are_refused(void **state)
{
	static const struct {
		const char *bytes;
		size_t n;
	} cases[] = {
		{ "\xff\xfe" "a\0", 4 },
		{ "\xfe\xff\0a", 4 },
		{ "\0\0\xfe\xff\0\0\0a", 8 },
		{ "\xff\xfe\0\0a\0\0\0", 8 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		assert_int_equal(yaml_doc_parse(&doc, "f", cases[i].bytes,
						cases[i].n, &problems), -1);
		assert_problem("0:0: the file is UTF-16 or UTF-32; save it as "
			       "UTF-8");
		teardown(state);
	}
}

static void after_a_hundred_problems_only_the_count_grows(void **state)
{
	struct buf text = BUF_INIT;

	(void)state;
	buf_adds(&text, "a: 1\n");
	for (int i = 0; i < 150; i++)
		buf_adds(&text, "a: 1\n");
	assert_int_equal(yaml_doc_parse(&doc, "f", text.data, text.n,
					&problems), 0);
	buf_release(&text);
	assert_int_equal(problems.n, PROBLEMS_MAX);
	assert_int_equal(problems.total, 150);
}

/* A scratch directory with one file in it. */
static char *scratch_file(char *dir, const char *text, size_t n)
{
	struct error err = ERROR_INIT;
	char *file;

	assert_non_null(mkdtemp(dir));
	file = mem_printf("%s/experiment.yaml", dir);
	assert_int_equal(path_write(file, text, n, &err), 0);
	return file;
}

static void scratch_remove(const char *dir, char *file)
{
	unlink(file);
	rmdir(dir);
	free(file);
}

static void a_large_file_is_refused_without_reading_it(void **state)
{
	char dir[] = "/tmp/assay-yaml.XXXXXX";
	char *file = scratch_file(dir, "", 0);

	(void)state;
	assert_int_equal(truncate(file, 10485760), 0);
	assert_int_equal(yaml_doc_load(&doc, file, "an experiment file",
				       &problems), -1);
	assert_problem("0:0: 10485760 bytes; an experiment file may have at "
		       "most 1 MiB");
	assert_string_equal(problems.items[0].file, file);
	scratch_remove(dir, file);
}

static void a_file_of_just_the_limit_is_read(void **state)
{
	char dir[] = "/tmp/assay-yaml.XXXXXX";
	char *text = mem_alloc(YAML_DOC_MAX_FILE);
	char *file;

	(void)state;
	memset(text, ' ', YAML_DOC_MAX_FILE);
	memcpy(text, "a: b\n#", 6);
	file = scratch_file(dir, text, YAML_DOC_MAX_FILE);
	assert_int_equal(yaml_doc_load(&doc, file, "it", &problems), 0);
	scratch_remove(dir, file);
	free(text);
}

static void what_cannot_be_read_says_why(void **state)
{
	(void)state;
	assert_int_equal(yaml_doc_load(&doc, "/nonexistent/x.yaml", "it",
				       &problems), -1);
	assert_problem("0:0: No such file or directory");
	problems_release(&problems);
	assert_int_equal(yaml_doc_load(&doc, "/tmp", "it", &problems), -1);
	assert_problem("0:0: not a regular file");
	problems_release(&problems);
	assert_int_equal(yaml_doc_load(&doc, "/dev/zero", "it", &problems),
			 -1);
	assert_problem("0:0: not a regular file");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_tree_knows_where_everything_stands),
		TEST(columns_count_characters_not_bytes),
		TEST(scalars_keep_their_text),
		TEST(shapes_have_names),
		TEST(a_byte_order_mark_of_utf8_is_skipped),
		TEST(aliases_share_their_anchors_value),
		TEST(a_yaml_bomb_is_refused_where_it_grows_too_large),
		TEST(a_bomb_of_long_texts_is_refused),
		TEST(too_many_values_are_refused),
		TEST(nesting_is_bounded),
		TEST(nesting_by_aliases_is_bounded),
		TEST(duplicate_keys_are_reported_and_the_first_stays),
		TEST(many_keys_are_no_trouble),
		TEST(odd_keys_are_refused),
		TEST(control_characters_are_refused),
		TEST(other_encodings_are_refused),
		TEST(after_a_hundred_problems_only_the_count_grows),
		TEST(a_large_file_is_refused_without_reading_it),
		TEST(a_file_of_just_the_limit_is_read),
		TEST(what_cannot_be_read_says_why),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
