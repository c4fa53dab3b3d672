#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "orchestrate/library/definition.h"
#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/binding.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/treatment_def.h"

static const char store_text[] =
	"treatment: store\n"
	"params: {size: {default: 1G, type: size}, dir: {default: '/mnt/${level}'}}\n"
	"set: {docker_args: '-v ${dir}:/data', store_size: = size / 1M}\n"
	"apply: a\nverify: v\nrevert: r\n";

static const char box_text[] =
	"treatment: box\n"
	"params: {size: {default: 64M}, docker_args: {default: ''}}\n"
	"apply: a\nverify: v\nrevert: r\n";

static const char bench_text[] =
	"benchmark: bench\n"
	"params: {seconds: {default: 1}, total: {default: = seconds * 2}}\n"
	"run: r\nresponses: {t: {json: ., uom: s, better: lower}}\n";

static struct treatment_def *find_treatment(void *ctx, const char *name,
					    struct mark use,
					    struct strlist *files,
					    struct problems *p)
{
	const char *text = strcmp(name, "store") ? box_text : store_text;
	struct treatment_def *d;
	struct yaml_doc doc;

	(void)ctx;
	(void)use;
	(void)files;
	assert_int_equal(yaml_doc_parse(&doc, "t.yaml", text, strlen(text),
					p), 0);
	d = treatment_read(&doc, "t.yaml", name, p);
	yaml_doc_release(&doc);
	return d;
}

static struct benchmark_def *find_benchmark(void *ctx, const char *name,
					    struct mark use,
					    struct strlist *files,
					    struct problems *p)
{
	struct benchmark_def *d;
	struct yaml_doc doc;

	(void)ctx;
	(void)use;
	(void)files;
	assert_int_equal(yaml_doc_parse(&doc, "b.yaml", bench_text,
					strlen(bench_text), p), 0);
	d = benchmark_read(&doc, "b.yaml", name, p);
	yaml_doc_release(&doc);
	return d;
}

static const struct resolver resolver = { .treatment = find_treatment,
					  .benchmark = find_benchmark };

static const char *cpus(void *ctx, const char *host, const char *fact)
{
	(void)ctx;
	if (!strcmp(fact, "memory"))
		return "2048 kB";
	if (!strcmp(fact, "cores"))
		return strcmp(host, "one") ? "8" : "4";
	return NULL;
}

static const struct fact_source facts = { .get = cpus };
static const struct experiment_options options = { .facts = &facts };

static int parse(struct experiment *e, const char *text, struct problems *p)
{
	return experiment_parse(e, "x.yaml", text, strlen(text), &resolver,
				&options, p);
}

static void open_experiment(struct experiment *e, const char *text)
{
	struct problems p = PROBLEMS_INIT;

	if (parse(e, text, &p) < 0)
		fail_msg("%u:%u: %s", p.items[0].line, p.items[0].column,
			 p.items[0].text);
	problems_release(&p);
}

/* "layer name=value (source) [line:column]" for each, hidden ones with "-". */
static char *listing(const struct bindings *b)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < b->n; i++) {
		const struct binding *x = &b->items[i];

		buf_addf(&out, "%s%s %s=%s", x->hidden ? "-" : "",
			 binding_layer_name(x->layer), x->name, x->value);
		if (x->source)
			buf_addf(&out, " (%s)", x->source);
		if (x->mark.line)
			buf_addf(&out, " %c%u:%u", x->mark.file[0],
				 x->mark.line, x->mark.column);
		buf_addc(&out, '\n');
	}
	return buf_detach(&out);
}

