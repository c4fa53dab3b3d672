#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "orchestrate/exec/extract.h"
#include "orchestrate/exec/judge.h"
#include "orchestrate/exec/result.h"
#include "orchestrate/exec/script.h"

/* Judges an output of which `n_head` and `n_tail` bytes are left. */
static void judge_cut(struct judgement *j, size_t n_head, size_t n_tail)
{
	char name[] = "rate", *text = test_calloc(1, n_head + n_tail + 1);
	struct response response = { .name = name };
	struct benchmark b = { .responses = &response, .n_responses = 1 };
	struct result r = {
		.ended = true,
		.duration = 1,
		.out_head = { .data = text, .n = n_head },
		.out_tail = { .data = text + n_head, .n = n_tail },
		.out_truncated = true,
	};
	struct error err;
	struct extractor *x = extractor_new(EXTRACT_REGEX, "[0-9]+", &err);

	memset(text, ' ', n_head + n_tail);
	if (n_head)
		text[n_head - 1] = '1';
	judge(j, &r, &b, &x, NULL);
	extractor_free(x);
	test_free(text);
}

static void expect_failed(size_t n_head, size_t n_tail, const char *reason)
{
	struct judgement j;

	judge_cut(&j, n_head, n_tail);
	assert_int_equal(j.end.outcome, OUTCOME_FAILED);
	assert_int_equal(j.end.exit_status, 0);
	assert_int_equal(j.end.n_observations, 0);
	assert_true(j.end.out.truncated);
	assert_string_equal(j.end.reason, reason);
	judgement_release(&j);
}

static void no_number_is_taken_from_an_output_that_was_cut(void **state)
{
	(void)state;
	expect_failed(SCRIPT_OUT_HEAD, SCRIPT_TAIL, "its output was cut: the "
		      "first 1 MiB and the last 64 KiB are kept, so numbers "
		      "may be missing; print less");
	expect_failed(SCRIPT_OUT_HEAD, 1, "its output was cut: the first 1 MiB "
		      "and the last 1 bytes are kept, so numbers may be "
		      "missing; print less");
}

static void a_disk_that_took_no_more_is_suspected(void **state)
{
	(void)state;
	expect_failed(4096, 0, "its output was cut: the first 4 KiB and the "
		      "last 0 bytes are kept, so numbers may be missing; the "
		      "host's disk may be full");
}

static void a_runner_without_an_end_is_lost_and_says_why_it_may_be(void **state)
{
	struct benchmark b = { .n_responses = 0 };
	struct result r = { .ended = false };
	struct judgement j;

	(void)state;
	judge(&j, &r, &b, NULL, NULL);
	assert_int_equal(j.end.outcome, OUTCOME_LOST);
	assert_string_equal(j.end.reason, "the runner on the host was killed, "
			    "or the host's disk is full");
	judgement_release(&j);
}

#define TOKEN "0123456789abcdef0123456789abcdef"
#define PART(what) "\nassay " TOKEN " " what "\n"

static struct slice slice(const char *text)
{
	return (struct slice){ text, strlen(text) };
}

/* Judges a run of two warm-ups and three repeats that ended with this one. */
static void judge_many(struct judgement *j, const char *out, const char *err,
		       bool in_warmup, unsigned execution, int exit_status)
{
	char name[] = "rate", more[] = "more";
	struct response responses[] = { { .name = name }, { .name = more } };
	struct benchmark b = { .responses = responses, .n_responses = 2,
			       .warmup = 2, .repeats = 3, .timeout = 30 };
	struct result r = {
		.ended = true,
		.timed_out = exit_status == 143,
		.exit_status = exit_status,
		.out_head = slice(out),
		.err_head = slice(err),
		.token = TOKEN,
		.execution = execution,
		.in_warmup = in_warmup,
	};
	struct error e;
	struct extractor *x[] = {
		extractor_new(EXTRACT_JSON, ".rate[]", &e),
		extractor_new(EXTRACT_REGEX, "more.: *([0-9]+)", &e),
	};

	judge(j, &r, &b, x, NULL);
	extractor_free(x[0]);
	extractor_free(x[1]);
}

