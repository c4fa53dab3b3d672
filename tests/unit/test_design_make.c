#include "tests/unit/design_example.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/fraction.h"

static void linked_factors_are_one_axis(void **state)
{
	const struct factor f[] = { FACTOR("a", 2), FACTOR("b", 2),
				    FACTOR("c", 2) };
	const size_t ends[] = { 0, 2 };
	const struct design_zip zip = { ends, 2 };
	const struct design_options o = { .factors = f, .n_factors = 3,
					  .zips = &zip, .n_zips = 1 };

	(void)state;
	assert_rows(&o, "000 010 101 111");
}

static void links_that_are_none_are_refused(void **state)
{
	const struct factor f[] = { FACTOR("a", 5), FACTOR("b", 4),
				    FACTOR("c", 5) };
	const size_t ab[] = { 0, 1 }, ac[] = { 0, 2 }, aa[] = { 0, 0 };
	const bool part[] = { true, true, false };
	const struct design_zip two[] = { { ac, 2 }, { ac, 2 } };
	const struct design_zip uneven[] = { { ac, 1 }, { ab, 2 } };
	const struct design_zip self = { aa, 2 };
	struct design_options o = { .factors = f, .n_factors = 3,
				    .zips = two, .n_zips = 2 };

	(void)state;
	assert_not_made(o, "factor 'a' is in two zips; link all of them in "
			   "one", DESIGN_PART_ZIP, 1);
	o.zips = &uneven[1];
	o.n_zips = 1;
	assert_not_made(o, "linked factors need equally many levels: 'a' has "
			   "5, 'b' has 4", DESIGN_PART_ZIP, 0);
	o.zips = &self;
	assert_not_made(o, "factor 'a' is linked with itself",
			DESIGN_PART_ZIP, 0);
	o.zips = two;
	o.part = part;
	assert_not_made(o, "factor 'c' is linked by a zip but not varied "
			   "here", DESIGN_PART_ZIP, 0);
}

static void a_factor_without_existence_is_there_once(void **state)
{
	const struct factor f[] = { FACTOR("a", 3), FACTOR("b", 2),
				    FACTOR("c", 2) };
	struct at a_is_1 = IS(0, 1);
	const struct design_existence only = { 1, AT(&a_is_1) };
	const struct design_options o = { .factors = f, .n_factors = 3,
					  .existences = &only,
					  .n_existences = 1 };
	struct buf key = BUF_INIT;
	struct design d;

	(void)state;
	assert_rows(&o, "0-0 0-1 100 101 110 111 2-0 2-1");
	d = made(&o);
	treatment_key(&d, 1, &key);
	assert_string_equal(key.data, "a=0,c=1");
	design_release(&d);
	buf_release(&key);
}

static void an_existence_may_depend_on_a_later_factor(void **state)
{
	const struct factor f[] = { FACTOR("a", 2), FACTOR("b", 2),
				    FACTOR("c", 2) };
	struct at c_is_1 = IS(2, 1), b_is_0 = IS(1, 0);
	const struct design_existence chain[] = { { 0, AT(&b_is_0) },
						  { 1, AT(&c_is_1) } };
	struct design_options o = { .factors = f, .n_factors = 3,
				    .existences = chain, .n_existences = 2 };

	(void)state;
	/* c 0: no b, so no a; c 1: b 0 with a 0 and 1, b 1 without a */
	assert_rows(&o, "001 101 -11 --0");
	o.existences = &chain[1];
	o.n_existences = 1;
	assert_rows(&o, "001 011 0-0 101 111 1-0");
}

static void a_cycle_of_existences_names_its_factors(void **state)
{
	const struct factor f[] = { FACTOR("a", 2), FACTOR("b", 2),
				    FACTOR("c", 2), FACTOR("d", 2) };
	struct at a = IS(0, 1), c = IS(2, 1), b = IS(1, 1);
	const struct design_existence cycle[] = {
		{ 3, AT(&b) }, /* waits for the cycle, is no part of it */
		{ 2, AT(&b) }, { 1, AT(&c) },
	};
	const struct design_existence self = { 0, AT(&a) };
	struct design_options o = { .factors = f, .n_factors = 4,
				    .existences = cycle, .n_existences = 3 };

	(void)state;
	assert_not_made(o, "factors that exist only under levels of each "
			   "other: 'b' under levels of 'c', 'c' under levels "
			   "of 'b'; remove one of these conditions",
			DESIGN_PART_EXISTENCE, 1);
	o.existences = &self;
	o.n_existences = 1;
	assert_not_made(o, "factors that exist only under levels of each "
			   "other: 'a' under levels of 'a'; remove one of "
			   "these conditions", DESIGN_PART_EXISTENCE, 0);
}

