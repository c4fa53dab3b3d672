#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"

static void test_an_empty_buffer_is_an_empty_string(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	assert_string_equal(b.data, "");
	buf_add(&b, NULL, 0);
	buf_clear(&b);
	assert_string_equal(b.data, "");
	buf_release(&b);
	buf_release(&b);
}

static void test_bytes_are_appended_with_an_end_mark(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	buf_adds(&b, "ab");
	buf_addc(&b, 'c');
	buf_add(&b, "d\0e", 3);
	buf_addf(&b, "%d-%s", 7, "x");
	assert_int_equal(b.n, 9);
	assert_memory_equal(b.data, "abcd\0e7-x", 10);
	buf_clear(&b);
	assert_int_equal(b.n, 0);
	assert_string_equal(b.data, "");
	buf_release(&b);
}

static void test_formatting_grows_the_buffer(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	buf_addf(&b, "%5000d", 1);
	assert_int_equal(b.n, 5000);
	assert_int_equal(b.data[4999], '1');
	assert_int_equal(b.data[5000], '\0');
	buf_addf(&b, "%s", "");
	assert_int_equal(b.n, 5000);
	buf_release(&b);
}

static void test_many_small_pieces_add_up(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	for (int i = 0; i < 100000; i++)
		buf_addc(&b, (char)('a' + i % 26));
	assert_int_equal(b.n, 100000);
	for (int i = 0; i < 100000; i++)
		assert_int_equal(b.data[i], 'a' + i % 26);
	buf_release(&b);
}

static void test_detach_gives_the_string_away(void **state)
{
	struct buf b = BUF_INIT;
	char *s;

	(void)state;
	s = buf_detach(&b);
	assert_string_equal(s, "");
	free(s);
	buf_adds(&b, "text");
	s = buf_detach(&b);
	assert_string_equal(s, "text");
	assert_int_equal(b.n, 0);
	assert_string_equal(b.data, "");
	free(s);
}

static void test_xml_escapes_its_five_signs(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	buf_add_xml(&b, "<a b=\"c\">&'\xc3\xa4");
	assert_string_equal(b.data, "&lt;a b=&quot;c&quot;&gt;&amp;&#39;"
				    "\xc3\xa4");
	buf_release(&b);
}

static void test_shell_quoting_uses_single_quotes(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	buf_add_shell(&b, "");
	buf_addc(&b, ' ');
	buf_add_shell(&b, "it's");
	assert_string_equal(b.data, "'' 'it'\\''s'");
	buf_release(&b);
}

/* Runs sh with the word as an argument and compares what comes back. */
static void survives_sh(const char *word)
{
	struct buf command = BUF_INIT;
	size_t length = strlen(word), n;
	char *back = malloc(length + 2);
	FILE *f;

	buf_adds(&command, "printf %s ");
	buf_add_shell(&command, word);
	f = popen(command.data, "r");
	assert_non_null(f);
	n = fread(back, 1, length + 2, f);
	assert_int_equal(pclose(f), 0);
	assert_int_equal(n, length);
	assert_memory_equal(back, word, length);
	buf_release(&command);
	free(back);
}

static void test_every_byte_survives_a_real_shell(void **state)
{
	char all[256];

	(void)state;
	for (int i = 1; i < 256; i++)
		all[i - 1] = (char)i;
	all[255] = '\0';
	survives_sh(all);
	survives_sh("");
	survives_sh("'");
	survives_sh("''$(echo no)`id`\"\\\n!*?~#");
	survives_sh("\\");
	survives_sh("trailing newlines\n\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_empty_buffer_is_an_empty_string),
		cmocka_unit_test(test_bytes_are_appended_with_an_end_mark),
		cmocka_unit_test(test_formatting_grows_the_buffer),
		cmocka_unit_test(test_many_small_pieces_add_up),
		cmocka_unit_test(test_detach_gives_the_string_away),
		cmocka_unit_test(test_xml_escapes_its_five_signs),
		cmocka_unit_test(test_shell_quoting_uses_single_quotes),
		cmocka_unit_test(test_every_byte_survives_a_real_shell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