static void each_repeat_gives_its_observations_in_order(void **state)
{
	static const double rates[] = { 1, 2, 3, 4 }, mores[] = { 8, 9, 7 };
	struct judgement j;
	size_t n = 0, m = 0;

	(void)state;
	judge_many(&j, PART("warmup 1") "no JSON" PART("warmup 2")
		   PART("repeat 1") "{\"rate\": [1, 2], \"more\": 8}\n"
		   PART("repeat 2") "{\"rate\": [3], \"more\": 9}"
		   PART("repeat 3") "{\"rate\": [4], \"more\": 7}", "", false,
		   3, 0);
	assert_int_equal(j.end.outcome, OUTCOME_OK);
	assert_int_equal(j.end.n_observations, 7);
	for (size_t i = 0; i < 7; i++) {
		const struct observation *o = &j.end.observations[i];

		/* the name's text is gone by now: "more" only where 7 to 9 */
		if (o->value < 7)
			assert_true(o->value == rates[n++]);
		else
			assert_true(o->value == mores[m++]);
	}
	assert_int_equal(n, 4);
	assert_int_equal(m, 3);
	judgement_release(&j);
}

static void expect_many(const char *out, const char *err, bool in_warmup,
			unsigned execution, int exit_status,
			enum outcome outcome, const char *reason)
{
	struct judgement j;

	judge_many(&j, out, err, in_warmup, execution, exit_status);
	assert_int_equal(j.end.outcome, outcome);
	assert_int_equal(j.end.n_observations, 0);
	assert_string_equal(j.end.reason, reason);
	judgement_release(&j);
}

static void the_execution_that_ended_the_run_is_named(void **state)
{
	(void)state;
	expect_many(PART("warmup 1"), PART("warmup 1") "why\n", true, 1, 3,
		    OUTCOME_FAILED, "warm-up 1 of 2 failed: exit 3: why");
	/* not the words of another one */
	expect_many("", PART("warmup 1") "a\n" PART("warmup 2") "b\n"
		    PART("repeat 1") "c\n" PART("repeat 2"), false, 2, 139,
		    OUTCOME_FAILED, "repeat 2 of 3 failed: exit 139 (signal "
		    "11)");
	expect_many("", "", true, 2, 143, OUTCOME_TIMEOUT,
		    "warm-up 2 of 2 did not end within 30 s");
	expect_many("", "", false, 3, 143, OUTCOME_TIMEOUT,
		    "repeat 3 of 3 did not end within 30 s");
}

#define GOOD "{\"rate\": [1], \"more\": 8}\n"

static void a_repeat_that_gives_no_number_is_named(void **state)
{
	(void)state;
	expect_many(PART("repeat 1") GOOD PART("repeat 2")
		    "{\"rate\": [1], \"less\": 8}\n" PART("repeat 3") GOOD,
		    "", false, 3, 0, OUTCOME_FAILED, "response 'more': nothing "
		    "in the output matched in repeat 2 of 3");
}

static void an_output_with_lines_like_ours_is_refused(void **state)
{
	static const char reason[] = "its output cannot be told apart by "
				     "repeats: a line of assay's own is in it, "
				     "or missing";

	(void)state;
	expect_many(PART("repeat 1") GOOD PART("repeat 2") GOOD, "", false, 3,
		    0, OUTCOME_FAILED, reason);
	expect_many(PART("repeat 1") GOOD PART("repeat 2") GOOD
		    PART("repeat 2") GOOD PART("repeat 3") GOOD, "", false, 3,
		    0, OUTCOME_FAILED, reason);
	expect_many(GOOD, "", false, 3, 0, OUTCOME_FAILED, reason);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			no_number_is_taken_from_an_output_that_was_cut),
		cmocka_unit_test(a_disk_that_took_no_more_is_suspected),
		cmocka_unit_test(
			a_runner_without_an_end_is_lost_and_says_why_it_may_be),
		cmocka_unit_test(each_repeat_gives_its_observations_in_order),
		cmocka_unit_test(the_execution_that_ended_the_run_is_named),
		cmocka_unit_test(a_repeat_that_gives_no_number_is_named),
		cmocka_unit_test(an_output_with_lines_like_ours_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