static void linked_factors_may_exist_apart(void **state)
{
	const struct factor f[] = { FACTOR("a", 2), FACTOR("b", 2),
				    FACTOR("c", 2) };
	const size_t bc[] = { 1, 2 };
	const struct design_zip zip = { bc, 2 };
	struct at a_is_1 = IS(0, 1), b_is_1 = IS(1, 1);
	const struct design_existence c_only = { 2, AT(&a_is_1) };
	const struct design_existence both[] = { { 1, AT(&a_is_1) },
						 { 2, AT(&a_is_1) } };
	const struct design_existence within = { 2, AT(&b_is_1) };
	struct design_options o = { .factors = f, .n_factors = 3,
				    .zips = &zip, .n_zips = 1,
				    .existences = &c_only,
				    .n_existences = 1 };

	(void)state;
	assert_rows(&o, "00- 01- 100 111");
	o.existences = both;
	o.n_existences = 2;
	assert_rows(&o, "0-- 100 111");
	o.existences = &within;
	o.n_existences = 1;
	assert_not_made(o, "factor 'c' cannot exist only under levels of 'b', "
			   "which it is linked with; leave it out of the zip",
			DESIGN_PART_EXISTENCE, 0);
}

static void factors_that_take_no_part_are_absent(void **state)
{
	const struct factor f[] = { FACTOR("a", 2), FACTOR("b", 9),
				    FACTOR("c", 2) };
	const bool part[] = { true, false, true };
	const struct design_options o = { .factors = f, .n_factors = 3,
					  .part = part };

	(void)state;
	assert_rows(&o, "0-0 0-1 1-0 1-1");
}

static void rules_drop_and_are_asked_no_oftener_than_needed(void **state)
{
	const struct factor f[] = { FACTOR("a", 3), FACTOR("b", 2),
				    FACTOR("c", 2) };
	struct at not_a_1 = IS_NOT(0, 1);
	struct at not_c_0 = IS_NOT(2, 0);
	const struct design_rule rules[] = { AT(&not_c_0), AT(&not_a_1) };
	size_t dropped[2];
	const struct design_options o = { .factors = f, .n_factors = 3,
					  .rules = rules, .n_rules = 2,
					  .dropped = dropped };

	(void)state;
	assert_rows(&o, "001 011 201 211");
	assert_int_equal(dropped[1], 4); /* a 1, never looked into */
	assert_int_equal(dropped[0], 4);
	assert_int_equal(not_a_1.asked, 3);
	assert_int_equal(not_c_0.asked, 8);
}

static void what_is_pruned_is_counted_as_it_would_exist(void **state)
{
	const struct factor f[] = { FACTOR("a", 2), FACTOR("b", 3),
				    FACTOR("c", 5) };
	struct at not_a_0 = IS_NOT(0, 0), b_is_1 = IS(1, 1);
	const struct design_rule rule = AT(&not_a_0);
	const struct design_existence only = { 2, AT(&b_is_1) };
	size_t dropped;
	const struct design_options o = { .factors = f, .n_factors = 3,
					  .existences = &only,
					  .n_existences = 1, .rules = &rule,
					  .n_rules = 1, .dropped = &dropped };

	(void)state;
	assert_rows(&o, "10- 110 111 112 113 114 12-");
	assert_int_equal(dropped, 7);
}

static void a_rule_without_a_value_is_an_error(void **state)
{
	const struct factor f[] = { FACTOR("a", 2), FACTOR("b", 2) };
	struct at good = IS(0, 0), bad = IS(1, 99);
	const struct design_rule rules[] = { AT(&good), AT(&bad) };
	const struct design_existence only = { 0, AT(&bad) };
	struct design_options o = { .factors = f, .n_factors = 2,
				    .rules = rules, .n_rules = 2 };

	(void)state;
	assert_not_made(o, "no value", DESIGN_PART_RULE, 1);
	o.kind = DESIGN_ONE_AT_A_TIME;
	assert_not_made(o, "no value", DESIGN_PART_RULE, 1);
	o.n_rules = 0;
	o.existences = &only;
	o.n_existences = 1;
	assert_not_made(o, "no value", DESIGN_PART_EXISTENCE, 0);
	o.kind = DESIGN_FULL_FACTORIAL;
	assert_not_made(o, "no value", DESIGN_PART_EXISTENCE, 0);
}

