#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/library/library.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/treatment_def.h"

static int parse(struct experiment *e, const char *text, struct problems *p)
{
	struct resolver resolver;
	struct library l;
	int rc;

	library_init(&l, "tests/data/spec", NULL);
	resolver = library_resolver(&l);
	rc = experiment_parse(e, "x.yaml", text, strlen(text), &resolver, NULL,
			      p);
	library_release(&l);
	return rc;
}

/* "line:column: text" per problem; those in other files with their name. */
static char *listing(const struct problems *p)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < p->n; i++) {
		const struct problem *x = &p->items[i];

		if (strcmp(x->file, "x.yaml"))
			buf_addf(&out, "%s:", x->file);
		buf_addf(&out, "%u:%u: %s\n", x->line, x->column, x->text);
	}
	return buf_detach(&out);
}

/* Lines 1 to 3, and 4 to 5, of most cases. */
#define HEAD "assay: 1\nexperiment: x\nhosts: {here: local}\n"
#define BENCH                                                               \
	"benchmarks:\n"                                                     \
	"  b: {run: echo 1, responses: {t: {regex: .+, uom: s, better: "    \
	"lower}}}\n"
#define FACTORS "factors: {a: [1, 2], b: [x, y], c: [z]}\n"

struct broken {
	const char *what;
	const char *text;
	const char *problems;
};

#include "tests/data/spec/broken.inc"

static void every_broken_file_gets_its_messages(void **state)
{
	int failures = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		struct problems p = PROBLEMS_INIT;
		struct experiment e;
		int rc = parse(&e, broken[i].text, &p);
		char *got = listing(&p);

		if (rc != -1 || strcmp(got, broken[i].problems)) {
			fprintf(stderr, "%s:\n--- wanted\n%s--- got (%d)\n%s",
				broken[i].what, broken[i].problems, rc, got);
			failures++;
		}
		free(got);
		experiment_release(&e);
		problems_release(&p);
	}
	assert_int_equal(failures, 0);
}

/* The text of a good file; whoever adds a key to the grammar adds it here. */
static const char full[] =
	"assay: 1\n"
	"experiment: full\n"
	"title: {en: All keys, fi: Kaikki}\n"
	"description: Every key there is.\n"
	"hosts:\n"
	"  one: {ssh: first, config: cfg, shares: box, user: me, port: 2222,\n"
	"        env: {nic: eth0, empty: ''}}\n"
	"  two: {address: 10.0.0.2, key: id, known_hosts: kh}\n"
	"  three: local\n"
	"roles: {sut: [two, one]}\n"
	"factors:\n"
	"  place:\n"
	"    use: switch\n"
	"    label: {en: Place, fi: Paikka}\n"
	"    change: hard\n"
	"    levels:\n"
	"      - {name: 'on', label: On, set: {power: 230}}\n"
	"      - 'off'\n"
	"    file: /tmp/switch\n"
	"  size: [0x10, 1.0, yes, ~]\n"
	"design:\n"
	"  kind: full-factorial\n"
	"  replicates: 5\n"
	"  order: {kind: as-written, seed: 18446744073709551615}\n"
	"benchmarks:\n"
	"  counting: {use: count, with: {unit: sheep}, needs: [wc, awk]}\n"
	"  inline:\n"
	"    label: Inline\n"
	"    run: {role: sut, script: echo 1, timeout: 1.5h}\n"
	"    with: {x: 0x10}\n"
	"    needs: echo\n"
	"    responses:\n"
	"      rate: {json: .rate, uom: 1/s, better: higher, label: Rate}\n"
	"analysis: {baseline: {place: 'off'}, margin: 2.5%}\n"
	"charts:\n"
	"  c: {kind: bars, title: C, benchmark: counting, x: place, y: lines,\n"
	"      series: size, interval: ci99}\n"
	"tables:\n"
	"  t: {title: T, benchmark: inline, y: rate, rows: place,\n"
	"      where: {size: yes}, cell: mean-sd}\n"
	"  u: {benchmark: inline, y: rate, rows: [size, place],\n"
	"      cell: median-ci90}\n"
	"report: {template: thesis, languages: [en], formats: [html]}\n";

struct loaded {
	struct experiment e;
	struct problems p;
};

