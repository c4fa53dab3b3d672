#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "stats/design.h"
#include "stats/factor.h"
#include "stats/sample.h"
#include "stats/selection.h"

/* Keys a=0, a=1, a=9; the last is not in the design below. */
static struct frame_run runs[] = {
	{ .treatment = 0, .replicate = 1, .sequence = 5, .attempt = 101 },
	{ .treatment = 1, .replicate = 1, .sequence = 1, .attempt = 102 },
	{ .treatment = 0, .replicate = 2, .sequence = 2, .attempt = 103 },
	{ .treatment = 0, .replicate = 3, .sequence = 3, .attempt = 104,
	  .status = RUN_FAILED },
	{ .treatment = 0, .replicate = 4, .sequence = 4, .attempt = 105,
	  .status = RUN_CENSORED },
	{ .treatment = 1, .replicate = 2, .sequence = 6, .attempt = 106,
	  .status = RUN_INVALID },
	{ .treatment = 1, .replicate = 3, .sequence = 7, .attempt = 107 },
	{ .treatment = 2, .replicate = 1, .sequence = 8, .attempt = 108 },
};

static struct frame make_frame(void)
{
	static const uint32_t run_of[] = { 0, 0, 0, 1, 2, 3, 5, 7 };
	static const double value[] = { 1e16, 1, -1e16, 7, 4, 99, 98, 3 };
	struct frame f = { .n_keys = 3, .n_runs = 8, .n_values = 8 };

	f.benchmark = mem_strdup("copy");
	f.response = mem_strdup("rate");
	f.keys = mem_zalloc(3, sizeof(*f.keys));
	f.keys[0] = mem_strdup("a=0");
	f.keys[1] = mem_strdup("a=1");
	f.keys[2] = mem_strdup("a=9");
	f.runs = mem_alloc(sizeof(runs));
	memcpy(f.runs, runs, sizeof(runs));
	f.run_of = mem_alloc(sizeof(run_of));
	memcpy(f.run_of, run_of, sizeof(run_of));
	f.value = mem_alloc(sizeof(value));
	memcpy(f.value, value, sizeof(value));
	return f;
}

static void run_means_come_in_order_of_sequence(void **state)
{
	const bool selected[3] = { true, false, false };
	struct error err = ERROR_INIT;
	struct frame f = make_frame();
	struct sample s;

	(void)state;
	assert_int_equal(sample_from_frame(&s, &f, selected, &err), 0);
	assert_int_equal(s.n, 2);
	assert_true(s.value[0] == 4);       /* sequence 2 */
	assert_true(s.value[1] == 1.0 / 3); /* sequence 5: 1e16, 1, -1e16 */
	assert_int_equal(s.n_values, 4);
	sample_release(&s);
	frame_release(&f);
}

static void runs_without_a_number_are_counted_by_kind(void **state)
{
	const bool selected[3] = { true, true, false };
	struct error err = ERROR_INIT;
	struct frame f = make_frame();
	struct sample s;

	(void)state;
	assert_int_equal(sample_from_frame(&s, &f, selected, &err), 0);
	assert_int_equal(s.n, 3);
	assert_true(s.value[0] == 7);
	assert_int_equal(s.n_values, 5);
	assert_int_equal(s.n_failed, 2); /* 104, and 107 has no value */
	assert_int_equal(s.n_censored, 1);
	assert_int_equal(s.n_invalid, 1);
	sample_release(&s);
	frame_release(&f);
}

static void nothing_selected_is_an_empty_sample(void **state)
{
	const bool selected[3] = { false, false, false };
	struct error err = ERROR_INIT;
	struct frame f = make_frame(), empty = { .n_keys = 0 };
	struct sample s;

	(void)state;
	assert_int_equal(sample_from_frame(&s, &f, selected, &err), 0);
	assert_int_equal(s.n, 0);
	sample_release(&s);
	assert_int_equal(sample_from_frame(&s, &empty, selected, &err), 0);
	assert_int_equal(s.n, 0);
	sample_release(&s);
	frame_release(&f);
}