static void a_huge_design_with_rules_gives_up(void **state)
{
	struct factor f[30];
	struct at none = IS(29, 0), first = IS(0, 0);
	const struct design_rule rule = AT(&none), prunes = AT(&first);
	size_t dropped;
	struct design_options o = { .factors = f, .n_factors = 30,
				    .rules = &rule, .n_rules = 1,
				    .dropped = &dropped, .most = 1000 };

	(void)state;
	for (size_t i = 0; i < 30; i++)
		f[i] = (struct factor){ .name = mem_printf("f%zu", i),
					.levels = digits, .n_levels = 10 };
	assert_not_made(o, "the design has more than 1000 treatments; leave "
			   "out factors or levels", DESIGN_PART_SIZE, 0);
	none.level = 10; /* never */
	o.n_factors = 9;
	none.factor = 8;
	assert_not_made(o, "there are more than 100000000 combinations to "
			   "look through; leave out factors or levels",
			DESIGN_PART_STEPS, 0);
	/* 10^29 combinations each for nine levels, and none is looked at */
	first.level = 10;
	o.n_factors = 30;
	o.rules = &prunes;
	assert_rows(&o, "");
	assert_true(dropped == SIZE_MAX);
	for (size_t i = 0; i < 30; i++)
		free(f[i].name);
}

static void one_at_a_time_varies_each_from_the_base(void **state)
{
	const struct factor f[] = { FACTOR("a", 3), FACTOR("b", 2),
				    FACTOR("c", 3), FACTOR("d", 1) };
	const struct setting base[] = { { 2, 1 } };
	const size_t ac[] = { 0, 2 };
	const struct design_zip zip = { ac, 2 };
	const struct setting apart[] = { { 2, 1 }, { 0, 2 } };
	struct design_options o = { .kind = DESIGN_ONE_AT_A_TIME,
				    .factors = f, .n_factors = 4,
				    .base = base, .n_base = 1 };

	(void)state;
	assert_rows(&o, "0010 1010 2010 0110 0000 0020");
	o.zips = &zip;
	o.n_zips = 1;
	assert_rows(&o, "1010 0000 2020 1110");
	o.base = apart;
	o.n_base = 2;
	assert_not_made(o, "'a' and 'c' are linked, but the base gives them "
			   "levels that do not go together",
			DESIGN_PART_BASE, 0);
}

static void one_at_a_time_begins_to_exist_at_its_base(void **state)
{
	const struct factor f[] = { FACTOR("a", 3), FACTOR("b", 4) };
	const struct setting base[] = { { 1, 2 } }, at_1[] = { { 0, 1 } };
	struct at a_is_1 = IS(0, 1);
	const struct design_existence only = { 1, AT(&a_is_1) };
	struct design_options o = { .kind = DESIGN_ONE_AT_A_TIME,
				    .factors = f, .n_factors = 2,
				    .existences = &only, .n_existences = 1,
				    .base = base, .n_base = 1 };

	(void)state;
	assert_rows(&o, "0- 12 2-");
	o.base = at_1;
	assert_rows(&o, "10 0- 2- 11 12 13");
}

static void a_list_is_as_given_and_says_what_is_twice(void **state)
{
	const struct factor f[] = { FACTOR("a", 3), FACTOR("b", 2) };
	const uint16_t list[] = { 2, 1, 0, DESIGN_ABSENT, 0, 0, 2, 1 };
	const uint16_t wrong[] = { 0, 0, 0, 2 };
	struct at a_is_1 = IS(0, 1);
	const struct design_existence only = { 1, AT(&a_is_1) };
	struct design_options o = { .kind = DESIGN_LIST, .factors = f,
				    .n_factors = 2, .list = list,
				    .n_list = 3 };

	(void)state;
	assert_rows(&o, "21 0- 00");
	o.n_list = 4;
	assert_not_made(o, "rows 1 and 4 of the list are the same treatment "
			   "(a=2,b=1); remove one, `replicates` repeats them "
			   "all", DESIGN_PART_ROW, 3);
	o.existences = &only;
	o.n_existences = 1;
	assert_not_made(o, "row 1 of the list gives a level to 'b', which "
			   "does not exist under its other levels; leave it "
			   "out", DESIGN_PART_ROW, 0);
	o.n_existences = 0;
	o.list = wrong;
	assert_not_made(o, "row 2 of the list: 'b' has no level number 3",
			DESIGN_PART_ROW, 1);
}

