#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/spec/filter.h"
#include "stats/fraction.h"
#include "tests/unit/experiment_text.h"

/* Lines 1 to 4, so that the design is line 5. */
#define HEAD                                                                \
	"assay: 1\nexperiment: x\nhosts: {here: local}\n"                   \
	"benchmarks: {b: {run: echo, responses: {t: {regex: .+, uom: s, "   \
	"better: lower}, u: {regex: .+, uom: s, better: lower}}}}\n"
/* After it; four factors of two levels, and two of three. */
#define FACTORS                                                             \
	"factors: {a: [1, 2], b: [x, y], c: [1, 2], d: [1, 2], "            \
	"e: [1, 2, 3], f: [1, 2, 3]}\n"
#define TWO "factors: {a: [1, 2], b: [x, y]}\n"
#define SQUARE "factors: {a: [1, 2], b: [x, y], c: [1, 2]}\n"

static void load_with(struct text_experiment *t, const char *text,
		      const char *csv)
{
	const struct text_file files[] = {
		{ "x.yaml", text },
		{ "lists/t.csv", csv },
		{ NULL, NULL },
	};

	text_load(t, files, NULL);
	assert_string_equal(t->messages, "");
	assert_int_equal(t->rc, 0);
}

static void load(struct text_experiment *t, const char *text)
{
	load_with(t, text, "");
}

static const struct matrix *only_matrix(const struct text_experiment *t)
{
	assert_int_equal(t->e.n_matrices, 1);
	assert_string_equal(t->e.matrices[0].name, "");
	return &t->e.matrices[0];
}

static void what_is_left_out_has_a_default(void **state)
{
	const struct matrix *m;
	struct text_experiment t;

	(void)state;
	load(&t, HEAD "design: {}\n" TWO);
	m = only_matrix(&t);
	assert_int_equal(m->kind, DESIGN_FULL_FACTORIAL);
	assert_int_equal(m->n_factors, 2);
	assert_int_equal(m->n_benchmarks, 1);
	assert_int_equal(m->replicates, 1);
	assert_int_equal(m->replicates_max, 1);
	assert_null(m->until.response);
	assert_int_equal(m->blocks, BLOCK_ROUND);
	assert_int_equal(m->rounds_a_day, 1);
	assert_int_equal(m->order, ORDER_RANDOMIZED);
	assert_int_equal(m->resolution, 0);
	text_unload(&t);
}

static void a_base_is_kept_as_it_is_written(void **state)
{
	const struct matrix *m;
	struct text_experiment t;

	(void)state;
	load(&t, HEAD "design: {kind: one-at-a-time, base: {e: 3, b: y}}\n"
		      FACTORS "analysis: {baseline: {a: 2}}\n");
	m = only_matrix(&t);
	assert_int_equal(m->kind, DESIGN_ONE_AT_A_TIME);
	assert_int_equal(m->n_base, 2);
	assert_int_equal(m->base[0].factor, 4);
	assert_int_equal(m->base[0].level, 2);
	assert_int_equal(m->base[1].factor, 1);
	assert_int_equal(m->base[1].level, 1);
	text_unload(&t);
}

static void generators_are_signed_products(void **state)
{
	const struct matrix *m;
	struct text_experiment t;

	(void)state;
	load(&t, HEAD "design: {kind: fractional, resolution: 3, generators: "
		      "{d: ' - a * b', c: a*b}}\n"
		      "factors: {a: [1, 2], b: [x, y], c: [1, 2], d: [1, "
		      "2]}\n");
	m = only_matrix(&t);
	assert_int_equal(m->kind, DESIGN_FRACTIONAL);
	assert_int_equal(m->kind_mark.line, 5);
	assert_int_equal(m->kind_mark.column, 10);
	assert_int_equal(m->resolution, 3);
	assert_int_equal(m->n_generators, 2);
	assert_int_equal(m->generators[0].factor, 3);
	assert_true(m->generators[0].negative);
	assert_int_equal(m->generators[0].n, 2);
	assert_int_equal(m->generators[0].of[0], 0);
	assert_int_equal(m->generators[0].of[1], 1);
	assert_int_equal(m->generators[1].factor, 2);
	assert_false(m->generators[1].negative);
	text_unload(&t);
}