static void every_key_has_the_sample_it_has_alone(void **state)
{
	struct error err = ERROR_INIT;
	struct frame f = make_frame();
	struct sample all[3], one;

	(void)state;
	assert_int_equal(sample_each_key(all, &f, &err), 0);
	for (size_t k = 0; k < 3; k++) {
		bool selected[3] = { false, false, false };

		selected[k] = true;
		assert_int_equal(sample_from_frame(&one, &f, selected, &err),
				 0);
		assert_int_equal(all[k].n, one.n);
		assert_memory_equal(all[k].value, one.value,
				    one.n * sizeof(double));
		assert_int_equal(all[k].n_values, one.n_values);
		assert_int_equal(all[k].n_failed, one.n_failed);
		assert_int_equal(all[k].n_censored, one.n_censored);
		assert_int_equal(all[k].n_invalid, one.n_invalid);
		sample_release(&one);
		sample_release(&all[k]);
	}
	frame_release(&f);
}

static void value_that_is_not_finite_is_refused_by_name(void **state)
{
	const bool selected[3] = { true, false, false };
	const bool other[3] = { false, true, false };
	struct error err = ERROR_INIT;
	struct frame f = make_frame();
	struct sample s;

	(void)state;
	f.value[1] = NAN;
	assert_int_equal(sample_from_frame(&s, &f, selected, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text,
			    "rate of copy, a=0, replicate 1 (attempt 101): "
			    "observation 2 of 3 is not a number; correct the "
			    "extraction, or make it fail such a run");
	sample_release(&s);
	f.value[1] = INFINITY;
	assert_int_equal(sample_from_frame(&s, &f, selected, &err), -1);
	assert_non_null(strstr(err.text, "observation 2 of 3 is infinite"));
	sample_release(&s);
	/* neither another treatment nor a failed run's number matters */
	assert_int_equal(sample_from_frame(&s, &f, other, &err), 0);
	sample_release(&s);
	f.value[1] = 0;
	f.value[5] = NAN;
	assert_int_equal(sample_from_frame(&s, &f, selected, &err), 0);
	sample_release(&s);
	frame_release(&f);
}

static void selection_finds_treatments_by_key(void **state)
{
	struct level levels[] = { { .name = (char[]){ "1" } },
				  { .name = (char[]){ "2" } },
				  { .name = (char[]){ "0" } } };
	const struct factor a = { .name = (char[]){ "a" }, .levels = levels,
				  .n_levels = 3 };
	const struct setting zero = { .factor = 0, .level = 2 };
	struct error err = ERROR_INIT;
	struct frame f = make_frame();
	bool selected[3];
	struct selection s;
	struct design d;

	(void)state;
	assert_int_equal(
		design_build(&d, DESIGN_FULL_FACTORIAL, &a, 1, &err), 0);
	selection_build(&s, &f, &d);
	assert_int_equal(s.n, 3);
	assert_true(s.key[0] == 1);
	assert_true(s.key[1] == SELECTION_NONE); /* a=2 has no run */
	assert_true(s.key[2] == 0);
	assert_int_equal(s.others, 1);           /* a=9 */
	assert_int_equal(selection_mark(&s, &f, &d, &zero, 1, selected), 1);
	assert_true(selected[0] && !selected[1] && !selected[2]);
	assert_int_equal(selection_mark(&s, &f, &d, NULL, 0, selected), 2);
	assert_true(selected[0] && selected[1] && !selected[2]);
	selection_release(&s);
	design_release(&d);
	frame_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_means_come_in_order_of_sequence),
		cmocka_unit_test(runs_without_a_number_are_counted_by_kind),
		cmocka_unit_test(nothing_selected_is_an_empty_sample),
		cmocka_unit_test(every_key_has_the_sample_it_has_alone),
		cmocka_unit_test(value_that_is_not_finite_is_refused_by_name),
		cmocka_unit_test(selection_finds_treatments_by_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