/* Each letter once in each row and column. */
static void assert_latin(const struct design *d, size_t n)
{
	bool seen[2][10][10] = { 0 };

	assert_int_equal(d->n_treatments, n * n);
	for (size_t t = 0; t < n * n; t++) {
		size_t row = design_level(d, t, 0);
		size_t letter = design_level(d, t, 2);
		size_t column = design_level(d, t, 1);

		assert_int_equal(row, t / n);
		assert_int_equal(column, t % n);
		assert_false(seen[0][row][letter]);
		assert_false(seen[1][column][letter]);
		seen[0][row][letter] = seen[1][column][letter] = true;
	}
}

static void a_latin_square_has_each_letter_once_in_each_line(void **state)
{
	const struct factor f[] = { FACTOR("r", 7), FACTOR("c", 7),
				    FACTOR("l", 7) };
	struct design_options o = { .kind = DESIGN_LATIN_SQUARE,
				    .factors = f, .n_factors = 3,
				    .latin = { 0, 1, 2 } };
	struct design first = made(&o), again = made(&o), other;

	(void)state;
	assert_latin(&first, 7);
	assert_memory_equal(first.cells, again.cells, 7 * 7 * 3 * 2);
	o.seed = 1;
	other = made(&o);
	assert_latin(&other, 7);
	assert_true(memcmp(first.cells, other.cells, 7 * 7 * 3 * 2));
	design_release(&first);
	design_release(&again);
	design_release(&other);
}

static void the_square_of_a_seed_never_changes(void **state)
{
	const struct factor f[] = { FACTOR("r", 4), FACTOR("c", 4),
				    FACTOR("l", 4) };
	const struct design_options o = { .kind = DESIGN_LATIN_SQUARE,
					  .factors = f, .n_factors = 3,
					  .latin = { 0, 1, 2 },
					  .seed = 42 };

	(void)state;
	assert_rows(&o, "003 012 020 031 102 113 121 130 "
			"200 211 222 233 301 310 323 332");
}

static void other_factors_are_crossed_with_the_square(void **state)
{
	const struct factor f[] = { FACTOR("x", 2), FACTOR("l", 2),
				    FACTOR("r", 2), FACTOR("c", 2) };
	struct at not_x_1 = IS_NOT(0, 1);
	const struct design_rule rule = AT(&not_x_1);
	size_t dropped;
	struct design_options o = { .kind = DESIGN_LATIN_SQUARE,
				    .factors = f, .n_factors = 4,
				    .latin = { 2, 3, 1 }, .seed = 1,
				    .dropped = &dropped };
	struct design d = made(&o);

	(void)state;
	assert_int_equal(d.n_treatments, 8);
	for (size_t t = 0; t < 4; t++)
		assert_memory_equal(d.cells + 4 * t + 1,
				    d.cells + 16 + 4 * t + 1, 6);
	design_release(&d);
	o.rules = &rule;
	o.n_rules = 1;
	d = made(&o);
	assert_int_equal(d.n_treatments, 4);
	assert_int_equal(dropped, 4);
	design_release(&d);
	o.n_rules = 0;
	o.latin = (struct design_latin){ -1, -2, 1 };
	d = made(&o);
	assert_int_equal(d.n_treatments, 16);
	assert_true(d.odometer);
	design_release(&d);
}

static void squares_that_are_none_are_refused(void **state)
{
	const struct factor f[] = { FACTOR("r", 3), FACTOR("c", 3),
				    FACTOR("l", 4), FACTOR("m", 3) };
	const size_t rm[] = { 0, 3 };
	const struct design_zip zip = { rm, 2 };
	struct design_options o = { .kind = DESIGN_LATIN_SQUARE,
				    .factors = f, .n_factors = 4,
				    .latin = { 0, 1, 2 } };

	(void)state;
	assert_not_made(o, "a Latin square needs equally many rows, columns "
			   "and letters: 'r' has 3 levels, 'c' 3, 'l' 4",
			DESIGN_PART_LATIN, 0);
	o.latin.letters = 1;
	assert_not_made(o, "rows, columns and letters of a Latin square are "
			   "three different factors", DESIGN_PART_LATIN, 0);
	o.latin.letters = 3;
	o.zips = &zip;
	o.n_zips = 1;
	assert_not_made(o, "factor 'r' of the Latin square can neither be "
			   "linked nor exist under some levels only",
			DESIGN_PART_LATIN, 0);
}

