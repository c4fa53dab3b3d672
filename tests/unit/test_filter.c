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
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/filter.h"
#include "orchestrate/spec/resolver.h"

/* 4 platforms, 3 storages, 3 thread counts, 2 schedulers. */
static const char text[] =
	"assay: 1\n"
	"experiment: x\n"
	"hosts: {here: local}\n"
	"factors:\n"
	"  platform: [native, docker, lxc, kvm]\n"
	"  storage:\n"
	"    levels:\n"
	"      - {name: aufs, set: {depth: 1, kind: layered}}\n"
	"      - {name: zvol, set: {depth: 4}}\n"
	"      - dir\n"
	"  threads: [1, 16, 64K]\n"
	"  scheduler: [none, mq-deadline]\n"
	"benchmarks:\n"
	"  b: {run: echo 1, responses: {t: {regex: .+, uom: s, better: "
	"lower}}}\n";

struct lab {
	struct experiment e;
	struct problems p;
	struct reading r;
};

static const char *cpus(void *ctx, const char *host, const char *fact)
{
	(void)ctx;
	return strcmp(host, "here") || strcmp(fact, "cores") ? NULL : "8";
}

static const struct fact_source facts = { .get = cpus };
static const struct experiment_options options = { .facts = &facts };

static int lab_open(void **state)
{
	struct lab *lab = calloc(1, sizeof(*lab));
	struct resolver none = { .ctx = NULL };

	if (experiment_parse(&lab->e, "x.yaml", text, strlen(text), &none,
			     NULL, &lab->p) < 0)
		return -1;
	lab->r = (struct reading){ .problems = &lab->p, .e = &lab->e,
				   .options = &options };
	*state = lab;
	return 0;
}

static int lab_close(void **state)
{
	struct lab *lab = *state;

	experiment_release(&lab->e);
	problems_release(&lab->p);
	free(lab);
	return 0;
}

/* Reads a filter from YAML; the node lives as long as the document. */
static struct filter *read(struct lab *lab, const char *yaml,
			   const bool *factors)
{
	struct yaml_doc doc;
	struct filter *f;

	assert_int_equal(yaml_doc_parse(&doc, "f.yaml", yaml, strlen(yaml),
					&lab->p), 0);
	f = filter_read(&lab->r, doc.root, factors);
	yaml_doc_release(&doc);
	return f;
}

/* One bit for each of the treatments that match: 4 x 3 x 3 x 2. */
static unsigned matches(struct lab *lab, const char *yaml)
{
	struct filter *f = read(lab, yaml, NULL);
	struct error err = ERROR_INIT;
	uint16_t levels[4];
	unsigned n = 0;

	if (!f)
		fail_msg("%s: %s", yaml, lab->p.items[0].text);
	for (size_t i = 0; i < 72; i++) {
		levels[0] = (uint16_t)(i / 18);
		levels[1] = (uint16_t)(i / 6 % 3);
		levels[2] = (uint16_t)(i / 2 % 3);
		levels[3] = (uint16_t)(i % 2);
		switch (filter_match(f, levels, &err)) {
		case 1:
			n++;
			break;
		case 0:
			break;
		default:
			fail_msg("%s: %s", yaml, err.text);
		}
	}
	filter_free(f);
	return n;
}

static void a_mapping_matches_all_its_levels(void **state)
{
	struct lab *lab = *state;

	assert_int_equal(matches(lab, "{platform: docker}"), 18);
	assert_int_equal(matches(lab, "{platform: [docker, lxc]}"), 36);
	assert_int_equal(matches(lab, "{platform: docker, storage: zvol}"), 6);
	assert_int_equal(matches(lab, "{threads: 64K, platform: [kvm]}"), 6);
}

static void an_expression_sees_factors_and_what_levels_set(void **state)
{
	struct lab *lab = *state;

	assert_int_equal(matches(lab, "threads > 4"), 48);
	assert_int_equal(matches(lab, "threads == 65536"), 24);
	assert_int_equal(matches(lab, "platform == docker"), 18);
	assert_int_equal(matches(lab, "platform != 'docker'"), 54);
	assert_int_equal(matches(lab, "platform in [docker, lxc] and "
				      "threads == 1"), 12);
	assert_int_equal(matches(lab, "scheduler == 'mq-deadline'"), 36);
	assert_int_equal(matches(lab, "depth > 2"), 24);
	assert_int_equal(matches(lab, "kind == 'layered'"), 24);
	assert_int_equal(matches(lab, "not kind == 'layered'"), 0);
	assert_int_equal(matches(lab, "depth * threads == 64 or threads == 1"),
			 32);
	assert_int_equal(matches(lab, "threads > here.cpus"), 48);
	assert_int_equal(matches(lab, "threads > sut.cpus * 2"), 24);
}

static void an_absent_factor_matches_its_absence_alone(void **state)
{
	static const struct {
		const char *yaml;
		int match;
	} samples[] = {
		{ "{storage: zvol}", 0 },
		{ "{platform: docker}", 1 },
		{ "storage == zvol", 0 },
		{ "storage != zvol", 0 },
		{ "not storage == zvol", 0 },
		{ "storage != zvol or platform == docker", 1 },
		{ "depth > 0", 0 },
		{ "{storage: '-'}", 1 },
		{ "{storage: [dir, '-'], platform: docker}", 1 },
		{ "{platform: '-'}", 0 },
	};
	const uint16_t levels[] = { 1, DESIGN_ABSENT, 0, 0 };
	struct lab *lab = *state;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		struct filter *f = read(lab, samples[i].yaml, NULL);

		assert_non_null(f);
		assert_int_equal(filter_match(f, levels, &err),
				 samples[i].match);
		filter_free(f);
	}
}

