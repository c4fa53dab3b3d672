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
	rc = experiment_parse(e, "x.yaml", text, strlen(text), &resolver, p);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_broken_file_gets_its_messages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
