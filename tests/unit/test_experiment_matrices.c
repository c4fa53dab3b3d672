#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/mem.h"
#include "orchestrate/spec/matrix.h"
#include "tests/unit/experiment_text.h"

/* Lines 1 to 7. */
#define HEAD                                                                \
	"assay: 1\nexperiment: x\nhosts: {here: local}\n"                   \
	"benchmarks:\n"                                                     \
	"  fio: {tags: [disk, slow], run: echo, responses: &r {t: {regex: " \
	".+, uom: s, better: lower}}}\n"                                    \
	"  net: {tags: net, run: echo, responses: *r}\n"                    \
	"factors: {a: [1, 2], b: [x, y], c: [1, 2, 3]}\n"
#define MATRICES                                                            \
	"matrices:\n"                                                       \
	"  one: {factors: [b, a], benchmarks: fio}\n"                       \
	"  two: {factors: c, benchmarks: [net], tags: [long]}\n"

static void load(struct text_experiment *t, const char *text,
		 const struct experiment_options *options)
{
	const struct text_file files[] = { { "x.yaml", text },
					   { NULL, NULL } };

	text_load(t, files, options);
	assert_string_equal(t->messages, "");
	assert_int_equal(t->rc, 0);
}

static void matrices_have_some_factors_and_benchmarks(void **state)
{
	const struct matrix *m;
	struct text_experiment t;

	(void)state;
	load(&t, HEAD MATRICES "  three: {}\n", NULL);
	m = t.e.matrices;
	assert_int_equal(t.e.n_matrices, 3);
	assert_string_equal(m[0].name, "one");
	assert_int_equal(m[0].mark.line, 9);
	assert_int_equal(m[0].n_factors, 2);
	assert_int_equal(m[0].factors[0], 0);
	assert_int_equal(m[0].factors[1], 1);
	assert_int_equal(m[0].n_benchmarks, 1);
	assert_int_equal(m[0].benchmarks[0], 0);
	assert_int_equal(m[1].n_factors, 1);
	assert_int_equal(m[1].factors[0], 2);
	assert_int_equal(m[1].benchmarks[0], 1);
	assert_int_equal(m[1].tags.n, 1);
	assert_string_equal(m[1].tags.items[0], "long");
	assert_int_equal(m[2].n_factors, 3);
	assert_int_equal(m[2].n_benchmarks, 2);
	text_unload(&t);
}

static void a_matrix_may_have_no_factor(void **state)
{
	struct text_experiment t;

	(void)state;
	load(&t, HEAD "matrices: {m: {factors: []}}\n", NULL);
	assert_int_equal(t.e.matrices[0].n_factors, 0);
	text_unload(&t);
}

static void each_design_goes_over_that_of_all(void **state)
{
	const struct matrix *m;
	struct text_experiment t;

	(void)state;
	load(&t,
	     HEAD "design: {replicates: 4, blocks: host, zip: [[a, b]], "
		  "order: {kind: as-written, seed: 7}}\n"
		  "matrices:\n"
		  "  one: {factors: [a, b]}\n"
		  "  two:\n"
		  "    design: {replicates: 2, zip: , order: {kind: "
		  "randomized}, kind: one-at-a-time}\n", NULL);
	m = t.e.matrices;
	assert_int_equal(m[0].replicates, 4);
	assert_int_equal(m[0].blocks, BLOCK_HOST);
	assert_int_equal(m[0].n_zips, 1);
	assert_int_equal(m[0].order, ORDER_AS_WRITTEN);
	assert_int_equal(m[0].replicates_mark.line, 8);
	assert_int_equal(m[1].replicates, 2);
	assert_int_equal(m[1].blocks, BLOCK_HOST);
	assert_int_equal(m[1].n_zips, 0);
	assert_int_equal(m[1].order, ORDER_RANDOMIZED);
	assert_int_equal(m[1].kind, DESIGN_ONE_AT_A_TIME);
	assert_int_equal(m[1].replicates_mark.line, 12);
	assert_true(t.e.seed_given);
	assert_int_equal(t.e.seed, 7);
	text_unload(&t);
}

static void a_chart_may_leave_out_what_its_matrices_do_not_have(void **state)
{
	struct text_experiment t;

	(void)state;
	load(&t,
	     HEAD MATRICES
	     "charts: {c: {kind: bars, benchmark: net, x: c, y: t}}\n"
	     "tables: {d: {benchmark: fio, y: t, rows: [a], where: {b: x}}}\n",
	     NULL);
	assert_int_equal(t.e.charts[0].x, 2);
	text_unload(&t);
}

static void a_chart_may_leave_out_what_goes_along(void **state)
{
	struct text_experiment t;

	(void)state;
	load(&t,
	     HEAD "design: {zip: [[a, b]]}\n"
		  "charts: {c: {kind: bars, benchmark: net, x: c, series: b, "
		  "y: t}}\n"
		  "tables: {d: {benchmark: net, y: t, rows: c, where: {a: "
		  "1}}}\n", NULL);
	text_unload(&t);
}

