/*
 * NIST StRD univariate sets, to 1e-12 of what exact arithmetic makes of the
 * data once they are read as doubles (the certified text is about decimals,
 * which for NumAcc3 and NumAcc4 no program using doubles can reach).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/describe.h"

#define NIST "tests/data/stats/nist/"

static FILE *open_data(const char *name)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), NIST "%s", name);
	f = fopen(path, "r");
	if (!f)
		fail_msg("cannot open %s", path);
	return f;
}

/* The numbers after the line "Data: Y" and its underline. */
static double *read_values(const char *name, size_t *n)
{
	FILE *f = open_data(name);
	double *v = NULL;
	char line[256];
	size_t cap = 0;

	*n = 0;
	do {
		assert_non_null(fgets(line, sizeof(line), f));
	} while (strncmp(line, "Data: Y", 7));
	assert_non_null(fgets(line, sizeof(line), f));
	while (fgets(line, sizeof(line), f)) {
		MEM_GROW(v, *n, cap);
		v[(*n)++] = strtod(line, NULL);
	}
	fclose(f);
	return v;
}

static double quantity(const char *name, const double *v, size_t n)
{
	if (!strcmp(name, "n"))
		return (double)n;
	if (!strcmp(name, "mean"))
		return describe_mean(v, n);
	if (!strcmp(name, "sd"))
		return describe_sd(v, n);
	fail_msg("no quantity '%s'", name);
	return NAN;
}

static void univariate_sets_hold(void **state)
{
	FILE *f = open_data("univariate.tsv");
	char line[256], file[64], name[16], certified[64];
	size_t rows = 0, misses = 0, n;
	double want;

	(void)state;
	assert_non_null(fgets(line, sizeof(line), f)); /* the heading */
	for (; fgets(line, sizeof(line), f); rows++) {
		double *v, got;

		assert_int_equal(sscanf(line, "%63s %15s %63s %lf", file, name,
					certified, &want), 4);
		v = read_values(file, &n);
		got = quantity(name, v, n);
		free(v);
		if (fabs(got - want) <= 1e-12 * fabs(want))
			continue;
		print_error("%s %s: wanted %.17g, got %.17g\n", file, name,
			    want, got);
		misses++;
	}
	fclose(f);
	assert_int_equal(misses, 0);
	assert_int_equal(rows, 27);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(univariate_sets_hold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
