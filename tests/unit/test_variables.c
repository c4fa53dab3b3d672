#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/resolver.h"

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

#define HOST "assay: 1\nexperiment: x\nhosts: {one: {local: true"
#define BENCH                                                               \
	"benchmarks:\n"                                                     \
	"  b: {run: echo 1, responses: {t: {regex: .+, uom: s, better: "    \
	"lower}}}\n"

static const struct {
	const char *variables;
	const char *problems;
} samples[] = {
	{ "{a: = thread + 1}",
	  "4:18: \"thread\" is no variable and no level; did you mean "
	  "\"threads\"?\n" },
	{ "{a: \"= 1 + thread\"}",
	  "4:23: \"thread\" is no variable and no level; did you mean "
	  "\"threads\"?\n" },
	{ "{a: 'x${thread}'}",
	  "4:20: \"thread\" is no variable; did you mean "
	  "\"threads\"?\n" },
	{ "{a: 'x${threads'}",
	  "4:18: expected a variable's name and \"}\" behind \"${\"; "
	  "\"$${\" is the text \"${\"\n" },
	{ "{a: 'x${threads:-1}'}",
	  "4:18: expected a variable's name and \"}\" behind \"${\"; "
	  "\"$${\" is the text \"${\"\n" },
	{ "{a: = a + 1}",
	  "4:16: \"a\" needs itself to be computed\n" },
	{ "{a: = b, b: = c, c: = a}",
	  "4:16: these variables need each other to be computed: "
	  "a -> b -> c -> a\n" },
	{ "{a: {by: threads, values: {1: x}}}",
	  "4:21: \"a\" by \"threads\" has no value for 8: add it, or "
	  "an \"else\"\n" },
	{ "{a: {by: threads, values: {1: x, 9: = thread, 8: 3}}}",
	  "4:48: there is no level \"9\" in factor threads (levels: "
	  "1, 8)\n"
	  "4:50: \"thread\" is no variable and no level; did you mean "
	  "\"threads\"?\n" },
	{ "{a: {by: thread, values: {1: x}}}",
	  "4:21: there is no factor \"thread\"; did you mean "
	  "\"threads\"? (factors: threads)\n" },
	{ "{a: = 1 +}",
	  "4:21: expected a value, but the expression ends here\n" },
	{ "{a: =}",
	  "4:17: expected a value, but the expression ends here\n" },
	{ "{a: [1]}",
	  "4:16: \"a\": expected text, got a list\n" },
	{ "{a: = sut.cpu_count}",
	  "4:18: there is no fact \"cpu_count\" in a host\n" },
	{ "{a: = sut.cpus}",
	  "4:18: the hosts of role \"sut\" differ in \"cpus\": one has "
	  "4, two has 8; name one host\n" },
};

/* Mistakes that the file shows are told when it is read. */
static void mistakes_are_told_with_the_file(void **state)
{
	const struct resolver none = { .ctx = NULL };
	int failures = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		struct problems p = PROBLEMS_INIT;
		struct buf text = BUF_INIT, got = BUF_INIT;
		struct experiment e;

		buf_addf(&text, HOST "}, two: local}\nvariables: %s\n"
			 "roles: {sut: [one, two]}\n"
			 "factors: {threads: [1, 8]}\n" BENCH,
			 samples[i].variables);
		assert_int_equal(experiment_parse(&e, "x.yaml", text.data,
						  text.n, &none, &options,
						  &p), -1);
		for (size_t k = 0; k < p.n; k++)
			buf_addf(&got, "%u:%u: %s\n", p.items[k].line,
				 p.items[k].column, p.items[k].text);
		if (strcmp(got.data, samples[i].problems)) {
			fprintf(stderr, "%s\n--- wanted\n%s--- got\n%s",
				samples[i].variables, samples[i].problems,
				got.data);
			failures++;
		}
		experiment_release(&e);
		problems_release(&p);
		buf_release(&text);
		buf_release(&got);
	}
	assert_int_equal(failures, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mistakes_are_told_with_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
