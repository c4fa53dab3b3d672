#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "stats/design_make.h"
#include "stats/factor.h"
#include "stats/row_index.h"

#define LEVELS(...)                                                         \
	.levels = (struct level[]){ __VA_ARGS__ },                          \
	.n_levels = sizeof((struct level[]){ __VA_ARGS__ }) /               \
		    sizeof(struct level)
#define L(text) { .name = (char[]){ text } }

static struct design built(const struct factor *f, size_t n)
{
	struct error err = ERROR_INIT;
	struct design d;

	assert_int_equal(
		design_build(&d, DESIGN_FULL_FACTORIAL, f, n, &err), 0);
	return d;
}

static void assert_key(const struct design *d, size_t treatment,
		       const char *want)
{
	struct buf b = BUF_INIT;

	treatment_key(d, treatment, &b);
	assert_string_equal(b.data, want);
	buf_release(&b);
}

static void last_factor_runs_fastest(void **state)
{
	const struct factor f[] = {
		{ .name = (char[]){ "place" }, LEVELS(L("disk"), L("memory")) },
		{ .name = (char[]){ "kib" }, LEVELS(L("4"), L("64"), L("9")) },
	};
	static const size_t want[6][2] = { { 0, 0 }, { 0, 1 }, { 0, 2 },
					   { 1, 0 }, { 1, 1 }, { 1, 2 } };
	struct design d = built(f, 2);

	(void)state;
	assert_int_equal(d.n_treatments, 6);
	for (size_t t = 0; t < 6; t++)
		for (size_t i = 0; i < 2; i++)
			assert_int_equal(design_level(&d, t, i), want[t][i]);
	design_release(&d);
}

static void no_factor_gives_one_empty_treatment(void **state)
{
	struct design d = built(NULL, 0);

	(void)state;
	assert_int_equal(d.n_treatments, 1);
	assert_key(&d, 0, "-");
	design_release(&d);
}

static void key_sorts_factors_by_name(void **state)
{
	const struct factor f[] = {
		{ .name = (char[]){ "place" }, LEVELS(L("disk"), L("memory")) },
		{ .name = (char[]){ "block_kib" }, LEVELS(L("4"), L("64")) },
		{ .name = (char[]){ "Zone" }, LEVELS(L("a")) },
	};
	const struct factor turned[] = { f[2], f[1], f[0] };
	struct design d = built(f, 3), e = built(turned, 3);

	(void)state;
	assert_key(&d, 0, "Zone=a,block_kib=4,place=disk");
	assert_key(&d, 2, "Zone=a,block_kib=4,place=memory");
	assert_key(&e, 1, "Zone=a,block_kib=4,place=memory");
	design_release(&d);
	design_release(&e);
}

static void key_escapes_what_would_be_ambiguous(void **state)
{
	const struct factor f[] = {
		{ .name = (char[]){ "a" },
		  LEVELS(L("50%,x=y#1/2"), L("ä b\t~\x7f"), L("")) },
	};
	struct design d = built(f, 1);

	(void)state;
	assert_key(&d, 0, "a=50%25%2Cx%3Dy%231%2F2");
	assert_key(&d, 1, "a=%C3%A4 b%09~%7F");
	assert_key(&d, 2, "a=");
	design_release(&d);
}

static void neighbour_has_the_settings_and_else_the_same(void **state)
{
	const struct factor f[] = {
		{ .name = (char[]){ "a" }, LEVELS(L("0"), L("1")) },
		{ .name = (char[]){ "b" }, LEVELS(L("0"), L("1"), L("2")) },
		{ .name = (char[]){ "c" }, LEVELS(L("0"), L("1")) },
	};
	const struct setting s[] = { { 0, 0 }, { 2, 1 } };
	struct design d = built(f, 3);

	(void)state;
	for (size_t t = 0; t < d.n_treatments; t++) {
		size_t n = design_neighbour(&d, t, s, 2);

		assert_true(design_has(&d, n, s, 2));
		assert_int_equal(design_level(&d, n, 1),
				 design_level(&d, t, 1));
		assert_int_equal(n == t, design_has(&d, t, s, 2));
		assert_int_equal(design_neighbour(&d, t, NULL, 0), t);
	}
	design_release(&d);
}

/* platform x storage, where storage exists on platform 1 and 2 only, as a
 * list would have it after `when` was asked */
