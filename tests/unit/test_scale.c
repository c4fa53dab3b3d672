#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plot/chart/scale.h"

static void range_grows_with_finite_values_only(void **state)
{
	struct range r = RANGE_EMPTY;

	(void)state;
	range_include(&r, 3);
	range_include(&r, NAN);
	range_include(&r, INFINITY);
	range_include(&r, -INFINITY);
	range_include(&r, -2);
	assert_true(r.lo == -2 && r.hi == 3);
}

static void ends_of_the_data_land_on_the_ends_of_the_page(void **state)
{
	struct scale s = { .data = { -10, 30 }, .from = 200, .to = 40 };

	(void)state;
	assert_true(scale_map(&s, -10) == 200);
	assert_true(scale_map(&s, 30) == 40);
	assert_true(scale_map(&s, 10) == 120);
}

static void open_ends_land_on_the_edge(void **state)
{
	struct scale s = { .data = { 0, 1 }, .from = 200, .to = 40 };

	(void)state;
	assert_true(scale_map(&s, -INFINITY) == 200);
	assert_true(scale_map(&s, INFINITY) == 40);
}

static void huge_data_do_not_overflow(void **state)
{
	struct scale s = { .data = { -1e300, 1e300 }, .from = 0, .to = 100 };

	(void)state;
	assert_true(scale_map(&s, 0) == 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(range_grows_with_finite_values_only),
		cmocka_unit_test(ends_of_the_data_land_on_the_ends_of_the_page),
		cmocka_unit_test(open_ends_land_on_the_edge),
		cmocka_unit_test(huge_data_do_not_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
