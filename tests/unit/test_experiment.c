#include "tests/unit/spec_fixture.h"

#include "tests/data/spec/broken.inc"

static void every_broken_file_gets_its_messages(void **state)
{
	(void)state;
	assert_broken(broken, N_ITEMS(broken));
}

static void factors_are_read_with_their_definition(void **state)
{
	const struct factor *f;
	const struct factor_use *u;
	struct loaded l;

	(void)state;
	load(&l, full);
	f = l.e.factors;
	u = l.e.uses;
	assert_int_equal(l.e.n_factors, 2);
	assert_string_equal(f[0].name, "place");
	assert_string_equal(localized_get(&f[0].label, "fi"), "Paikka");
	assert_true(f[0].hard);
	assert_int_equal(f[0].n_levels, 2);
	assert_string_equal(f[0].levels[0].name, "on");
	assert_string_equal(localized_get(&f[0].levels[0].label, "en"), "On");
	assert_string_equal(u[0].levels[0].vars[0].name, "power");
	assert_string_equal(u[0].levels[0].vars[0].value, "230");
	assert_int_equal(u[0].levels[1].n_vars, 0);
	assert_string_equal(u[0].definition, "switch");
	assert_string_equal(u[0].treatment.def->verify, "[ \"$(cat \"$file\")\" = "
			    "\"$level\" ]");
	assert_true(u[0].treatment.def->cost == 0.5);
	assert_true(u[0].treatment.def->timeout == 60);
	assert_int_equal(u[0].treatment.n_params, 2);
	assert_int_equal(u[0].treatment.n_given, 1);
	assert_string_equal(u[0].treatment.params[0].name, "file");
	assert_string_equal(u[0].treatment.params[0].value, "/tmp/switch");
	assert_string_equal(u[0].treatment.params[1].name, "mode");
	assert_string_equal(u[0].treatment.params[1].value, "644");
	assert_false(f[1].hard);
	assert_null(u[1].treatment.def);
	assert_int_equal(u[1].treatment.n_params, 0);
	unload(&l);
}

static void levels_keep_their_text_as_written(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, full);
	assert_int_equal(l.e.factors[1].n_levels, 4);
	assert_string_equal(l.e.factors[1].levels[0].name, "0x10");
	assert_string_equal(l.e.factors[1].levels[1].name, "1.0");
	assert_string_equal(l.e.factors[1].levels[2].name, "yes");
	assert_string_equal(l.e.factors[1].levels[3].name, "~");
	unload(&l);
}

static void design_analysis_and_report_are_read(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, full);
	assert_string_equal(l.e.name, "full");
	assert_string_equal(localized_get(&l.e.title, "fi"), "Kaikki");
	assert_string_equal(localized_get(&l.e.description, "fi"),
			    "Every key there is.");
	assert_int_equal(l.e.matrices[0].replicates, 5);
	assert_int_equal(l.e.matrices[0].blocks, BLOCK_ROUND);
	assert_int_equal(l.e.matrices[0].order, ORDER_AS_WRITTEN);
	assert_true(l.e.seed_given);
	assert_true(l.e.seed == UINT64_MAX);
	assert_int_equal(l.e.n_baseline, 1);
	assert_int_equal(l.e.baseline[0].factor, 0);
	assert_int_equal(l.e.baseline[0].level, 1);
	assert_true(l.e.margin == 0.025);
	assert_string_equal(l.e.report_template, "thesis");
	assert_string_equal(l.e.report_language, "en");
	assert_int_equal(l.e.report_template_mark.line, 43);
	unload(&l);
}

static void charts_and_tables_are_read(void **state)
{
	const struct table_spec *t;
	const struct chart *c;
	struct loaded l;

	(void)state;
	load(&l, full);
	c = l.e.charts;
	assert_int_equal(l.e.n_charts, 1);
	assert_string_equal(c->name, "c");
	assert_int_equal(c->kind, CHART_BARS);
	assert_string_equal(localized_get(&c->title, "en"), "C");
	assert_int_equal(c->benchmark, 0);
	assert_int_equal(c->response, 1);
	assert_int_equal(c->x, 0);
	assert_int_equal(c->series, 1);
	assert_true(c->level == 0.99);
	t = l.e.tables;
	assert_int_equal(l.e.n_tables, 2);
	assert_int_equal(t[0].benchmark, 1);
	assert_int_equal(t[0].n_rows, 1);
	assert_int_equal(t[0].columns, -1);
	assert_int_equal(t[0].n_where, 1);
	assert_int_equal(t[0].where[0].factor, 1);
	assert_int_equal(t[0].where[0].level, 2);
	assert_int_equal(t[0].cell, CELL_MEAN_SD);
	assert_int_equal(t[1].n_rows, 2);
	assert_int_equal(t[1].rows[0], 1);
	assert_int_equal(t[1].cell, CELL_MEDIAN_CI);
	assert_true(t[1].level == 0.90);
	unload(&l);
}