static int on_platform_1_or_2(void *ctx, const uint16_t *levels,
			      struct error *err)
{
	(void)ctx;
	(void)err;
	return levels[0] == 1 || levels[0] == 2;
}

static bool uses_platform(void *ctx, size_t factor)
{
	(void)ctx;
	return factor == 0;
}

static int not_1_0(void *ctx, const uint16_t *levels, struct error *err)
{
	(void)ctx;
	(void)err;
	return levels[0] != 1 || levels[1] != 0;
}

static const struct factor platforms[] = {
	{ .name = (char[]){ "platform" },
	  LEVELS(L("native"), L("docker"), L("lxc")) },
	{ .name = (char[]){ "storage" }, LEVELS(L("dir"), L("zvol")) },
};

static struct design storage_on_platforms(bool with_hole)
{
	static const struct design_existence only = {
		.factor = 1,
		.when = { on_platform_1_or_2, uses_platform, NULL },
	};
	static const struct design_rule hole = { .holds = not_1_0 };
	const struct design_options o = {
		.factors = platforms, .n_factors = 2, .existences = &only,
		.n_existences = 1, .rules = &hole, .n_rules = with_hole,
	};
	struct error err = ERROR_INIT;
	struct design d;

	assert_int_equal(design_make(&d, &o, &err), 0);
	return d;
}

static void assert_neighbour(const struct design *d, size_t treatment,
			     size_t factor, size_t level, size_t want)
{
	const struct setting s = { factor, level };

	assert_int_equal(design_neighbour(d, treatment, &s, 1), want);
}

static void neighbour_may_lack_what_does_not_exist_there(void **state)
{
	/* native; docker dir, zvol; lxc dir, zvol */
	struct design d = storage_on_platforms(false);
	const uint16_t none[] = { 0, 0 };
	const struct setting native_without[] = { { 0, 0 },
						  { 1, DESIGN_ABSENT } };

	(void)state;
	assert_int_equal(d.n_treatments, 5);
	for (size_t t = 1; t < 5; t++)
		assert_neighbour(&d, t, 0, 0, 0);
	assert_neighbour(&d, 2, 0, 2, 4);
	assert_neighbour(&d, 0, 0, 0, 0);
	assert_neighbour(&d, 0, 0, 1, 5); /* with which storage? */
	assert_neighbour(&d, 0, 1, 0, 5); /* it has no storage */
	assert_neighbour(&d, 0, 1, DESIGN_ABSENT, 0);
	assert_neighbour(&d, 1, 1, DESIGN_ABSENT, 5); /* docker has one */
	assert_int_equal(design_neighbour(&d, 4, native_without, 2), 0);
	assert_int_equal(design_find(&d, none), 5);
	design_release(&d);
}

static void no_neighbour_is_better_than_a_wrong_one(void **state)
{
	/* native; docker zvol; lxc dir, zvol */
	struct design d = storage_on_platforms(true);

	(void)state;
	assert_int_equal(d.n_treatments, 4);
	assert_neighbour(&d, 1, 0, 2, 3);
	assert_neighbour(&d, 2, 0, 1, 4); /* lxc dir: no docker dir */
	assert_neighbour(&d, 3, 0, 1, 1);
	design_release(&d);
}

static void neighbours_are_not_taken_from_other_matrices(void **state)
{
	const bool part[] = { true, false };
	const struct design_options alone = {
		.factors = platforms, .n_factors = 2, .part = part };
	struct error err = ERROR_INIT;
	struct design d, parts[2] = { storage_on_platforms(true) };
	uint32_t share[5];

	(void)state;
	assert_int_equal(design_make(&parts[1], &alone, &err), 0);
	design_init(&d, platforms, 2);
	design_add(&d, &parts[0], 0, share);
	design_add(&d, &parts[1], 1, share);
	/* native; docker zvol; lxc dir, zvol; then docker, lxc alone */
	assert_int_equal(d.n_treatments, 6);
	assert_int_equal(share[0], 0);
	assert_int_equal(share[1], 4);
	assert_int_equal(share[2], 5);
	assert_neighbour(&d, 2, 0, 1, 6); /* docker alone is another thing */
	assert_neighbour(&d, 2, 0, 0, 0);
	assert_neighbour(&d, 5, 0, 1, 4);
	assert_neighbour(&d, 4, 1, 1, 6); /* it has no storage to compare by */
	design_release(&d);
	design_release(&parts[0]);
	design_release(&parts[1]);
}