/* What benchmark 0 sees (layer < 0), or a layer of the stack; or an error. */
static char *seen(const struct experiment *e, const size_t *levels, int layer)
{
	const struct binding_run run = { .levels = levels, .replicate = 3 };
	struct bindings b = BINDINGS_INIT;
	struct error err = ERROR_INIT;
	struct buf out = BUF_INIT;
	char *text;
	int rc = layer < 0 ? bindings_benchmark(&b, e, &run, &err) :
			     bindings_layer(&b, e, &run, (size_t)layer, &err);

	if (rc < 0) {
		assert_int_equal(err.kind, ERROR_USAGE);
		buf_adds(&out, err.text);
		text = buf_detach(&out);
	} else {
		text = listing(&b);
	}
	bindings_release(&b);
	return text;
}

static void check(const struct experiment *e, const size_t *levels, int layer,
		  const char *wanted)
{
	char *got = seen(e, levels, layer);

	assert_string_equal(got, wanted);
	free(got);
}

#define HOST "assay: 1\nexperiment: x\nhosts: {one: {local: true"
#define BENCH                                                               \
	"benchmarks:\n"                                                     \
	"  b: {run: echo 1, responses: {t: {regex: .+, uom: s, better: "    \
	"lower}}}\n"

static const char stack_text[] =
	HOST ", env: {nic: eth0, size: 2G}}}\n"
	"factors:\n"
	"  threads: [1, 8]\n"
	"  storage: {use: store, levels: [zvol, dir], dir: '/tank/${level}'}\n"
	"  platform: {use: box, levels: [docker, lxc]}\n"
	"benchmarks:\n"
	"  b: {use: bench, with: {seconds: = threads + 1}}\n";

static void every_layer_is_there_and_the_nearest_wins(void **state)
{
	const size_t levels[] = { 1, 0, 0 };
	struct experiment e;

	(void)state;
	open_experiment(&e, stack_text);
	check(&e, levels, -1,
	      "library total=18 (= seconds * 2) b2:50\n"
	      "-library size=1G t2:26\n"
	      "-library size=64M t2:26\n"
	      "-library docker_args= t2:55\n"
	      "host nic=eth0 x3:39\n"
	      "host size=2G x3:51\n"
	      "factor dir=/tank/zvol (/tank/${level}) x6:51\n"
	      "level threads=8 x5:16\n"
	      "level storage=zvol x6:34\n"
	      "level docker_args=-v /tank/zvol:/data (-v ${dir}:/data) t3:20\n"
	      "level store_size=2048 (= size / 1M) t3:51\n"
	      "level platform=docker x7:33\n"
	      "benchmark seconds=9 (= threads + 1) x9:35\n"
	      "run replicate=3\n"
	      "run repeat=1\n");
	experiment_release(&e);
}

static void a_layer_of_the_stack_sees_what_is_beneath(void **state)
{
	const size_t levels[] = { 1, 0, 0 };
	const size_t absent[] = { 1, DESIGN_ABSENT, 0 };
	struct experiment e;

	(void)state;
	open_experiment(&e, stack_text);
	check(&e, levels, 0,
	      "-library size=1G t2:26\n"
	      "host nic=eth0 x3:39\n"
	      "host size=2G x3:51\n"
	      "factor dir=/tank/zvol (/tank/${level}) x6:51\n"
	      "level level=zvol x6:3\n"
	      "level storage=zvol x6:34\n"
	      "level docker_args=-v /tank/zvol:/data (-v ${dir}:/data) t3:20\n"
	      "level store_size=2048 (= size / 1M) t3:51\n");
	check(&e, levels, 1,
	      "-library size=64M t2:26\n"
	      "-library docker_args= t2:55\n"
	      "host nic=eth0 x3:39\n"
	      "host size=2G x3:51\n"
	      "level storage=zvol x6:34\n"
	      "level docker_args=-v /tank/zvol:/data (-v ${dir}:/data) t3:20\n"
	      "level store_size=2048 (= size / 1M) t3:51\n"
	      "level level=docker x7:3\n"
	      "level platform=docker x7:33\n");
	check(&e, absent, 0, "");
	check(&e, absent, 1,
	      "-library size=64M t2:26\n"
	      "library docker_args= t2:55\n"
	      "host nic=eth0 x3:39\n"
	      "host size=2G x3:51\n"
	      "level level=docker x7:3\n"
	      "level platform=docker x7:33\n");
	experiment_release(&e);
}