static void load(struct loaded *l, const char *text)
{
	char *got;
	int rc;

	l->p = (struct problems)PROBLEMS_INIT;
	rc = parse(&l->e, text, &l->p);
	got = listing(&l->p);
	assert_string_equal(got, "");
	free(got);
	assert_int_equal(rc, 0);
}

static void unload(struct loaded *l)
{
	experiment_release(&l->e);
	problems_release(&l->p);
}

static void hosts_and_roles_are_read(void **state)
{
	const struct host *h;
	struct loaded l;

	(void)state;
	load(&l, full);
	h = l.e.hosts;
	assert_int_equal(l.e.n_hosts, 3);
	assert_string_equal(h[0].name, "one");
	assert_string_equal(h[0].ssh, "first");
	assert_string_equal(h[0].config, "cfg");
	assert_string_equal(h[0].shares, "box");
	assert_string_equal(h[0].user, "me");
	assert_int_equal(h[0].port, 2222);
	assert_int_equal(h[0].n_env, 2);
	assert_string_equal(h[0].env[0].name, "nic");
	assert_string_equal(h[0].env[0].value, "eth0");
	assert_string_equal(h[0].env[1].value, "");
	assert_string_equal(h[1].address, "10.0.0.2");
	assert_string_equal(h[1].key, "id");
	assert_string_equal(h[1].known_hosts, "kh");
	assert_null(h[1].ssh);
	assert_int_equal(h[1].port, 0);
	assert_true(h[2].local);
	assert_int_equal(h[2].mark.line, 9);
	assert_int_equal(l.e.n_roles, 1);
	assert_string_equal(l.e.roles[0].name, "sut");
	assert_int_equal(l.e.roles[0].n_hosts, 2);
	assert_int_equal(l.e.roles[0].hosts[0], 1);
	assert_int_equal(l.e.roles[0].hosts[1], 0);
	unload(&l);
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

static void a_benchmark_takes_the_rest_from_its_definition(void **state)
{
	const struct benchmark *b;
	struct loaded l;

	(void)state;
	load(&l, full);
	b = &l.e.benchmarks[0];
	assert_string_equal(b->name, "counting");
	assert_string_equal(localized_get(&b->label, "fi"), "Laskeminen");
	assert_string_equal(b->definition, "count");
	assert_string_equal(b->definition_file,
			    "tests/data/spec/library/benchmarks/count.yaml");
	assert_string_equal(b->script, "seq \"$n\" | wc -l");
	assert_string_equal(b->role, "sut");
	assert_true(b->timeout == 30);
	assert_int_equal(b->n_params, 2);
	assert_int_equal(b->n_given, 1);
	assert_string_equal(b->params[0].name, "unit");
	assert_string_equal(b->params[0].value, "sheep");
	assert_string_equal(b->params[1].name, "n");
	assert_string_equal(b->params[1].value, "10");
	assert_int_equal(b->needs.n, 3);
	assert_string_equal(b->needs.items[2], "awk");
	assert_int_equal(b->n_responses, 2);
	assert_int_equal(b->responses[0].kind, EXTRACT_REGEX);
	assert_string_equal(b->responses[0].pattern, "[0-9]+");
	assert_int_equal(b->responses[0].better, BETTER_HIGHER);
	assert_string_equal(b->responses[1].uom, "");
	assert_int_equal(b->responses[1].better, BETTER_UNSAID);
	assert_string_equal(b->responses[1].mark.file, b->definition_file);
	unload(&l);
}

static void a_benchmark_may_be_written_inline(void **state)
{
	const struct benchmark *b;
	struct loaded l;

	(void)state;
	load(&l, full);
	b = &l.e.benchmarks[1];
	assert_null(b->definition);
	assert_string_equal(b->script, "echo 1");
	assert_true(b->timeout == 5400);
	assert_int_equal(b->n_given, 1);
	assert_string_equal(b->params[0].value, "0x10");
	assert_string_equal(b->needs.items[0], "echo");
	assert_int_equal(b->responses[0].kind, EXTRACT_JSON);
	assert_string_equal(b->responses[0].uom, "1/s");
	unload(&l);
}

static void an_experiment_overrides_its_definitions(void **state)
{
	const struct benchmark *b;
	struct loaded l;

	(void)state;
	load(&l, HEAD "benchmarks:\n"
		      "  b: {use: count, with: {unit: x, n: ''}, timeout: 5m,\n"
		      "      label: Mine, responses:\n"
		      "      {only: {json: ., uom: s, better: lower}}}\n");
	b = l.e.benchmarks;
	assert_true(b->timeout == 300);
	assert_string_equal(localized_get(&b->label, "fi"), "Mine");
	assert_int_equal(b->n_responses, 1);
	assert_string_equal(b->responses[0].name, "only");
	assert_string_equal(b->params[1].value, "");
	assert_int_equal(b->n_given, 2);
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

static void assert_warnings(const char *text, const char *wanted)
{
	struct buf got = BUF_INIT;
	struct loaded l;

	load(&l, text);
	for (size_t i = 0; i < l.e.warnings.n; i++)
		buf_addf(&got, "%s\n", l.e.warnings.items[i]);
	assert_string_equal(got.data, wanted);
	buf_release(&got);
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

/* The recipe of the text with its one `from` replaced by `to`. */
static void recipe(const char *from, const char *to, char hex[65])
{
	struct buf text = BUF_INIT;
	struct loaded l;
	const char *at = strstr(full, from);

	assert_non_null(at);
	buf_add(&text, full, (size_t)(at - full));
	buf_adds(&text, to);
	buf_adds(&text, at + strlen(from));
	load(&l, text.data);
	experiment_recipe(&l.e, hex);
	unload(&l);
	buf_release(&text);
}

static void the_recipe_is_over_what_is_measured(void **state)
{
	static const char *const same[][2] = {
		{ "title: {en: All keys", "title: {en: Other" },
		{ "replicates: 5", "replicates: 50" },
		{ "[0x10, 1.0", "[1024, 0x10, 1.0" },
		{ "margin: 2.5%", "margin: 1%" },
		{ "interval: ci99", "interval: ci90" },
		{ "better: higher", "better: lower" },
		{ "label: Rate", "label: Speed" },
		{ "change: hard", "change: easy" },
		{ "nic: eth0, empty: ''", "empty: '', nic: eth0" },
		{ "assay: 1", "# a comment\nassay: 1" },
	};
	static const char *const other[][2] = {
		{ "script: echo 1", "script: echo 2" },
		{ "timeout: 1.5h", "timeout: 1.4h" },
		{ "json: .rate", "json: .rates" },
		{ "uom: 1/s", "uom: 1/h" },
		{ "unit: sheep", "unit: goats" },
		{ "file: /tmp/switch", "file: /tmp/swatch" },
		{ "{x: 0x10}", "{x: 16}" },
		{ "ssh: first", "ssh: last" },
		{ "port: 2222", "port: 22" },
		{ "nic: eth0", "nic: eth1" },
		{ "{power: 230}", "{power: 110}" },
		{ "  inline:\n", "  outline: {use: count, with: {unit: x}}\n"
				 "  inline:\n" },
	};
	char before[65], after[65];

	(void)state;
	recipe("assay", "assay", before);
	assert_int_equal(strlen(before), 64);
	for (size_t i = 0; i < sizeof(same) / sizeof(*same); i++) {
		recipe(same[i][0], same[i][1], after);
		assert_string_equal(before, after);
	}
	for (size_t i = 0; i < sizeof(other) / sizeof(*other); i++) {
		recipe(other[i][0], other[i][1], after);
		assert_string_not_equal(before, after);
	}
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
		cmocka_unit_test(hosts_and_roles_are_read),
		cmocka_unit_test(factors_are_read_with_their_definition),
		cmocka_unit_test(levels_keep_their_text_as_written),
		cmocka_unit_test(
			a_benchmark_takes_the_rest_from_its_definition),
		cmocka_unit_test(a_benchmark_may_be_written_inline),
		cmocka_unit_test(an_experiment_overrides_its_definitions),
		cmocka_unit_test(design_analysis_and_report_are_read),
		cmocka_unit_test(charts_and_tables_are_read),
		cmocka_unit_test(what_is_left_out_has_a_default),
		cmocka_unit_test(a_treatment_lends_its_levels),
		cmocka_unit_test(
			a_factor_may_be_named_as_a_parameter_of_a_benchmark),
		cmocka_unit_test(no_factors_is_one_treatment),
		cmocka_unit_test(what_is_legal_but_unwise_gets_a_warning),
		cmocka_unit_test(the_recipe_is_over_what_is_measured),
		cmocka_unit_test(problems_of_an_earlier_file_do_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