static void what_it_depends_on_is_known(void **state)
{
	struct lab *lab = *state;
	struct filter *map = read(lab, "{platform: lxc, threads: 1}", NULL);
	struct filter *expr = read(lab, "depth > 2 and threads > 1", NULL);
	static const bool by_map[] = { true, false, true, false };
	static const bool by_expr[] = { false, true, true, false };

	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(filter_uses(map, i), by_map[i]);
		assert_int_equal(filter_uses(expr, i), by_expr[i]);
	}
	assert_int_equal(filter_mark(expr).line, 1);
	filter_free(map);
	filter_free(expr);
	filter_free(NULL);
}

static void mistakes_are_pointed_at(void **state)
{
	static const struct {
		const char *yaml;
		const char *problem;
	} samples[] = {
		{ "{platform: dokcer}",
		  "1:12: there is no level \"dokcer\" in factor platform; did "
		  "you mean \"docker\"? (levels: native, docker, lxc, kvm)" },
		{ "{plattform: docker}",
		  "1:2: there is no factor \"plattform\"; did you mean "
		  "\"platform\"? (factors: platform, storage, threads, "
		  "scheduler)" },
		{ "{platform: [docker, {a: b}]}",
		  "1:21: \"platform\": expected text, got a mapping" },
		{ "{platform: []}", "1:12: no level of \"platform\" is listed: "
				    "nothing would match" },
		{ "{}", "1:1: this matches every treatment: name a factor and "
			"its levels" },
		{ "{scheduler: none}",
		  "1:2: factor \"scheduler\" is not one of this matrix; add "
		  "it to its \"factors\"" },
		{ "[platform]",
		  "1:1: expected {factor: level}, or an expression such as "
		  "\"threads > 4\", got a list" },
		{ "~x", "1:1: \"~\" has no meaning in an expression" },
		{ "thread > 4",
		  "1:1: \"thread\" is no variable and no level; did you mean "
		  "\"threads\"?" },
		{ "\"threads > 4 and thread < 5\"",
		  "1:18: \"thread\" is no variable and no level; did you mean "
		  "\"threads\"?" },
		{ "threads > 4 and scheduler == none",
		  "1:17: factor \"scheduler\" is not one of this matrix; add "
		  "it to its \"factors\"" },
		{ "platform == zvol",
		  "1:13: there is no level \"zvol\" in factor platform "
		  "(levels: native, docker, lxc, kvm)" },
		{ "platform in [lxc, 'dokcer']",
		  "1:19: there is no level \"dokcer\" in factor platform; did "
		  "you mean \"docker\"? (levels: native, docker, lxc, kvm)" },
		{ "platform > docker",
		  "1:12: expected a number, got the text docker" },
		{ "threads > nowhere.cpus",
		  "1:11: \"nowhere\" is no host and no role of this "
		  "experiment" },
		{ "threads > hre.cpus",
		  "1:11: \"hre\" is no host and no role; did you mean "
		  "\"here\"?" },
		{ "threads > here.cpu_count",
		  "1:11: there is no fact \"cpu_count\" in a host" },
		{ ">\n  threads >\n  4 4",
		  "1:1: expected an operator, got \"4\"" },
	};
	static const bool varied[] = { true, true, true, false };
	struct lab *lab = *state;
	int failures = 0;

	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		struct filter *f = read(lab, samples[i].yaml, varied);
		struct buf got = BUF_INIT;

		assert_null(f);
		for (size_t k = 0; k < lab->p.n; k++)
			buf_addf(&got, "%s%u:%u: %s", k ? "\n" : "",
				 lab->p.items[k].line, lab->p.items[k].column,
				 lab->p.items[k].text);
		if (strcmp(got.data, samples[i].problem)) {
			fprintf(stderr, "%s\n  wanted %s\n  got    %s\n",
				samples[i].yaml, samples[i].problem,
				got.data);
			failures++;
		}
		buf_release(&got);
		problems_release(&lab->p);
	}
	assert_int_equal(failures, 0);
}

static void a_level_that_has_no_value_is_named(void **state)
{
	const uint16_t levels[] = { 1, 0, 0, 0 };
	struct lab *lab = *state;
	struct filter *f = read(lab, "threads > 4 or platform > 4", NULL);
	struct error err = ERROR_INIT;

	assert_int_equal(filter_match(f, levels, &err), -1);
	assert_int_equal(err.kind, ERROR_USAGE);
	assert_string_equal(err.text, "f.yaml:1:16: platform is \"docker\", "
				      "which is no number");
	filter_free(f);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, lab_open, lab_close)
	const struct CMUnitTest tests[] = {
		TEST(a_mapping_matches_all_its_levels),
		TEST(an_expression_sees_factors_and_what_levels_set),
		TEST(an_absent_factor_matches_its_absence_alone),
		TEST(what_it_depends_on_is_known),
		TEST(mistakes_are_pointed_at),
		TEST(a_level_that_has_no_value_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
