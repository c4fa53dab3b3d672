#include "tests/unit/design_example.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/library/library.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/resolver.h"
#include "stats/fraction.h"

#define HEAD                                                                \
	"assay: 1\nexperiment: x\nhosts: {one: {ssh: one}, two: {ssh: two}}\n" \
	"roles: {sut: [one, two]}\n"                                        \
	"benchmarks:\n"                                                     \
	"  read: {run: r, responses: {t: {regex: .+, uom: s}}}\n"           \
	"  write: {run: w, responses: {t: {regex: .+, uom: s}}}\n"

struct lab {
	struct experiment e;
	struct expansion x;
	struct problems p;
	int rc;
};

/* The rest of the file: factors, design, matrices; lines 8 and on. */
static void setup(struct lab *l, const char *rest)
{
	char *text = mem_printf("%s%s", HEAD, rest);
	struct resolver resolver;
	struct library lib;

	*l = (struct lab){ .p = PROBLEMS_INIT };
	library_init(&lib, "tests/data/spec", NULL);
	resolver = library_resolver(&lib);
	if (experiment_parse(&l->e, "x.yaml", text, strlen(text), &resolver,
			     NULL, &l->p))
		fail_msg("%u: %s", l->p.items[0].line, l->p.items[0].text);
	l->rc = expansion_make(&l->x, &l->e, &l->p);
	library_release(&lib);
	free(text);
}

static void teardown(struct lab *l)
{
	expansion_release(&l->x);
	experiment_release(&l->e);
	problems_release(&l->p);
}

static void assert_expands(const char *rest, const char *want,
			   size_t n_excluded)
{
	struct buf text = BUF_INIT;
	struct lab l;

	setup(&l, rest);
	if (l.rc)
		fail_msg("%u: %s", l.p.items[0].line, l.p.items[0].text);
	rows_text(&l.x.design, &text);
	assert_string_equal(text.data, want);
	assert_int_equal(l.x.n_excluded, n_excluded);
	buf_release(&text);
	teardown(&l);
}

/* "line:column: text" for each problem. */
static void assert_problems(const char *rest, const char *want)
{
	struct buf text = BUF_INIT;
	struct lab l;

	setup(&l, rest);
	assert_int_equal(l.rc, -1);
	problems_sort(&l.p);
	for (size_t i = 0; i < l.p.n; i++) {
		assert_string_equal(l.p.items[i].file, "x.yaml");
		buf_addf(&text, "%u:%u: %s\n", l.p.items[i].line,
			 l.p.items[i].column, l.p.items[i].text);
	}
	assert_string_equal(text.data, want);
	buf_release(&text);
	teardown(&l);
}

#define FACTORS                                                             \
	"factors: {platform: [native, docker, lxc], storage: [dir, zvol], " \
	"threads: [1, 4]}\n"

static void one_matrix_is_the_design_itself(void **state)
{
	struct lab l;

	(void)state;
	setup(&l, FACTORS);
	assert_int_equal(l.rc, 0);
	assert_true(l.x.design.odometer);
	assert_int_equal(l.x.design.n_treatments, 12);
	assert_int_equal(l.x.n_shares, 1);
	assert_null(l.x.shares[0].treatments);
	assert_int_equal(l.x.shares[0].n_treatments, 12);
	assert_int_equal(expansion_treatment(&l.x, 0, 7), 7);
	teardown(&l);
}

static void filters_zips_and_conditions_shape_it(void **state)
{
	(void)state;
	assert_expands(FACTORS
		       "design:\n"
		       "  only: {storage: {when: {platform: [docker, lxc]}}}\n"
		       "  exclude: [{platform: docker, storage: zvol}, "
		       "'platform == lxc and threads > 1']\n",
		       "0-0 0-1 100 101 200 210", 4);
	assert_expands(FACTORS
		       "design: {include: [{platform: native, threads: 4}, "
		       "{platform: lxc}], exclude: [{storage: zvol}]}\n",
		       "001 200 201", 7 + 2);
	assert_expands(FACTORS "design: {zip: [[storage, threads]]}\n",
		       "000 011 100 111 200 211", 0);
}

static void an_excluded_treatment_is_counted_once(void **state)
{
	(void)state;
	assert_expands(FACTORS
		       "design: {exclude: [{platform: [docker, lxc]}, "
		       "{threads: 4}, {storage: zvol, threads: 4}]}\n",
		       "000 010", 8 + 2);
}

static void other_kinds_take_their_parts_from_the_file(void **state)
{
	(void)state;
	assert_expands(FACTORS
		       "design: {kind: one-at-a-time, base: {threads: 4}}\n"
		       "analysis: {baseline: {platform: docker}}\n",
		       "101 001 201 111 100", 0);
	assert_expands(FACTORS
		       "design: {kind: one-at-a-time, base: {threads: 4}, "
		       "zip: [[storage, threads]]}\n"
		       "analysis: {baseline: {storage: dir}}\n",
		       "011 111 211 000", 0);
	assert_expands("factors: {a: [x, y], b: [x, y], c: [x, y]}\n"
		       "design: {kind: fractional, generators: {c: -a*b}}\n",
		       "000 011 101 110", 0);
	assert_expands(FACTORS
		       "design:\n  kind: list\n  list:\n"
		       "  - {platform: lxc, storage: zvol, threads: 1}\n"
		       "  - {platform: native, threads: 4}\n",
		       "210 0-1", 0);
}

