#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/exec/extract.h"
#include "orchestrate/exec/known_programs.h"

static char dir[] = "/tmp/assay-known.XXXXXX";

static char *file(void)
{
	return mem_printf("%s/assay/jq-programs", dir);
}

static int make_place(void **state)
{
	(void)state;
	return !mkdtemp(dir) || setenv("XDG_CACHE_HOME", dir, 1);
}

static int remove_place(void **state)
{
	char *command = mem_printf("rm -rf %s", dir);
	int rc = system(command);

	(void)state;
	free(command);
	return rc;
}

static long file_size(void)
{
	char *name = file();
	struct stat st = { .st_size = -1 };

	if (stat(name, &st))
		st.st_size = -1;
	free(name);
	return (long)st.st_size;
}

static void only_what_compiled_is_known(void **state)
{
	struct error err;

	(void)state;
	assert_false(known_programs_has(".a"));
	assert_int_equal(extract_check(EXTRACT_JSON, ".a", &err), 0);
	assert_true(known_programs_has(".a"));
	assert_false(known_programs_has(".b"));
	assert_int_equal(extract_check(EXTRACT_JSON, ".a [", &err), -1);
	assert_false(known_programs_has(".a ["));
	assert_int_equal(extract_check(EXTRACT_JSON, ".a [", &err), -1);
	assert_int_equal(file_size(), 33);
	assert_int_equal(extract_check(EXTRACT_JSON, ".a", &err), 0);
	assert_int_equal(file_size(), 33);
}

static void a_cut_file_starts_anew(void **state)
{
	char *name = file();

	(void)state;
	known_programs_add(".x");
	assert_int_equal(truncate(name, 40), 0);
	assert_false(known_programs_has(".x"));
	known_programs_add(".y");
	assert_int_equal(file_size(), 33);
	assert_true(known_programs_has(".y"));
	free(name);
}

static void without_a_place_nothing_is_known(void **state)
{
	struct error err;

	(void)state;
	setenv("XDG_CACHE_HOME", "/proc/nowhere", 1);
	assert_int_equal(extract_check(EXTRACT_JSON, ".z", &err), 0);
	assert_false(known_programs_has(".z"));
	setenv("XDG_CACHE_HOME", dir, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_compiled_is_known),
		cmocka_unit_test(a_cut_file_starts_anew),
		cmocka_unit_test(without_a_place_nothing_is_known),
	};

	return cmocka_run_group_tests_name("known programs", tests, make_place,
					   remove_place);
}
