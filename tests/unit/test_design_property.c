#include "tests/unit/design_example.h"

#include <stdlib.h>
#include <string.h>

#include "stats/random.h"

#define MOST 5

/*
 * A small random design: up to five factors of up to three levels, perhaps a zip of
 * two, conditions and rules that are look-up tables over the levels of two factors.
 */
struct table {
	size_t a, b;              /* factors it asks about */
	bool yes[4][4];           /* by level, the last one: absent */
};

struct example {
	struct factor factors[MOST];
	size_t n;
	size_t linked[2];
	struct design_zip zip;
	struct table when[MOST];
	struct design_existence existences[MOST];
	struct table rule[2];
	struct design_rule rules[2];
	size_t dropped[2];
	struct design_options o;
};

static size_t index_of(uint16_t level)
{
	return level == DESIGN_ABSENT ? 3 : level;
}

static int table_holds(void *ctx, const uint16_t *levels, struct error *err)
{
	const struct table *t = ctx;

	(void)err;
	return t->yes[index_of(levels[t->a])][index_of(levels[t->b])];
}

static bool table_uses(void *ctx, size_t factor)
{
	const struct table *t = ctx;

	return factor == t->a || factor == t->b;
}

static void draw_table(struct table *t, struct random *r, size_t n)
{
	t->a = (size_t)random_below(r, n);
	t->b = (size_t)random_below(r, n);
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 4; k++)
			t->yes[i][k] = random_below(r, 3) != 0;
}

#define TABLE(x) { .holds = table_holds, .uses = table_uses, .ctx = (x) }

static void draw(struct example *x, struct random *r)
{
	static const char names[MOST][2] = { "a", "b", "c", "d", "e" };

	memset(x, 0, sizeof(*x));
	x->n = 1 + (size_t)random_below(r, MOST);
	for (size_t i = 0; i < x->n; i++)
		x->factors[i] = (struct factor){
			.name = (char *)names[i], .levels = digits,
			.n_levels = 1 + (size_t)random_below(r, 3) };
	x->o = (struct design_options){
		.factors = x->factors, .n_factors = x->n,
		.existences = x->existences, .rules = x->rules,
		.n_rules = (size_t)random_below(r, 3),
		.dropped = x->dropped, .zips = &x->zip };
	if (x->n > 1 && random_below(r, 2)) {
		x->linked[0] = (size_t)random_below(r, x->n - 1);
		x->linked[1] = x->n - 1;
		x->factors[x->n - 1].n_levels =
			x->factors[x->linked[0]].n_levels;
		x->zip = (struct design_zip){ x->linked, 2 };
		x->o.n_zips = 1;
	}
	for (size_t i = 0; i < x->n; i++) {
		size_t k = x->o.n_existences;

		if (random_below(r, 3))
			continue;
		draw_table(&x->when[k], r, x->n);
		x->existences[k] = (struct design_existence){
			i, TABLE(&x->when[k]) };
		x->o.n_existences++;
	}
	for (size_t i = 0; i < 2; i++) {
		draw_table(&x->rule[i], r, x->n);
		x->rules[i] = (struct design_rule)TABLE(&x->rule[i]);
	}
}

static const struct design_existence *existence(const struct example *x,
						size_t factor)
{
	for (size_t i = 0; i < x->o.n_existences; i++)
		if (x->existences[i].factor == factor)
			return &x->existences[i];
	return NULL;
}

/*
 * Whether a row of levels and absences is a combination: exactly the factors
 * that exist in it have a level, and linked ones the same.
 */
static bool is_combination(const struct example *x, const uint16_t *row)
{
	for (size_t f = 0; f < x->n; f++) {
		const struct design_existence *e = existence(x, f);
		bool exists = !e || table_holds(e->when.ctx, row, NULL);

		if (exists != (row[f] != DESIGN_ABSENT))
			return false;
	}
	if (x->o.n_zips) {
		uint16_t a = row[x->linked[0]], b = row[x->linked[1]];

		if (a != b && a != DESIGN_ABSENT && b != DESIGN_ABSENT)
			return false;
	}
	return true;
}

static bool stays(const struct example *x, const uint16_t *row)
{
	for (size_t i = 0; i < x->o.n_rules; i++)
		if (!table_holds(x->rules[i].ctx, row, NULL))
			return false;
	return true;
}

/* The next of all rows, absent after the last level. */
static bool next(const struct example *x, uint16_t *row)
{
	for (size_t f = x->n; f-- > 0;) {
		if (row[f] != DESIGN_ABSENT) {
			row[f]++;
			if (row[f] == x->factors[f].n_levels)
				row[f] = DESIGN_ABSENT;
			return true;
		}
		row[f] = 0;
	}
	return false;
}

/* Goes through all rows there are and compares with what was made. */
static void assert_brute_force(const struct example *x, const struct design *d)
{
	uint16_t row[MOST] = { 0 };
	size_t t = 0, dropped = 0;

	do {
		if (!is_combination(x, row))
			continue;
		if (!stays(x, row)) {
			dropped++;
			assert_int_equal(design_find(d, row),
					 d->n_treatments);
			continue;
		}
		assert_true(t < d->n_treatments);
		assert_memory_equal(d->cells + t * x->n, row,
				    x->n * sizeof(*row));
		assert_int_equal(design_find(d, row), t);
		t++;
	} while (next(x, row));
	assert_int_equal(t, d->n_treatments);
	for (size_t i = 0; i < x->o.n_rules; i++)
		dropped -= x->dropped[i];
	assert_int_equal(dropped, 0);
}