static void assert_centre(const char *design, const char *want)
{
	char *rest = mem_printf(FACTORS "%s", design);
	size_t centre;
	struct lab l;

	setup(&l, rest);
	assert_int_equal(l.rc, 0);
	if (!expansion_centre(&l.x, 0, &centre)) {
		assert_string_equal(want, "none");
	} else {
		struct buf key = BUF_INIT;

		treatment_key(&l.x.design, centre, &key);
		assert_string_equal(key.data, want);
		buf_release(&key);
	}
	teardown(&l);
	free(rest);
}

static void one_at_a_time_has_a_centre(void **state)
{
	(void)state;
	assert_centre("design: {kind: one-at-a-time}\n",
		      "platform=native,storage=dir,threads=1");
	assert_centre("design: {kind: one-at-a-time, base: {threads: 4, "
		      "platform: lxc}, only: {storage: {when: {platform: "
		      "docker}}}}\n", "platform=lxc,threads=4");
	assert_centre("design: {kind: one-at-a-time, base: {threads: 4}, zip: "
		      "[[storage, threads]]}\n",
		      "platform=native,storage=zvol,threads=4");
	assert_centre("design: {kind: one-at-a-time, exclude: [{platform: "
		      "native, storage: dir, threads: 1}]}\n", "none");
	assert_centre("design: {kind: full-factorial}\n", "none");
}

static void filters_may_ask_for_absence(void **state)
{
	(void)state;
	assert_expands(FACTORS
		       "design:\n"
		       "  only: {storage: {when: {platform: [docker, lxc]}}}\n"
		       "  exclude: [{storage: '-', threads: 4}, {storage: "
		       "zvol}]\n",
		       "0-0 100 101 200 201", 5);
	assert_expands(FACTORS
		       "design:\n"
		       "  only: {storage: {when: {platform: [docker, lxc]}}, "
		       "threads: {when: {storage: '-'}}}\n",
		       "0-0 0-1 10- 11- 20- 21-", 0);
}

static void a_square_is_drawn_from_the_seed_in_the_file(void **state)
{
	static const char square[] =
		"factors: {a: [1, 2, 3, 4], b: [1, 2, 3, 4], c: [1, 2, 3, 4]}"
		"\ndesign: {kind: latin-square, latin: {rows: a, columns: b, "
		"letters: c}%s}\n";
	char *none = mem_printf(square, "");
	char *zero = mem_printf(square, ", order: {seed: 0}");
	char *seeded = mem_printf(square, ", order: {seed: 42}");
	struct lab l;

	(void)state;
	setup(&l, none);
	assert_int_equal(l.rc, -1);
	assert_non_null(strstr(l.p.items[0].text, "is drawn from a seed that "
						  "stays"));
	teardown(&l);
	assert_expands(zero, "001 010 023 032 103 112 121 130 "
			     "200 213 222 231 302 311 320 333", 0);
	assert_expands(seeded, "003 012 020 031 102 113 121 130 "
			       "200 211 222 233 301 310 323 332", 0);
	free(none);
	free(zero);
	free(seeded);
}

static void matrices_are_united_and_not_crossed(void **state)
{
	struct buf text = BUF_INIT;
	struct lab l;
	bool *reads;

	(void)state;
	setup(&l, FACTORS
	      "matrices:\n"
	      "  scale: {factors: [platform, threads], benchmarks: read}\n"
	      "  disks: {factors: [platform, storage, threads], "
	      "benchmarks: write, design: {exclude: {threads: 4}}}\n"
	      "  again: {factors: [threads, platform], benchmarks: write, "
	      "design: {include: [{platform: lxc}]}}\n");
	assert_int_equal(l.rc, 0);
	rows_text(&l.x.design, &text);
	assert_string_equal(text.data, "0-0 0-1 1-0 1-1 2-0 2-1 "
				       "000 010 100 110 200 210");
	assert_int_equal(l.x.design.kind, DESIGN_LIST);
	assert_int_equal(l.x.n_shares, 3);
	assert_int_equal(l.x.n_excluded, 6 + 4);
	assert_int_equal(l.x.shares[0].n_treatments, 6);
	assert_int_equal(l.x.shares[1].n_treatments, 6);
	assert_int_equal(l.x.shares[2].n_treatments, 2);
	assert_int_equal(expansion_treatment(&l.x, 1, 2), 8);
	assert_int_equal(expansion_treatment(&l.x, 2, 0), 4);
	assert_int_equal(expansion_treatment(&l.x, 2, 1), 5);
	reads = expansion_measures(&l.x, 0);
	for (size_t t = 0; t < 12; t++)
		assert_int_equal(reads[t], t < 6);
	free(reads);
	reads = expansion_measures(&l.x, 1);
	for (size_t t = 0; t < 12; t++)
		assert_int_equal(reads[t], t >= 4);
	free(reads);
	assert_false(expansion_varies(&l.x, 0, 1));
	assert_true(expansion_varies(&l.x, 0, 2));
	assert_true(expansion_varies(&l.x, 1, 1));
	buf_release(&text);
	teardown(&l);
}

