#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/map.h"

static void test_an_empty_map_has_nothing(void **state)
{
	struct map m = MAP_INIT;

	(void)state;
	assert_null(map_get(&m, ""));
	assert_null(map_get(&m, "x"));
	map_release(&m);
}

static void test_put_returns_what_was_there(void **state)
{
	struct map m = MAP_INIT;
	int a, b;
	char key[] = "key";

	(void)state;
	assert_null(map_put(&m, key, &a));
	key[0] = 'x'; /* keys are copied */
	assert_ptr_equal(map_get(&m, "key"), &a);
	assert_ptr_equal(map_put(&m, "key", &b), &a);
	assert_ptr_equal(map_get(&m, "key"), &b);
	assert_int_equal(m.n, 1);
	assert_null(map_put(&m, "", &a));
	assert_ptr_equal(map_get(&m, ""), &a);
	map_release(&m);
	assert_null(map_get(&m, "key"));
}

static void test_a_million_keys_are_all_found(void **state)
{
	enum { N = 1000000 };
	struct map m = MAP_INIT;
	char *values = malloc(N);
	char key[32];

	(void)state;
	for (int i = 0; i < N; i++) {
		snprintf(key, sizeof(key), "treatment-%d", i);
		assert_null(map_put(&m, key, values + i));
	}
	assert_int_equal(m.n, N);
	for (int i = 0; i < N; i++) {
		snprintf(key, sizeof(key), "treatment-%d", i);
		if (map_get(&m, key) != values + i)
			fail_msg("%s is lost", key);
	}
	assert_null(map_get(&m, "treatment-1000000"));
	map_release(&m);
	free(values);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_empty_map_has_nothing),
		cmocka_unit_test(test_put_returns_what_was_there),
		cmocka_unit_test(test_a_million_keys_are_all_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
