#include "tests/unit/spec_fixture.h"

#include "orchestrate/spec/benchmark.h"
#include "orchestrate/spec/experiment_parse.h"
#include "tests/data/spec/broken_benchmarks.inc"

static void every_broken_file_gets_its_messages(void **state)
{
	(void)state;
	assert_broken(broken, N_ITEMS(broken));
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

/* What a benchmark may have beside its script. */
static const char parts[] =
	HOSTS
	"roles: {client: a, server: [b, c], other: c}\n"
	"factors: {f: [x, y, z], g: [u, v]}\n"
	"benchmarks:\n"
	"  b:\n"
	"    tags: [net, quick-one, net]\n"
	"    warmup: 2\n"
	"    repeats: 3\n"
	"    artefacts: [trace.json, out/log..txt, .hidden]\n"
	"    role: {by: f, values: {x: server}, else: other}\n"
	"    run:\n"
	"      timeout: 90s\n"
	"      script: {by: host, values: {b: one, c: two}}\n"
	"    responses: {t: {json: .}}\n"
	"    services:\n"
	"      - {name: mine, run: sleep 1}\n"
	"      - as: echo\n"
	"        role: client\n"
	"        run: {by: g, values: {u: old, v: new}}\n"
	"        ready: {tcp: '${port}'}\n"
	"        timeout: 1m\n"
	"        stop: kill\n"
	"      - {as: f, role: {by: g, values: {u: client, v: server}},\n"
	"         run: x, ready: {file: up}}\n"
	"      - {as: c, role: server, run: {by: host, values: {b: i, c: j}},\n"
	"         ready: {command: test -e up}}\n"
	"      - {as: o, role: server, run: x, ready: {output: ^up}}\n"
	"    monitors:\n"
	"      - {use: load, role: client, with: {disk: sdb}, needs: [jq, cat]}\n"
	"      - {use: load, name: here, interval: 500ms,\n"
	"         responses: {own: {json: .}}}\n"
	"      - {run: watch, name: own, with: {a: 1}, needs: watch}\n";

static void a_benchmark_says_how_often_and_what_is_kept(void **state)
{
	const struct benchmark *b;
	struct loaded l;

	(void)state;
	load(&l, parts);
	b = l.e.benchmarks;
	assert_int_equal(b->warmup, 2);
	assert_int_equal(b->repeats, 3);
	assert_int_equal(b->tags.n, 2);
	assert_string_equal(b->tags.items[1], "quick-one");
	assert_int_equal(b->artefacts.n, 3);
	assert_string_equal(b->artefacts.items[1], "out/log..txt");
	assert_true(b->timeout == 90);
	assert_int_equal(b->timeout_mark.line, 14);
	unload(&l);
}

static void what_a_benchmark_leaves_out_has_a_default(void **state)
{
	const struct benchmark *b;
	struct loaded l;

	(void)state;
	load(&l, HEAD BENCH);
	b = l.e.benchmarks;
	assert_int_equal(b->warmup, 0);
	assert_int_equal(b->repeats, 1);
	assert_int_equal(b->tags.n + b->artefacts.n, 0);
	assert_int_equal(b->n_services + b->n_monitors, 0);
	assert_int_equal(b->timeout_mark.line, 0);
	assert_int_equal(b->script_mark.line, 5);
	assert_int_equal(b->script_mark.column, 12);
	unload(&l);
}

static void where_a_script_and_a_timeout_stand_is_known(void **state)
{
	const struct benchmark *b;
	struct loaded l;

	(void)state;
	load(&l, HEAD "benchmarks:\n"
		      "  a: {use: count, with: {unit: x}}\n"
		      "  b: {use: count, with: {unit: x}, timeout: 5m}\n");
	b = l.e.benchmarks;
	assert_string_equal(b[0].script_mark.file, b[0].definition_file);
	assert_string_equal(b[0].timeout_mark.file, b[0].definition_file);
	assert_int_equal(b[0].timeout_mark.line, 8);
	assert_string_equal(b[1].timeout_mark.file, "x.yaml");
	assert_int_equal(b[1].timeout_mark.line, 6);
	assert_int_equal(b[1].timeout_mark.column, 45);
	unload(&l);
}

enum { A, B, C };

static void role_and_script_depend_on_level_and_host(void **state)
{
	const size_t first[] = { 0, 0 }, last[] = { 2, 1 };
	const size_t absent[] = { DESIGN_ABSENT, 0 };
	const struct benchmark *b;
	struct mark mark;
	struct loaded l;

	(void)state;
	load(&l, parts);
	b = l.e.benchmarks;
	assert_null(b->role);
	assert_null(b->script);
	assert_string_equal(benchmark_role(&l.e, b, first), "server");
	assert_string_equal(benchmark_role(&l.e, b, last), "other");
	assert_string_equal(benchmark_role(&l.e, b, absent), "other");
	assert_string_equal(benchmark_script(&l.e, b, first, B, &mark), "one");
	assert_int_equal(mark.line, 15);
	assert_int_equal(mark.column, 38);
	assert_string_equal(benchmark_script(&l.e, b, last, C, NULL), "two");
	assert_null(benchmark_script(&l.e, b, last, A, NULL));
	unload(&l);
}

static void plain_roles_and_scripts_are_the_same_for_all(void **state)
{
	const size_t levels[] = { 0 };
	struct mark mark;
	struct loaded l;

	(void)state;
	load(&l, HEAD BENCH);
	assert_string_equal(benchmark_role(&l.e, l.e.benchmarks, levels),
			    "sut");
	assert_string_equal(benchmark_script(&l.e, l.e.benchmarks, levels, 0,
					     &mark), "echo 1");
	assert_int_equal(mark.line, 5);
	unload(&l);
}

static void services_are_read(void **state)
{
	static const enum ready_kind ready[] = { READY_NOW, READY_TCP,
						 READY_FILE, READY_COMMAND,
						 READY_OUTPUT };
	static const char *const value[] = { NULL, "${port}", "up",
					     "test -e up", "^up" };
	const struct service *s;
	struct loaded l;

	(void)state;
	load(&l, parts);
	s = l.e.benchmarks[0].services;
	assert_int_equal(l.e.benchmarks[0].n_services, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(s[i].ready, ready[i]);
		if (value[i])
			assert_string_equal(s[i].ready_value, value[i]);
		else
			assert_null(s[i].ready_value);
	}
	assert_string_equal(s[0].name, "mine");
	assert_int_equal(s[0].mark.line, 18);
	assert_true(s[0].timeout == 30);
	assert_null(s[0].stop);
	assert_string_equal(s[1].name, "echo");
	assert_true(s[1].timeout == 60);
	assert_string_equal(s[1].stop, "kill");
	unload(&l);
}

static void services_run_where_they_say_or_where_it_is_measured(void **state)
{
	const size_t first[] = { 0, 0 }, last[] = { 2, 1 };
	const struct service *s;
	struct mark mark;
	struct loaded l;

	(void)state;
	load(&l, parts);
	s = l.e.benchmarks[0].services;
	assert_string_equal(service_role(&l.e, &s[0], first), "server");
	assert_string_equal(service_role(&l.e, &s[0], last), "other");
	assert_string_equal(service_script(&l.e, &s[0], last, C, &mark),
			    "sleep 1");
	assert_int_equal(mark.line, 18);
	assert_string_equal(service_role(&l.e, &s[1], last), "client");
	assert_string_equal(service_script(&l.e, &s[1], first, A, NULL),
			    "old");
	assert_string_equal(service_script(&l.e, &s[1], last, A, NULL), "new");
	assert_string_equal(service_role(&l.e, &s[2], first), "client");
	assert_string_equal(service_role(&l.e, &s[2], last), "server");
	assert_string_equal(service_script(&l.e, &s[3], first, B, NULL), "i");
	assert_string_equal(service_script(&l.e, &s[3], first, C, &mark), "j");
	assert_int_equal(mark.line, 27);
	unload(&l);
}

static void a_monitor_takes_the_rest_from_its_definition(void **state)
{
	const struct monitor *m;
	struct loaded l;

	(void)state;
	load(&l, parts);
	m = l.e.benchmarks[0].monitors;
	assert_int_equal(l.e.benchmarks[0].n_monitors, 3);
	assert_string_equal(m[0].name, "load");
	assert_string_equal(m[0].definition, "load");
	assert_string_equal(m[0].role, "client");
	assert_non_null(strstr(m[0].script, "/sys/block/$disk/stat"));
	assert_string_equal(m[0].script_mark.file,
			    "tests/data/spec/library/monitors/load.yaml");
	assert_true(m[0].interval == 2);
	assert_int_equal(m[0].n_params, 2);
	assert_int_equal(m[0].n_given, 1);
	assert_string_equal(m[0].params[0].value, "sdb");
	assert_string_equal(m[0].params[1].name, "field");
	assert_int_equal(m[0].needs.n, 3);
	assert_string_equal(m[0].needs.items[0], "cat");
	assert_string_equal(m[0].needs.items[2], "jq");
	assert_int_equal(m[0].n_responses, 1);
	assert_string_equal(m[0].responses[0].name, "busy");
	assert_true(strlist_has(&l.e.files, m[0].script_mark.file));
	unload(&l);
}

static void a_monitor_may_differ_from_its_definition(void **state)
{
	const size_t first[] = { 0, 0 }, last[] = { 2, 1 };
	const struct monitor *m;
	struct loaded l;

	(void)state;
	load(&l, parts);
	m = &l.e.benchmarks[0].monitors[1];
	assert_string_equal(m->name, "here");
	assert_true(m->interval == 0.5);
	assert_int_equal(m->n_responses, 1);
	assert_string_equal(m->responses[0].name, "own");
	assert_string_equal(monitor_role(&l.e, m, first), "server");
	assert_string_equal(monitor_role(&l.e, m, last), "other");
	unload(&l);
}

static void a_monitor_may_be_written_inline(void **state)
{
	const struct monitor *m;
	struct loaded l;

	(void)state;
	load(&l, parts);
	m = &l.e.benchmarks[0].monitors[2];
	assert_null(m->definition);
	assert_string_equal(m->script, "watch");
	assert_int_equal(m->script_mark.line, 34);
	assert_true(m->interval == 1);
	assert_int_equal(m->n_given, 1);
	assert_string_equal(m->params[0].name, "a");
	assert_string_equal(m->needs.items[0], "watch");
	assert_int_equal(m->n_responses, 0);
	unload(&l);
}

/* Look-ups of all parts, each by factor f, and the role's count. */
static const char looked_up[] =
	HOSTS
	"roles: {sut: {hosts: [a, b], count: {by: f, values: {x: 1, y: 2}}}}\n"
	"factors: {f: [x, y], g: [u]}\n"
	"benchmarks:\n"
	"  b:\n"
	"    run: {role: {by: f, values: {x: sut, y: sut}},\n"
	"          script: {by: f, values: {x: i, y: j}}}\n"
	"    responses: {t: {json: .}}\n"
	"    services:\n"
	"      - {as: s, run: {by: f, values: {x: i, y: j}}}\n"
	"    monitors:\n"
	"      - {name: m, run: i, role: {by: f, values: {x: sut}, else: sut}}\n"
	"      - {name: n, run: i, role: {by: f, values: {x: sut, y: sut}}}\n";

static char *absences(struct experiment *e)
{
	struct problems p = PROBLEMS_INIT;
	struct reading r = { .problems = &p, .e = e };
	char *got;

	absent_check(&r);
	got = listing(&p);
	problems_release(&p);
	return got;
}

static void a_factor_that_may_be_absent_needs_an_else(void **state)
{
	static const char wanted[] =
		"8:22: \"role\" by \"f\" needs an \"else\": some runs do not "
		"have the factor\n"
		"9:24: \"script\" by \"f\" needs an \"else\": some runs do not "
		"have the factor\n"
		"12:27: \"run\" by \"f\" needs an \"else\": some runs do not "
		"have the factor\n"
		"15:38: \"role\" by \"f\" needs an \"else\": some runs do not "
		"have the factor\n"
		"4:42: \"count\" by \"f\" needs an \"else\": some runs do not "
		"have the factor\n";
	struct existence only[] = { { .factor = 1 }, { .factor = 0 } };
	struct loaded l;
	char *got;

	(void)state;
	load(&l, looked_up);
	l.e.matrices[0].existences = only;
	l.e.matrices[0].n_existences = 1;
	got = absences(&l.e);
	assert_string_equal(got, "");
	free(got);
	l.e.matrices[0].n_existences = 2;
	got = absences(&l.e);
	assert_string_equal(got, wanted);
	free(got);
	l.e.matrices[0].existences = NULL;
	l.e.matrices[0].n_existences = 0;
	unload(&l);
}

static void a_list_of_treatments_may_leave_a_factor_out(void **state)
{
	uint16_t rows[] = { 0, 0, DESIGN_ABSENT, 0 };
	struct loaded l;
	char *got;

	(void)state;
	load(&l, looked_up);
	l.e.matrices[0].list = rows;
	l.e.matrices[0].n_list = 1;
	got = absences(&l.e);
	assert_string_equal(got, "");
	free(got);
	l.e.matrices[0].n_list = 2;
	got = absences(&l.e);
	assert_non_null(strstr(got, "4:42: \"count\""));
	free(got);
	l.e.matrices[0].list = NULL;
	l.e.matrices[0].n_list = 0;
	unload(&l);
}

static void a_matrix_may_not_vary_the_factor(void **state)
{
	struct loaded l;
	char *got;

	(void)state;
	load(&l, looked_up);
	l.e.matrices[0].n_factors = 0;
	free(l.e.matrices[0].name);
	l.e.matrices[0].name = mem_strdup("small");
	got = absences(&l.e);
	assert_non_null(strstr(got, "9:24: \"script\" by \"f\" needs an "
				    "\"else\": some runs of matrix \"small\" "
				    "do not have the factor\n"));
	free(got);
	unload(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_broken_file_gets_its_messages),
		cmocka_unit_test(
			a_benchmark_takes_the_rest_from_its_definition),
		cmocka_unit_test(a_benchmark_may_be_written_inline),
		cmocka_unit_test(an_experiment_overrides_its_definitions),
		cmocka_unit_test(a_benchmark_says_how_often_and_what_is_kept),
		cmocka_unit_test(what_a_benchmark_leaves_out_has_a_default),
		cmocka_unit_test(where_a_script_and_a_timeout_stand_is_known),
		cmocka_unit_test(role_and_script_depend_on_level_and_host),
		cmocka_unit_test(plain_roles_and_scripts_are_the_same_for_all),
		cmocka_unit_test(services_are_read),
		cmocka_unit_test(
			services_run_where_they_say_or_where_it_is_measured),
		cmocka_unit_test(a_monitor_takes_the_rest_from_its_definition),
		cmocka_unit_test(a_monitor_may_differ_from_its_definition),
		cmocka_unit_test(a_monitor_may_be_written_inline),
		cmocka_unit_test(a_factor_that_may_be_absent_needs_an_else),
		cmocka_unit_test(a_list_of_treatments_may_leave_a_factor_out),
		cmocka_unit_test(a_matrix_may_not_vary_the_factor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