static void a_latin_square_has_three_sides(void **state)
{
	const struct latin *l;
	struct text_experiment t;

	(void)state;
	load(&t, HEAD "design: {kind: latin-square, latin: {rows: a, columns: "
		      "c, letters: b}}\n" SQUARE);
	l = &only_matrix(&t)->latin;
	assert_int_equal(l->rows, 0);
	assert_int_equal(l->columns, 2);
	assert_int_equal(l->letters, 1);
	text_unload(&t);
	load(&t, HEAD "design: {kind: latin-square, latin: {rows: host, "
		      "columns: round, letters: a}}\nfactors: {a: [1, 2]}\n");
	l = &only_matrix(&t)->latin;
	assert_int_equal(l->rows, LATIN_HOST);
	assert_int_equal(l->columns, LATIN_ROUND);
	assert_int_equal(l->letters, 0);
	text_unload(&t);
}

static void a_list_is_taken_as_it_is(void **state)
{
	static const uint16_t wanted[] = { 1, 0, 0, DESIGN_ABSENT, 0, 1 };
	const struct matrix *m;
	struct text_experiment t;

	(void)state;
	load(&t, HEAD "design: {kind: list, list: [{b: x, a: 2}, {a: 1}, "
		      "{a: 1, b: y}]}\n" TWO);
	m = only_matrix(&t);
	assert_int_equal(m->kind, DESIGN_LIST);
	assert_int_equal(m->n_list, 3);
	assert_memory_equal(m->list, wanted, sizeof(wanted));
	text_unload(&t);
}

static void a_list_may_be_a_file(void **state)
{
	static const uint16_t wanted[] = { 1, 0, DESIGN_ABSENT, 1, 0, 1 };
	const struct matrix *m;
	struct text_experiment t;

	(void)state;
	load_with(&t, HEAD "design: {kind: list, list: lists/t.csv}\n" TWO,
		  "\xef\xbb\xbf" "b,a\r\nx,2\r\n\"y\",\r\n\r\ny,1");
	m = only_matrix(&t);
	assert_int_equal(m->n_list, 3);
	assert_memory_equal(m->list, wanted, sizeof(wanted));
	assert_int_equal(t.e.files.n, 2);
	assert_string_equal(t.e.files.items[1], "lists/t.csv");
	text_unload(&t);
}

static void a_list_is_looked_for_beside_the_file_that_names_it(void **state)
{
	static const struct text_file files[] = {
		{ "d/x.yaml", HEAD "include: lists/l.yaml\n" TWO },
		{ "d/lists/l.yaml", "design: {kind: list, list: t.csv}\n" },
		{ "d/lists/t.csv", "a,b\n1,x\n" },
		{ NULL, NULL },
	};
	struct text_experiment t;

	(void)state;
	text_load(&t, files, NULL);
	assert_string_equal(t.messages, "");
	assert_int_equal(t.e.matrices[0].n_list, 1);
	assert_string_equal(t.e.files.items[2], "d/lists/t.csv");
	text_unload(&t);
}

static void factors_may_go_along(void **state)
{
	const struct matrix *m;
	struct text_experiment t;

	(void)state;
	load(&t, HEAD "design: {zip: [[a, c], [f, e]]}\n" FACTORS);
	m = only_matrix(&t);
	assert_int_equal(m->n_zips, 2);
	assert_int_equal(m->zips[0].n, 2);
	assert_int_equal(m->zips[0].factors[0], 0);
	assert_int_equal(m->zips[0].factors[1], 2);
	assert_int_equal(m->zips[1].factors[0], 5);
	assert_int_equal(m->zips[1].mark.column, 24);
	text_unload(&t);
}

static bool matches(const struct filter *f, const uint16_t *levels)
{
	struct error err = ERROR_INIT;

	return filter_match(f, levels, &err) == 1;
}

static void filters_may_stand_alone_or_in_a_list(void **state)
{
	static const uint16_t first[] = { 0, 0 }, second[] = { 1, 1 };
	const struct matrix *m;
	struct text_experiment t;

	(void)state;
	load(&t, HEAD "design: {include: a < 3, exclude: [{a: 1, b: [x]}, "
		      "a > 5], only: {b: {when: {a: 2}}}}\n" TWO);
	m = only_matrix(&t);
	assert_int_equal(m->n_include, 1);
	assert_true(matches(m->include[0], first));
	assert_int_equal(m->n_exclude, 2);
	assert_true(matches(m->exclude[0], first));
	assert_false(matches(m->exclude[0], second));
	assert_int_equal(m->n_existences, 1);
	assert_int_equal(m->existences[0].factor, 1);
	assert_false(matches(m->existences[0].when, first));
	assert_true(matches(m->existences[0].when, second));
	text_unload(&t);
}

