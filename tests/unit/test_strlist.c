#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/strlist.h"

static void test_a_list_owns_its_strings(void **state)
{
	struct strlist l = STRLIST_INIT;
	char word[] = "one";

	(void)state;
	strlist_push(&l, word);
	word[0] = 'x';
	strlist_push_nodup(&l, mem_strdup("two"));
	assert_int_equal(l.n, 2);
	assert_string_equal(l.items[0], "one");
	assert_true(strlist_has(&l, "two"));
	assert_false(strlist_has(&l, "tw"));
	strlist_release(&l);
	assert_int_equal(l.n, 0);
	assert_null(l.items);
}

static const char *const keys[] = { "hosts", "factors", NULL,	"design",
				    "order", "seed",	"levels", "run" };

static void suggests(const char *word, const char *expected)
{
	const char *near = strlist_nearest(word, keys, 8);

	if (expected)
		assert_string_equal(near ? near : "(none)", expected);
	else
		assert_null(near);
}

static void test_slips_of_the_finger_are_recognised(void **state)
{
	(void)state;
	suggests("host", "hosts");      /* left out */
	suggests("hostss", "hosts");    /* doubled */
	suggests("fcators", "factors"); /* swapped */
	suggests("desjgn", "design");   /* replaced */
	suggests("hosts", "hosts");
	suggests("ru", "run");
}

static void test_far_words_are_not_suggested(void **state)
{
	(void)state;
	suggests("benchmark", NULL);
	suggests("ran away", NULL);
	suggests("", NULL);
	suggests("x", NULL);
	suggests("sxxd", NULL); /* two of four */
}

static void test_at_most_three_edits_are_forgiven(void **state)
{
	static const char *const one[] = { "abcdefghijkl" };

	(void)state;
	assert_non_null(strlist_nearest("abcdefghixyz", one, 1));
	assert_null(strlist_nearest("abcdefghwxyz", one, 1));
}

static void test_the_nearest_wins_and_then_the_first(void **state)
{
	static const char *const close[] = { "aaab", "aaaa", "aaac" };

	(void)state;
	assert_string_equal(strlist_nearest("aaaa", close, 3), "aaaa");
	assert_string_equal(strlist_nearest("aaad", close, 3), "aaab");
	assert_null(strlist_nearest("aaad", close, 0));
}

static void test_overlong_words_are_far_from_everything(void **state)
{
	char word[201];
	const char *const same[] = { word };

	(void)state;
	memset(word, 'x', 200);
	word[200] = '\0';
	assert_null(strlist_nearest(word, same, 1));
	word[64] = '\0';
	assert_non_null(strlist_nearest(word, same, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_list_owns_its_strings),
		cmocka_unit_test(test_slips_of_the_finger_are_recognised),
		cmocka_unit_test(test_far_words_are_not_suggested),
		cmocka_unit_test(test_at_most_three_edits_are_forgiven),
		cmocka_unit_test(test_the_nearest_wins_and_then_the_first),
		cmocka_unit_test(test_overlong_words_are_far_from_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