/* Two treatments have a parameter `size`; each makes its own of it. */
static void a_treatment_sees_its_own_parameters_first(void **state)
{
	static const char text[] =
		HOST "}}\n"
		"factors:\n"
		"  storage: {use: store, levels: [zvol], size: 3M}\n"
		"  platform: {use: box, levels: [docker], size: 5M}\n" BENCH;
	const size_t levels[] = { 0, 0 };
	struct experiment e;

	(void)state;
	open_experiment(&e, text);
	check(&e, levels, -1,
	      "library dir=/mnt/zvol (/mnt/${level}) t2:58\n"
	      "-library docker_args= t2:55\n"
	      "-factor size=3M x5:47\n"
	      "factor size=5M x6:48\n"
	      "level storage=zvol x5:34\n"
	      "level docker_args=-v /mnt/zvol:/data (-v ${dir}:/data) t3:20\n"
	      "level store_size=3 (= size / 1M) t3:51\n"
	      "level platform=docker x6:33\n"
	      "run replicate=3\n"
	      "run repeat=1\n");
	experiment_release(&e);
}

static void look_ups_are_by_level_or_host(void **state)
{
	static const char text[] =
		HOST ", env: {port: {by: platform, values: {lxc: 7}, else: "
		"= base}}}, two: local}\n"
		"roles: {sut: [one, two]}\n"
		"variables:\n"
		"  base: {by: host, values: {one: 5000, two: 6000}}\n"
		"factors: {platform: [docker, lxc]}\n" BENCH;
	const size_t docker[] = { 0 }, lxc[] = { 1 };
	struct experiment e;

	(void)state;
	open_experiment(&e, text);
	check(&e, docker, -1,
	      "experiment base=5000 (by host) x6:34\n"
	      "host port=5000 (by platform: = base) x3:79\n"
	      "level platform=docker x7:22\n"
	      "run replicate=3\n"
	      "run repeat=1\n");
	check(&e, lxc, -1,
	      "experiment base=5000 (by host) x6:34\n"
	      "host port=7 (by platform) x3:69\n"
	      "level platform=lxc x7:30\n"
	      "run replicate=3\n"
	      "run repeat=1\n");
	experiment_release(&e);
}

static void facts_are_values(void **state)
{
	static const char text[] =
		HOST "}}\n"
		"variables: {jobs: = one.cpus / 2, ram: '${sut.memory} B'}\n"
		"factors: {threads: {range: [1, = sut.cpus], step: '*2'}}\n"
		BENCH;
	const size_t levels[] = { 2 };
	struct experiment e;

	(void)state;
	open_experiment(&e, text);
	check(&e, levels, -1,
	      "experiment jobs=2 (= one.cpus / 2) x4:19\n"
	      "experiment ram=2097152 B (${sut.memory} B) x4:40\n"
	      "level threads=4 x5:28\n"
	      "run replicate=3\n"
	      "run repeat=1\n");
	assert_int_equal(e.factors[0].n_levels, 3);
	assert_int_equal(e.n_facts, 2);
	assert_string_equal(e.facts[0].host, "one");
	assert_string_equal(e.facts[0].fact, "cpus");
	assert_string_equal(e.facts[1].fact, "memory");
	assert_true(e.facts[0].known && e.facts[1].known);
	experiment_release(&e);
}