static void an_odometer_is_searched_by_arithmetic(void **state)
{
	struct design d = built(platforms, 2);
	const uint16_t there[] = { 2, 1 }, beyond[] = { 0, 2 };
	const uint16_t absent[] = { 0, DESIGN_ABSENT };

	(void)state;
	assert_true(d.odometer);
	assert_int_equal(design_find(&d, there), 5);
	assert_int_equal(design_find(&d, beyond), 6);
	assert_int_equal(design_find(&d, absent), 6);
	assert_null(d.index->slots);
	design_release(&d);
}

static void only_a_full_factorial_is_made_of_factors_alone(void **state)
{
	struct error err = ERROR_INIT;
	struct design d;

	(void)state;
	assert_int_equal(
		design_build(&d, DESIGN_FRACTIONAL, platforms, 2, &err), -1);
	assert_string_equal(err.text,
			    "design kind 2 is not made of factors alone");
	design_release(&d);
}

static void assert_refused(const struct factor *f, size_t n, const char *want)
{
	struct error err = ERROR_INIT;
	struct design d;

	assert_int_equal(
		design_build(&d, DESIGN_FULL_FACTORIAL, f, n, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, want);
	design_release(&d);
}

static void impossible_factors_are_refused(void **state)
{
	const struct factor f[] = {
		{ .name = (char[]){ "a" }, LEVELS(L("0")) },
		{ .name = (char[]){ "b" } },
		{ .name = (char[]){ "a" }, LEVELS(L("1")) },
		{ .name = (char[]){ "c" }, .n_levels = 65536 },
	};

	(void)state;
	assert_refused(&f[1], 1,
		       "factor 'b' has no levels; give it at least one");
	assert_refused((struct factor[]){ f[0], f[2] }, 2,
		       "two factors are named 'a'; rename one");
	assert_refused(&f[3], 1,
		       "factor 'c' has 65536 levels; at most 65535 are "
		       "possible");
}

/* n factors f0, f1, ... of 10 levels each */
static struct factor *tens(size_t n)
{
	static struct level levels[10];
	struct factor *f = mem_zalloc(n, sizeof(*f));

	for (size_t i = 0; i < 10; i++)
		levels[i].name = (char *)"0\0001\0002\0003\0004\0005\0006\000"
					 "7\0008\0009" + 2 * i;
	for (size_t i = 0; i < n; i++) {
		f[i].name = mem_printf("f%zu", i);
		f[i].levels = levels;
		f[i].n_levels = 10;
	}
	return f;
}

static void tens_free(struct factor *f, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(f[i].name);
	free(f);
}

static void too_large_designs_are_refused_before_memory_is(void **state)
{
	struct factor *f = tens(40);

	(void)state;
	assert_refused(f, 40,
		       "the design has more than 10000000 treatments (reached "
		       "at factor 'f7'); leave out factors or levels");
	tens_free(f, 40);
}

static void million_treatments_are_all_different(void **state)
{
	struct factor *f = tens(6);
	struct design d = built(f, 6);

	(void)state;
	assert_int_equal(d.n_treatments, 1000000);
	for (size_t t = 0; t < d.n_treatments; t++) {
		size_t number = 0;

		for (size_t i = 0; i < 6; i++)
			number = 10 * number + design_level(&d, t, i);
		assert_true(number == t);
	}
	design_release(&d);
	tens_free(f, 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(last_factor_runs_fastest),
		cmocka_unit_test(no_factor_gives_one_empty_treatment),
		cmocka_unit_test(key_sorts_factors_by_name),
		cmocka_unit_test(key_escapes_what_would_be_ambiguous),
		cmocka_unit_test(neighbour_has_the_settings_and_else_the_same),
		cmocka_unit_test(neighbour_may_lack_what_does_not_exist_there),
		cmocka_unit_test(no_neighbour_is_better_than_a_wrong_one),
		cmocka_unit_test(neighbours_are_not_taken_from_other_matrices),
		cmocka_unit_test(an_odometer_is_searched_by_arithmetic),
		cmocka_unit_test(
			only_a_full_factorial_is_made_of_factors_alone),
		cmocka_unit_test(impossible_factors_are_refused),
		cmocka_unit_test(
			too_large_designs_are_refused_before_memory_is),
		cmocka_unit_test(million_treatments_are_all_different),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