/* The neighbour by looking at every row. */
static size_t slow_neighbour(const struct example *x, const struct design *d,
			     size_t treatment, struct setting s)
{
	size_t found = d->n_treatments, exact = d->n_treatments, matches = 0;

	if (design_level(d, treatment, s.factor) == DESIGN_ABSENT)
		return d->n_treatments;
	for (size_t t = 0; t < d->n_treatments; t++) {
		bool like = design_level(d, t, s.factor) == s.level;
		bool same = like;

		for (size_t f = 0; f < x->n; f++) {
			size_t level = design_level(d, t, f);

			if (f == s.factor ||
			    level == design_level(d, treatment, f))
				continue;
			same = false;
			like &= level == DESIGN_ABSENT &&
				existence(x, f) != NULL;
		}
		if (same)
			exact = t;
		if (like) {
			found = t;
			matches++;
		}
	}
	assert_true(matches <= 1); /* which is why there is no choice */
	return exact < d->n_treatments ? exact : found;
}

static void assert_neighbours(const struct example *x, const struct design *d)
{
	for (size_t t = 0; t < d->n_treatments; t++)
		for (size_t f = 0; f < x->n; f++)
			for (size_t l = 0; l < x->factors[f].n_levels; l++) {
				const struct setting s = { f, l };

				assert_int_equal(
					design_neighbour(d, t, &s, 1),
					slow_neighbour(x, d, t, s));
			}
}

/* No row twice. */
static void assert_distinct(const struct design *d)
{
	size_t bytes = d->n_factors * sizeof(*d->cells);

	for (size_t a = 0; a < d->n_treatments; a++)
		for (size_t b = 0; b < a; b++)
			assert_true(memcmp(d->cells + a * d->n_factors,
					   d->cells + b * d->n_factors,
					   bytes));
}

static void designs_are_what_brute_force_finds(void **state)
{
	struct random r;
	size_t cycles = 0, designs = 0;

	(void)state;
	random_seed(&r, 7);
	for (size_t i = 0; i < 20000; i++) {
		struct error err = ERROR_INIT;
		struct example x;
		struct design d;

		draw(&x, &r);
		if (design_make(&d, &x.o, &err)) {
			cycles++;
			assert_true(strstr(err.text, "exist only under") ||
				    strstr(err.text, "exists only under"));
		} else {
			designs++;
			assert_brute_force(&x, &d);
			if (i % 4 == 0) {
				assert_distinct(&d);
				assert_neighbours(&x, &d);
			}
		}
		design_release(&d);
	}
	assert_true(designs > 5000 && cycles > 1000);
}

/* Each row differs from the base in what one axis changes, is a combination
 * of the full factorial, and no row is there twice. */
static void one_at_a_time_is_part_of_the_full_factorial(void **state)
{
	struct random r;

	(void)state;
	random_seed(&r, 8);
	for (size_t i = 0; i < 5000; i++) {
		struct error err = ERROR_INIT;
		struct example x;
		struct design full, d;

		draw(&x, &r);
		x.o.n_rules = i % 2;
		if (!design_make(&full, &x.o, &err)) {
			x.o.kind = DESIGN_ONE_AT_A_TIME;
			assert_int_equal(design_make(&d, &x.o, &err), 0);
			assert_distinct(&d);
			for (size_t t = 0; t < d.n_treatments; t++)
				assert_true(design_find(&full, d.cells +
							t * x.n) <
					    full.n_treatments);
			design_release(&d);
		}
		design_release(&full);
	}
}

static void unions_have_each_treatment_once(void **state)
{
	struct random r;

	(void)state;
	random_seed(&r, 9);
	for (size_t i = 0; i < 3000; i++) {
		struct error err = ERROR_INIT;
		uint32_t shares[3][1024];
		struct design all, parts[3];
		size_t from = 0;
		struct example x;

		draw(&x, &r);
		x.o.n_existences = 0;
		design_init(&all, x.factors, x.n);
		for (size_t k = 0; k < 3; k++) {
			x.o.n_rules = k;
			assert_int_equal(design_make(&parts[k], &x.o, &err),
					 0);
			design_add(&all, &parts[k], k, shares[k]);
			draw_table(&x.rule[0], &r, x.n);
		}
		assert_distinct(&all);
		for (size_t k = 0; k < 3; k++) {
			for (size_t t = 0; t < parts[k].n_treatments; t++) {
				size_t at = shares[k][t];

				assert_memory_equal(
					all.cells + at * x.n,
					parts[k].cells + t * x.n,
					x.n * sizeof(*all.cells));
				assert_true(all.origins[at] >> k & 1);
				assert_true(at <= from);
				from += at == from;
			}
			design_release(&parts[k]);
		}
		assert_int_equal(from, all.n_treatments);
		design_release(&all);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(designs_are_what_brute_force_finds),
		cmocka_unit_test(one_at_a_time_is_part_of_the_full_factorial),
		cmocka_unit_test(unions_have_each_treatment_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
