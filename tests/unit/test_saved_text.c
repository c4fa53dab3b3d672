#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "orchestrate/exec/saved_text.h"

static void expect_shown(const char *text, const char *shown)
{
	struct buf out = BUF_INIT;

	saved_text_add(&out, text, strlen(text));
	assert_string_equal(out.data, shown);
	buf_release(&out);
}

static void it_is_one_line_fit_for_a_terminal(void **state)
{
	(void)state;
	expect_shown("", "\"\"");
	expect_shown("4096\t87380\nlast", "\"4096 87380 last\"");
	expect_shown("\033[2J", "\"\xe2\x90\x9b[2J\"");
}

static void it_is_cut_between_characters(void **state)
{
	char text[124], shown[130];

	(void)state;
	memset(text, 'x', sizeof(text));
	text[120] = '\0';
	snprintf(shown, sizeof(shown), "\"%s\"", text);
	expect_shown(text, shown);
	/* the 120th byte is the first of two */
	memcpy(text + 119, "\xc3\xa9z", 4);
	snprintf(shown, sizeof(shown), "\"%.119s...\"", text);
	expect_shown(text, shown);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_one_line_fit_for_a_terminal),
		cmocka_unit_test(it_is_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