static void replicates_may_have_a_rule(void **state)
{
	const struct matrix *m;
	struct text_experiment t;

	(void)state;
	load(&t, HEAD "design: {replicates: {min: 3, max: 9, until: {response: "
		      "t, half_width: 2.5%}}}\n" TWO);
	m = only_matrix(&t);
	assert_int_equal(m->replicates, 3);
	assert_int_equal(m->replicates_max, 9);
	assert_string_equal(m->until.response, "t");
	assert_true(m->until.half_width == 0.025);
	assert_true(m->until.confidence == 0.95);
	assert_int_equal(m->until.mark.line, 5);
	text_unload(&t);
	load(&t, HEAD "design: {replicates: {min: 2, max: 2, until: {response: "
		      "b.u, half_width: 1%, confidence: 99%}}}\n" TWO);
	m = only_matrix(&t);
	assert_string_equal(m->until.response, "b.u");
	assert_true(m->until.confidence == 0.99);
	text_unload(&t);
}

static void blocks_are_a_word_or_say_more(void **state)
{
	struct text_experiment t;

	(void)state;
	load(&t, HEAD "design: {blocks: host}\n" TWO);
	assert_int_equal(only_matrix(&t)->blocks, BLOCK_HOST);
	text_unload(&t);
	load(&t, HEAD "design: {blocks: {by: day, rounds: 3}}\n" TWO);
	assert_int_equal(only_matrix(&t)->blocks, BLOCK_DAY);
	assert_int_equal(only_matrix(&t)->rounds_a_day, 3);
	text_unload(&t);
}

struct broken {
	const char *what;
	const char *text;
	const char *messages;
	const char *csv; /* of lists/t.csv */
};

#include "tests/data/spec/broken_design.inc"

static void every_broken_design_gets_its_messages(void **state)
{
	int failures = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		const struct text_file files[] = {
			{ "x.yaml", broken[i].text },
			{ broken[i].csv ? "lists/t.csv" : NULL,
			  broken[i].csv },
			{ NULL, NULL },
		};

		failures += !text_gets(broken[i].what, files, NULL,
				       broken[i].messages);
	}
	assert_int_equal(failures, 0);
}

/* Reads a list of n rows of two factors, one with many levels. */
static int read_long_list(size_t n, struct problems *p)
{
	struct buf text = BUF_INIT, csv = BUF_INIT;
	struct text_experiment t;
	int rc;

	buf_adds(&text, HEAD "design: {kind: list, list: lists/t.csv}\n"
			"factors:\n");
	for (int f = 0; f < 2; f++) {
		buf_addf(&text, "  f%d: [", f);
		for (int i = 0; i < 1010; i++)
			buf_addf(&text, "%d,", i);
		buf_adds(&text, "]\n");
	}
	buf_adds(&csv, "f0,f1\n");
	for (size_t i = 0; i < n; i++)
		buf_addf(&csv, "%zu,%zu\n", i / 1010, i % 1010);
	{
		const struct text_file files[] = {
			{ "x.yaml", text.data },
			{ "lists/t.csv", csv.data },
			{ NULL, NULL },
		};

		text_load(&t, files, NULL);
	}
	rc = t.rc;
	*p = t.p;
	t.p = (struct problems)PROBLEMS_INIT;
	text_unload(&t);
	buf_release(&text);
	buf_release(&csv);
	return rc;
}

static void a_list_has_at_most_a_million_rows(void **state)
{
	struct problems p;

	(void)state;
	assert_int_equal(read_long_list(1000000, &p), 0);
	problems_release(&p);
	assert_int_equal(read_long_list(1000001, &p), -1);
	assert_int_equal(p.n, 1);
	assert_string_equal(p.items[0].file, "lists/t.csv");
	assert_int_equal(p.items[0].line, 1000002);
	assert_string_equal(p.items[0].text,
			    "more than 1000000 rows; at most so many are "
			    "possible");
	problems_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_left_out_has_a_default),
		cmocka_unit_test(a_base_is_kept_as_it_is_written),
		cmocka_unit_test(generators_are_signed_products),
		cmocka_unit_test(a_latin_square_has_three_sides),
		cmocka_unit_test(a_list_is_taken_as_it_is),
		cmocka_unit_test(a_list_may_be_a_file),
		cmocka_unit_test(
			a_list_is_looked_for_beside_the_file_that_names_it),
		cmocka_unit_test(factors_may_go_along),
		cmocka_unit_test(filters_may_stand_alone_or_in_a_list),
		cmocka_unit_test(replicates_may_have_a_rule),
		cmocka_unit_test(blocks_are_a_word_or_say_more),
		cmocka_unit_test(every_broken_design_gets_its_messages),
		cmocka_unit_test(a_list_has_at_most_a_million_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
