#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "stats/factor.h"

static struct factor place(void)
{
	struct factor f = { .name = mem_strdup("place"), .n_levels = 2 };

	f.levels = mem_zalloc(2, sizeof(*f.levels));
	f.levels[0].name = mem_strdup("disk");
	f.levels[1].name = mem_strdup("memory");
	localized_add(&f.label, "", "Work directory");
	localized_add(&f.label, "fi", "Työhakemisto");
	localized_add(&f.levels[1].label, "fi", "muistissa");
	return f;
}

static void level_is_found_by_exact_name(void **state)
{
	struct factor f = place();

	(void)state;
	assert_int_equal(factor_level(&f, "disk"), 0);
	assert_int_equal(factor_level(&f, "memory"), 1);
	assert_int_equal(factor_level(&f, "Memory"), -1);
	assert_int_equal(factor_level(&f, "mem"), -1);
	assert_int_equal(factor_level(&f, ""), -1);
	factor_release(&f);
}

static void factor_is_found_by_exact_name(void **state)
{
	struct factor f[2] = { place(), place() };

	(void)state;
	f[1].name[0] = 'P';
	assert_int_equal(factor_find(f, 2, "place"), 0);
	assert_int_equal(factor_find(f, 2, "Place"), 1);
	assert_int_equal(factor_find(f, 1, "Place"), -1);
	assert_int_equal(factor_find(NULL, 0, "place"), -1);
	factor_release(&f[0]);
	factor_release(&f[1]);
}

static void labels_fall_back_to_names(void **state)
{
	struct factor f = place();

	(void)state;
	assert_string_equal(factor_label(&f, "fi"), "Työhakemisto");
	assert_string_equal(factor_label(&f, "de"), "Work directory");
	assert_string_equal(level_label(&f.levels[1], "fi"), "muistissa");
	assert_string_equal(level_label(&f.levels[0], "fi"), "disk");
	localized_release(&f.label);
	assert_string_equal(factor_label(&f, "fi"), "place");
	factor_release(&f);
}

static void released_factor_is_empty(void **state)
{
	struct factor f = place();

	(void)state;
	factor_release(&f);
	assert_null(f.name);
	assert_null(f.levels);
	assert_int_equal(f.n_levels, 0);
	factor_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(level_is_found_by_exact_name),
		cmocka_unit_test(factor_is_found_by_exact_name),
		cmocka_unit_test(labels_fall_back_to_names),
		cmocka_unit_test(released_factor_is_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