static void a_fact_that_is_not_known_is_no_value(void **state)
{
	static const char text[] =
		HOST "}}\n"
		"variables: {os: '${one.os}'}\n"
		"factors: {threads: {range: [2, = sut.user_id], step: '*2'}}\n"
		BENCH;
	const size_t levels[] = { 0 };
	struct experiment e;

	(void)state;
	open_experiment(&e, text);
	assert_int_equal(e.factors[0].n_levels, 1);
	assert_string_equal(e.factors[0].levels[0].name, "2");
	assert_int_equal(e.n_facts, 2);
	assert_false(e.facts[0].known || e.facts[1].known);
	check(&e, levels, -1, "x.yaml:4:20: \"os\" of host \"one\" is not "
			      "known yet: nobody has asked the host");
	experiment_release(&e);
}

static void what_needs_an_absent_factor_is_not_there(void **state)
{
	static const char text[] =
		HOST "}}\n"
		"variables: {a: = depth + 1, b: 'x${depth}', c: 1, d: = a}\n"
		"factors: {depth: [1, 2], k: [{name: on, set: {c: = depth}}]}\n"
		BENCH;
	const size_t absent[] = { DESIGN_ABSENT, 0 }, there[] = { 1, 0 };
	struct experiment e;

	(void)state;
	open_experiment(&e, text);
	check(&e, absent, -1,
	      "experiment c=1 x4:48\n"
	      "level k=on x5:30\n"
	      "run replicate=3\n"
	      "run repeat=1\n");
	check(&e, there, -1,
	      "experiment a=3 (= depth + 1) x4:16\n"
	      "experiment b=x2 (x${depth}) x4:32\n"
	      "-experiment c=1 x4:48\n"
	      "experiment d=3 (= a) x4:54\n"
	      "level depth=2 x5:22\n"
	      "level k=on x5:30\n"
	      "level c=2 (= depth) x5:50\n"
	      "run replicate=3\n"
	      "run repeat=1\n");
	experiment_release(&e);
}

static void what_cannot_be_computed_is_pointed_at(void **state)
{
	static const struct {
		const char *variables;
		const char *error;
	} samples[] = {
		{ "{a: = 4 / zero, zero: 0}",
		  "x.yaml:4:22: zero is 0: there is no dividing by it" },
		{ "{a: = word * 2, word: w}",
		  "x.yaml:4:18: word is \"w\", which is no number" },
		{ "{a: = e + 1}",
		  "x.yaml:4:16: \"e\" has no value on host \"one\" for "
		  "benchmark \"b\"; give it one under \"variables\"" },
		/* only with the host's value do they need each other */
		{ "{p: 1, q: = p}",
		  "x.yaml:4:22: these variables need each other to be "
		  "computed: p -> q -> p" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		const size_t levels[] = { 0 };
		struct buf text = BUF_INIT;
		struct experiment e;
		char *got;

		buf_addf(&text, HOST "%s}, two: {local: true, env: {e: 1}}}\n"
			 "variables: %s\nfactors: {f: [1]}\n"
			 "roles: {sut: [one, two]}\n" BENCH,
			 i == 3 ? ", env: {p: = q}" : "",
			 samples[i].variables);
		open_experiment(&e, text.data);
		got = seen(&e, levels, -1);
		assert_string_equal(got, samples[i].error);
		free(got);
		experiment_release(&e);
		buf_release(&text);
	}
}

static void a_treatment_cannot_depend_on_what_it_does_not_see(void **state)
{
	static const char text[] =
		HOST "}}\n"
		"factors:\n"
		"  threads: [1, 8]\n"
		"  storage: {use: store, levels: [zvol], size: = threads * 1}\n"
		BENCH;
	const size_t levels[] = { 0, 0 };
	struct experiment e;

	(void)state;
	open_experiment(&e, text);
	check(&e, levels, 0,
	      "x.yaml:6:47: parameter \"size\" needs what its treatment does "
	      "not see: only the levels beneath it in the stack, its own, and "
	      "variables of hosts and of the experiment");
	experiment_release(&e);
}

static void a_text_can_be_computed_on_its_own(void **state)
{
	static const struct {
		const char *text;
		const char *value;
	} samples[] = {
		{ "plain", "plain" },
		{ "= threads + 1", "9" },
		{ "= platform == docker ? 2 : 1", "2" },
		{ "${nic}$${nic}", "eth0${nic}" },
		{ "= storage == zvol", NULL },
	};
	const size_t levels[] = { 1, DESIGN_ABSENT, 0 };
	const struct binding_run run = { .levels = levels };
	struct bindings b = BINDINGS_INIT;
	struct error err = ERROR_INIT;
	struct mark mark = { "x.yaml", 7, 3 };
	struct experiment e;
	char *out;

	(void)state;
	open_experiment(&e, stack_text);
	assert_int_equal(bindings_benchmark(&b, &e, &run, &err), 0);
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		assert_int_equal(bindings_value(&b, samples[i].text, mark,
						&out, &err), 0);
		if (samples[i].value)
			assert_string_equal(out, samples[i].value);
		else
			assert_null(out);
		free(out);
	}
	assert_int_equal(bindings_value(&b, "= nic * 2", mark, &out, &err),
			 -1);
	assert_string_equal(err.text, "x.yaml:7:3: nic is \"eth0\", which is "
				      "no number");
	assert_string_equal(bindings_find(&b, "seconds")->value, "9");
	assert_null(bindings_find(&b, "none"));
	bindings_release(&b);
	experiment_release(&e);
}

