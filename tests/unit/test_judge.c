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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			no_number_is_taken_from_an_output_that_was_cut),
		cmocka_unit_test(a_disk_that_took_no_more_is_suspected),
		cmocka_unit_test(
			a_runner_without_an_end_is_lost_and_says_why_it_may_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