static void what_no_matrix_has_gets_a_warning(void **state)
{
	struct buf got = BUF_INIT;
	struct text_experiment t;

	(void)state;
	load(&t,
	     HEAD "matrices: {m: {factors: a, benchmarks: fio}, n: {factors: "
		  "b, benchmarks: fio}}\n", NULL);
	for (size_t i = 0; i < t.e.warnings.n; i++)
		buf_addf(&got, "%s\n", t.e.warnings.items[i]);
	assert_string_equal(
		got.data,
		"x.yaml:7:33: factor \"c\" is in no matrix: nothing varies "
		"it\n"
		"x.yaml:6:3: benchmark \"net\" is in no matrix: it is not "
		"measured\n");
	buf_release(&got);
	text_unload(&t);
}

static void assert_left(const char *text, const char *tags, const char *left)
{
	const struct experiment_options options = { .tags = tags };
	struct buf got = BUF_INIT;
	struct text_experiment t;

	load(&t, text, &options);
	for (size_t i = 0; i < t.e.n_matrices; i++) {
		const struct matrix *m = &t.e.matrices[i];

		buf_addf(&got, "%s:", m->name);
		for (size_t k = 0; k < m->n_benchmarks; k++)
			buf_addf(&got, " %s",
				 t.e.benchmarks[m->benchmarks[k]].name);
		buf_adds(&got, "; ");
	}
	assert_string_equal(got.data, left);
	assert_int_equal(t.e.n_benchmarks, 2);
	buf_release(&got);
	text_unload(&t);
}

static void tags_choose_benchmarks_and_matrices(void **state)
{
	static const char text[] = HEAD MATRICES "  three: {}\n";

	(void)state;
	assert_left(text, "disk", "one: fio; three: fio; ");
	assert_left(text, "not disk", "two: net; three: net; ");
	assert_left(text, "long", "two: net; ");
	assert_left(text, "long and net", "two: net; ");
	assert_left(text, "not long", "one: fio; three: fio net; ");
	assert_left(text, "slow or long", "one: fio; two: net; three: fio; ");
	assert_left(HEAD, "net", ": net; ");
}

static void charts_of_what_tags_leave_out_stay(void **state)
{
	(void)state;
	assert_left(HEAD MATRICES
		    "charts: {c: {kind: bars, benchmark: net, x: c, y: t}}\n",
		    "disk", "one: fio; ");
}

struct broken {
	const char *what;
	const char *text;
	const char *messages;
	const char *tags;
};

#include "tests/data/spec/broken_matrices.inc"

static void every_broken_matrix_gets_its_messages(void **state)
{
	int failures = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		const struct experiment_options options = {
			.tags = broken[i].tags,
		};
		const struct text_file files[] = {
			{ "x.yaml", broken[i].text },
			{ NULL, NULL },
		};

		failures += !text_gets(broken[i].what, files, &options,
				       broken[i].messages);
	}
	assert_int_equal(failures, 0);
}

/* n matrices whose merged design has more than 100 values. */
static void load_many(struct text_experiment *t, int n)
{
	struct buf text = BUF_INIT;

	buf_adds(&text, HEAD "design:\n  replicates: 5\n  exclude:\n");
	for (int i = 0; i < 94; i++)
		buf_adds(&text, "    - a > 9\n");
	buf_adds(&text, "matrices:\n");
	for (int i = 0; i < n; i++)
		buf_addf(&text, "  m%d: {design: {blocks: host}}\n", i);
	{
		const struct text_file files[] = { { "x.yaml", text.data },
						   { NULL, NULL } };

		text_load(t, files, NULL);
	}
	buf_release(&text);
}

static void what_merging_costs_is_bounded(void **state)
{
	struct text_experiment t;

	(void)state;
	/* 97 values of all and 2 of its own: the design, and the exclusions,
	 * their list and the replicates */
	load_many(&t, 1010);
	assert_string_equal(t.messages, "");
	text_unload(&t);
	load_many(&t, 1011);
	assert_string_equal(t.messages,
			    "1116:3: up to matrix \"m1010\", the designs of "
			    "all matrices together are too large: at most "
			    "100000 values\n");
	text_unload(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(matrices_have_some_factors_and_benchmarks),
		cmocka_unit_test(a_matrix_may_have_no_factor),
		cmocka_unit_test(each_design_goes_over_that_of_all),
		cmocka_unit_test(
			a_chart_may_leave_out_what_its_matrices_do_not_have),
		cmocka_unit_test(a_chart_may_leave_out_what_goes_along),
		cmocka_unit_test(what_no_matrix_has_gets_a_warning),
		cmocka_unit_test(tags_choose_benchmarks_and_matrices),
		cmocka_unit_test(charts_of_what_tags_leave_out_stay),
		cmocka_unit_test(every_broken_matrix_gets_its_messages),
		cmocka_unit_test(what_merging_costs_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
