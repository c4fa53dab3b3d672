#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "orchestrate/exec/result.h"

#define TOKEN "00112233445566778899aabbccddeeff"
#define OTHER "ffeeddccbbaa99887766554433221100"
#define META                                                                \
	"exit 3\nuptime 10.25 12.75\ncpu\n0m0.010000s 0m0.000000s\n"        \
	"1m2.500000s 0m0.250000s\nend\n"

static const char whole[] =
	"Welcome!\n\nassay " TOKEN " ready\n\nassay " TOKEN " result\n"
	"started 0 1796073429.372957921\nmeta 82 1796073431.0\n"
	"out 5 1796073431.0\nerr 3 1796073431.0\n\n"
	META "a\0b\n\377" "err"
	"\nassay " TOKEN " end\n";
#define N_WHOLE (sizeof(whole) - 1)

static void a_whole_result_is_understood(void **state)
{
	struct result r;

	(void)state;
	assert_int_equal(sizeof(META) - 1, 82);
	assert_int_equal(result_parse(&r, whole, N_WHOLE, TOKEN),
			 RESULT_COMPLETE);
	assert_true(r.ended);
	assert_int_equal(r.exit_status, 3);
	assert_true(r.duration == 2.5);
	assert_true(r.user == 62.5);
	assert_true(r.system == 0.25);
	assert_int_equal(r.started, 1796073429372957921);
	assert_int_equal(r.out_head.n, 5);
	assert_memory_equal(r.out_head.data, "a\0b\n\377", 5);
	assert_int_equal(r.err_head.n, 3);
	assert_false(r.out_truncated);
	assert_int_equal(r.kept.n, 0);
}

static void every_beginning_of_it_is_only_partial(void **state)
{
	const char *result = strstr(whole, " result\n") + strlen(" result\n");
	const char *ready = strstr(whole, " ready\n") + strlen(" ready\n");
	struct result r;

	(void)state;
	for (size_t n = 0; n < N_WHOLE; n++) {
		enum result_stage expected =
			whole + n < ready  ? RESULT_NOTHING :
			whole + n < result ? RESULT_READY :
					     RESULT_PARTIAL;

		assert_int_equal(result_parse(&r, whole, n, TOKEN), expected);
	}
}

static void another_token_is_not_ours(void **state)
{
	struct result r;

	(void)state;
	assert_int_equal(result_parse(&r, whole, N_WHOLE, OTHER),
			 RESULT_NOTHING);
}

static enum result_stage parse(struct result *r, const char *tail)
{
	char text[1000] = "\nassay " TOKEN " result\n";

	strcat(text, tail);
	return result_parse(r, text, strlen(text), TOKEN);
}

#define END "\nassay " TOKEN " end\n"

static void what_is_not_as_agreed_is_broken(void **state)
{
	static const char *const tails[] = {
		"meta\n\n" END,
		"meta x 1\n\n" END,
		"meta 1 1\nmeta 1 1\n\n" END,
		"passwd 1 1\n\n" END,
		"meta -1 1\n\n" END,
		"meta 1 1\n\nxx" END,  /* more than announced */
		"meta 1 1\n\nx\nassay " OTHER " end\n",
	};
	struct result r;

	(void)state;
	for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++)
		assert_int_equal(parse(&r, tails[i]), RESULT_BROKEN);
	/* less than announced may still come */
	assert_int_equal(parse(&r, "meta 999999999 1\n\nx" END),
			 RESULT_PARTIAL);
}

static void meta_without_its_end_is_a_killed_runner(void **state)
{
	static const char *const tails[] = {
		"\n" END,
		"meta 0 1\n\n" END,
		"meta 7 1\n\nexit 0\n" END,
		"meta 10 1\n\nexit 0\nend" END,
		"meta 4 1\n\nend\n" END,
		"meta 13 1\n\nexit 0\nend\nx\n" END,
		"meta 15 1\n\nexit 0\ncpu\nend\n" END,
		"meta 16 1\n\nexit x\nexit\nend\n" END,
	};
	struct result r;

	(void)state;
	for (size_t i = 0; i < sizeof(tails) / sizeof(*tails); i++) {
		if (parse(&r, tails[i]) != RESULT_COMPLETE)
			fail_msg("%zu", i);
		assert_false(r.ended);
	}
}

static void a_tail_means_that_something_was_dropped(void **state)
{
	struct result r;

	(void)state;
	assert_int_equal(parse(&r, "meta 0 1\nout 2 1\nout.tail 3 1\n"
			       "err 1 1\nerr.tail 0 1\n\nabcdef" END),
			 RESULT_COMPLETE);
	assert_true(r.out_truncated);
	assert_int_equal(r.out_tail.n, 3);
	assert_memory_equal(r.out_tail.data, "cde", 3);
	assert_true(r.err_truncated);
}

static void what_a_controller_kept_is_read(void **state)
{
	struct result r;

	(void)state;
	assert_int_equal(parse(&r, "kept 8 1\n\nkeep ok\n" END),
			 RESULT_COMPLETE);
	assert_int_equal(r.kept.n, 2);
	assert_memory_equal(r.kept.data, "ok", 2);
	assert_int_equal(parse(&r, "kept 7 1\n\nkeep ok" END),
			 RESULT_COMPLETE);
	assert_int_equal(r.kept.n, 0);
}

static void odd_times_are_unknown_not_wrong(void **state)
{
	struct result r;

	(void)state;
	assert_int_equal(parse(&r, "meta 28 1\n\nexit 0\nuptime 12.5 "
			       "10.1\nend\n" END), RESULT_COMPLETE);
	assert_true(r.ended);
	assert_true(isnan(r.duration));
	assert_true(isnan(r.user));
	assert_int_equal(r.started, 0);
	/* more nanoseconds than 64 bits hold */
	assert_int_equal(parse(&r, "meta 35 1\n\nexit 0\nuptime 1.5 "
			       "9716073429.5\nend\n" END), RESULT_COMPLETE);
	assert_true(r.ended);
	assert_true(isnan(r.duration));
}

static void none_is_none(void **state)
{
	static const char text[] = "motd\n\nassay " TOKEN " none\n";
	struct result r;

	(void)state;
	assert_int_equal(result_parse(&r, text, sizeof(text) - 1, TOKEN),
			 RESULT_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_whole_result_is_understood),
		cmocka_unit_test(every_beginning_of_it_is_only_partial),
		cmocka_unit_test(another_token_is_not_ours),
		cmocka_unit_test(what_is_not_as_agreed_is_broken),
		cmocka_unit_test(meta_without_its_end_is_a_killed_runner),
		cmocka_unit_test(a_tail_means_that_something_was_dropped),
		cmocka_unit_test(what_a_controller_kept_is_read),
		cmocka_unit_test(odd_times_are_unknown_not_wrong),
		cmocka_unit_test(none_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