static void what_was_computed_must_be_of_the_parameters_type(void **state)
{
	static const char text[] =
		HOST "}}\n"
		"variables: {word: big}\n"
		"factors: {storage: {use: store, levels: [zvol], "
		"size: '${word}G'}}\n" BENCH;
	const size_t levels[] = { 0 };
	struct experiment e;

	(void)state;
	open_experiment(&e, text);
	check(&e, levels, 0,
	      "x.yaml:5:55: treatment store: parameter \"size\": expected a "
	      "size such as 4096, 64K or 1.5G, and it is computed to "
	      "\"bigG\"");
	experiment_release(&e);
}

/* A chain of `n` variables, each one more than the next. */
static char *chain(size_t n)
{
	const size_t levels[] = { 0 };
	struct buf text = BUF_INIT;
	struct experiment e;
	char *got;

	buf_adds(&text, HOST "}}\nfactors: {f: [1]}\nvariables:\n");
	buf_adds(&text, "  v0: 0\n");
	for (size_t i = 1; i < n; i++)
		buf_addf(&text, "  v%zu: = v%zu + 1\n", i, i - 1);
	buf_adds(&text, BENCH);
	open_experiment(&e, text.data);
	got = seen(&e, levels, -1);
	experiment_release(&e);
	buf_release(&text);
	return got;
}

static void a_chain_of_variables_is_bounded(void **state)
{
	char *got = chain(64);

	(void)state;
	assert_non_null(strstr(got, "v63=63 "));
	free(got);
	got = chain(1000);
	assert_non_null(strstr(got, "more than 64 variables need each other, "
				    "one after the other"));
	free(got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_layer_is_there_and_the_nearest_wins),
		cmocka_unit_test(a_layer_of_the_stack_sees_what_is_beneath),
		cmocka_unit_test(a_treatment_sees_its_own_parameters_first),
		cmocka_unit_test(look_ups_are_by_level_or_host),
		cmocka_unit_test(facts_are_values),
		cmocka_unit_test(a_fact_that_is_not_known_is_no_value),
		cmocka_unit_test(what_needs_an_absent_factor_is_not_there),
		cmocka_unit_test(what_cannot_be_computed_is_pointed_at),
		cmocka_unit_test(
			a_treatment_cannot_depend_on_what_it_does_not_see),
		cmocka_unit_test(a_text_can_be_computed_on_its_own),
		cmocka_unit_test(
			what_was_computed_must_be_of_the_parameters_type),
		cmocka_unit_test(a_chain_of_variables_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