static void what_is_left_out_has_a_default(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, HEAD BENCH "factors: {a: [1, 2]}\n"
			    "charts: {c: {kind: bars, x: a, y: t}}\n"
			    "tables: {d: {y: t, rows: a}}\n");
	assert_string_equal(localized_get(&l.e.title, "en"), "x");
	assert_string_equal(l.e.roles[0].name, "sut");
	assert_int_equal(l.e.roles[0].n_hosts, 1);
	assert_string_equal(l.e.benchmarks[0].role, "sut");
	assert_true(l.e.benchmarks[0].timeout == 600);
	assert_int_equal(l.e.matrices[0].replicates, 1);
	assert_int_equal(l.e.matrices[0].blocks, BLOCK_ROUND);
	assert_int_equal(l.e.matrices[0].order, ORDER_RANDOMIZED);
	assert_false(l.e.seed_given);
	assert_true(l.e.margin == 0.01);
	assert_int_equal(l.e.charts[0].benchmark, 0);
	assert_int_equal(l.e.charts[0].series, -1);
	assert_true(l.e.charts[0].level == 0.95);
	assert_int_equal(l.e.tables[0].cell, CELL_MEAN_CI);
	assert_true(l.e.tables[0].level == 0.95);
	assert_string_equal(l.e.report_template, "default");
	assert_string_equal(l.e.report_language, "en");
	assert_string_equal(l.e.dir, ".");
	unload(&l);
}

static void a_treatment_lends_its_levels(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, HEAD BENCH "factors: {f: {use: switch, params: {file: x}}}\n");
	assert_int_equal(l.e.factors[0].n_levels, 2);
	assert_string_equal(l.e.factors[0].levels[1].name, "off");
	unload(&l);
}

static void a_factor_may_be_named_as_a_parameter_of_a_benchmark(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, HEAD "factors: {n: [1, 2]}\n"
		      "benchmarks: {b: {use: count, with: {unit: x}}}\n");
	unload(&l);
}

static void no_factors_is_one_treatment(void **state)
{
	struct loaded l;

	(void)state;
	load(&l, HEAD BENCH "factors: {}\ntables: {t: {y: t}}\n");
	assert_int_equal(l.e.n_factors, 0);
	assert_int_equal(l.e.tables[0].n_rows, 0);
	unload(&l);
}

static void what_is_legal_but_unwise_gets_a_warning(void **state)
{
	(void)state;
	assert_warnings(
		HEAD "design: {replicates: 2}\n"
		     "factors: {a: [1], nic: [x, y]}\n"
		     "benchmarks:\n"
		     "  b:\n"
		     "    run: echo\n"
		     "    responses:\n"
		     "      plain: {json: .}\n"
		     "      no-uom: {json: ., better: lower}\n"
		     "      no-better: {json: ., uom: s}\n",
		"x.yaml:10:7: response \"plain\" has no \"uom\" (unit of "
		"measure) and no \"better\" (higher or lower)\n"
		"x.yaml:11:7: response \"no-uom\" has no \"uom\" (unit of "
		"measure)\n"
		"x.yaml:12:7: response \"no-better\" has no \"better\" "
		"(higher or lower)\n");
	assert_warnings(
		"assay: 1\nexperiment: x\n"
		"hosts: {a: {ssh: a, env: {f: 1}}, b: local}\n" BENCH
		"roles: {sut: a}\nfactors: {f: [1, 2]}\n"
		"design: {replicates: 3}\n",
		"x.yaml:3:9: host \"a\": the variable \"f\" is not used, the "
		"factor \"f\" sets it\n"
		"x.yaml:3:35: host \"b\" has no role: it is not used\n");
	assert_warnings(
		HEAD "design: {replicates: 3}\n"
		     "factors: {s: {use: switch, file: x}}\n"
		     "benchmarks: {b: {run: echo, with: {file: y}, responses: "
		     "{t: {json: ., uom: s, better: lower}}}}\n",
		"x.yaml:6:14: benchmark \"b\" gives a value to \"file\", a "
		"parameter of the treatment of factor \"s\": is it the "
		"same?\n");
}

static void problems_of_an_earlier_file_do_not_count(void **state)
{
	struct problems p = PROBLEMS_INIT;
	struct experiment e;

	(void)state;
	problems_add(&p, (struct mark){ .file = "other.yaml" }, "bad");
	assert_int_equal(parse(&e, full, &p), 0);
	experiment_release(&e);
	assert_int_equal(parse(&e, "", &p), -1);
	experiment_release(&e);
	assert_int_equal(p.total, 2);
	problems_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_broken_file_gets_its_messages),
		cmocka_unit_test(factors_are_read_with_their_definition),
		cmocka_unit_test(levels_keep_their_text_as_written),
		cmocka_unit_test(design_analysis_and_report_are_read),
		cmocka_unit_test(charts_and_tables_are_read),
		cmocka_unit_test(what_is_left_out_has_a_default),
		cmocka_unit_test(a_treatment_lends_its_levels),
		cmocka_unit_test(
			a_factor_may_be_named_as_a_parameter_of_a_benchmark),
		cmocka_unit_test(no_factors_is_one_treatment),
		cmocka_unit_test(what_is_legal_but_unwise_gets_a_warning),
		cmocka_unit_test(problems_of_an_earlier_file_do_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