static void a_fraction_multiplies_its_basic_factors(void **state)
{
	const struct factor f[] = { FACTOR("a", 2), FACTOR("b", 2),
				    FACTOR("d", 2), FACTOR("c", 2) };
	size_t abc[] = { 0, 1, 3 };
	struct generator g = { .factor = 2, .of = abc, .n = 3 };
	struct design_options o = { .kind = DESIGN_FRACTIONAL,
				    .factors = f, .n_factors = 4,
				    .generators = &g, .n_generators = 1 };

	(void)state;
	/* abdc; (-1)(-1)(-1) = -1 */
	assert_rows(&o, "0000 0011 0110 0101 1010 1001 1100 1111");
	g.negative = true;
	assert_rows(&o, "0010 0001 0100 0111 1000 1011 1110 1101");
}

static void a_fraction_takes_no_other_structure(void **state)
{
	const struct factor f[] = { FACTOR("a", 2), FACTOR("b", 2),
				    FACTOR("c", 2), FACTOR("d", 3) };
	const bool part[] = { true, true, true, false };
	size_t ab[] = { 0, 1 }, ac[] = { 0, 2 };
	struct generator g = { .factor = 2, .of = ab, .n = 2 };
	const struct design_zip zip = { ac, 2 };
	struct at a = IS(0, 1);
	const struct design_existence only = { 1, AT(&a) };
	struct design_options o = { .kind = DESIGN_FRACTIONAL,
				    .factors = f, .n_factors = 4,
				    .generators = &g, .n_generators = 1 };

	(void)state;
	assert_not_made(o, "a fractional design needs factors of two levels: "
			   "'d' has 3", DESIGN_PART_WHOLE, 0);
	o.part = part;
	assert_rows(&o, "001- 010- 100- 111-");
	o.zips = &zip;
	o.n_zips = 1;
	assert_not_made(o, "a fractional design has no place for linked "
			   "factors; leave out `zip`", DESIGN_PART_ZIP, 0);
	o.n_zips = 0;
	o.existences = &only;
	o.n_existences = 1;
	assert_not_made(o, "a fractional design needs factors that always "
			   "exist: 'b' does not", DESIGN_PART_EXISTENCE, 0);
	o.n_existences = 0;
	g.n = 1;
	assert_not_made(o, "the generators confound main effects with one "
			   "another: a*c is the same in every treatment; let "
			   "them be products of other factors",
			DESIGN_PART_GENERATOR, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(linked_factors_are_one_axis),
		cmocka_unit_test(links_that_are_none_are_refused),
		cmocka_unit_test(a_factor_without_existence_is_there_once),
		cmocka_unit_test(an_existence_may_depend_on_a_later_factor),
		cmocka_unit_test(a_cycle_of_existences_names_its_factors),
		cmocka_unit_test(linked_factors_may_exist_apart),
		cmocka_unit_test(factors_that_take_no_part_are_absent),
		cmocka_unit_test(
			rules_drop_and_are_asked_no_oftener_than_needed),
		cmocka_unit_test(what_is_pruned_is_counted_as_it_would_exist),
		cmocka_unit_test(a_rule_without_a_value_is_an_error),
		cmocka_unit_test(a_huge_design_with_rules_gives_up),
		cmocka_unit_test(one_at_a_time_varies_each_from_the_base),
		cmocka_unit_test(one_at_a_time_begins_to_exist_at_its_base),
		cmocka_unit_test(a_list_is_as_given_and_says_what_is_twice),
		cmocka_unit_test(
			a_latin_square_has_each_letter_once_in_each_line),
		cmocka_unit_test(the_square_of_a_seed_never_changes),
		cmocka_unit_test(other_factors_are_crossed_with_the_square),
		cmocka_unit_test(squares_that_are_none_are_refused),
		cmocka_unit_test(a_fraction_multiplies_its_basic_factors),
		cmocka_unit_test(a_fraction_takes_no_other_structure),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