static void what_leaves_nothing_is_named(void **state)
{
	(void)state;
	assert_problems(FACTORS
			"design:\n"
			"  exclude:\n"
			"  - {threads: 4}\n"
			"  - platform != native or threads == 1\n",
			"11:5: no treatment is left: this `exclude` drops 6 "
			"combinations, the one at line 12 another 6\n");
	assert_problems(FACTORS
			"design: {exclude: 'threads > 0'}\n",
			"9:19: no treatment is left: this `exclude` drops all "
			"12 combinations\n");
	assert_problems(FACTORS
			"matrices:\n"
			"  a: {}\n"
			"  b: {factors: threads, design: {include: "
			"threads > 9}}\n",
			"11:43: no treatment is left in matrix \"b\": this "
			"`include` drops all 2 combinations\n");
}

static void a_condition_that_never_holds_is_named(void **state)
{
	(void)state;
	assert_problems(FACTORS
			"matrices:\n"
			"  a: {factors: [storage, threads], design: {only: "
			"{storage: {when: threads > 4}}}}\n"
			"  b: {}\n",
			"10:68: factor \"storage\" exists in no treatment in "
			"matrix \"a\": this condition never holds\n");
}

static void more_runs_than_can_be_made_are_refused(void **state)
{
	(void)state;
	assert_problems("factors: {a: {range: [1, 2000], step: 1}, "
			"b: {range: [1, 2000], step: 1}}\n"
			"design: {exclude: 'a == b', replicates: 10}\n",
			"9:29: too many runs: more than 500000 treatments "
			"with 20 runs each; at most 10000000 runs are "
			"possible in all\n");
	/* 20 * 450,000 and then 20 * 100,000, the second is one too many */
	assert_problems("factors: {a: {range: [1, 1000], step: 1}, "
			"b: {range: [1, 450], step: 1}}\n"
			"design: {replicates: 10}\n"
			"matrices: {all: {}, more: {factors: b, design: "
			"{replicates: 1000, blocks: host}}}\n",
			"10:49: too many runs in matrix \"more\": more than "
			"250 treatments with 4000 runs each; at most "
			"10000000 runs are possible in all\n");
}

static void a_resolution_is_asked_for_and_told(void **state)
{
	static const char factors[] =
		"factors: {a: [x, y], b: [x, y], c: [x, y], d: [x, y], "
		"e: [x, y]}\n";
	char *weak = mem_printf("%s%s", factors,
				"design: {kind: fractional, resolution: 4, "
				"generators: {d: a*b, e: a*c}}\n");
	char *good = mem_printf("%s%s", factors,
				"design: {kind: fractional, resolution: 5, "
				"generators: {e: a*b*c*d}}\n");
	struct error err = ERROR_INIT;
	struct fraction f;
	struct lab l;

	(void)state;
	assert_problems(weak, "9:10: the generators give resolution III, "
			      "below the IV that is asked for: I = a*b*d = "
			      "a*c*e = b*c*d*e\n");
	setup(&l, good);
	assert_int_equal(l.rc, 0);
	assert_int_equal(l.x.design.n_treatments, 16);
	assert_int_equal(expansion_fraction(&l.x, 0, &f, &err), 0);
	assert_int_equal(f.resolution, 5);
	fraction_release(&f);
	teardown(&l);
	free(weak);
	free(good);
}

static void an_expression_without_a_value_is_named(void **state)
{
	(void)state;
	assert_problems(FACTORS
			"design:\n"
			"  include:\n"
			"  - {platform: native}\n"
			"  - platform * 2 > threads\n",
			"12:5: platform is \"docker\", which is no number\n");
	assert_problems(FACTORS
			"design: {exclude: [{threads: 4}, "
			"'platform * 2 > threads']}\n",
			"9:35: platform is \"native\", which is no number\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_matrix_is_the_design_itself),
		cmocka_unit_test(filters_zips_and_conditions_shape_it),
		cmocka_unit_test(an_excluded_treatment_is_counted_once),
		cmocka_unit_test(other_kinds_take_their_parts_from_the_file),
		cmocka_unit_test(one_at_a_time_has_a_centre),
		cmocka_unit_test(filters_may_ask_for_absence),
		cmocka_unit_test(a_square_is_drawn_from_the_seed_in_the_file),
		cmocka_unit_test(matrices_are_united_and_not_crossed),
		cmocka_unit_test(what_leaves_nothing_is_named),
		cmocka_unit_test(a_condition_that_never_holds_is_named),
		cmocka_unit_test(more_runs_than_can_be_made_are_refused),
		cmocka_unit_test(a_resolution_is_asked_for_and_told),
		cmocka_unit_test(an_expression_without_a_value_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
