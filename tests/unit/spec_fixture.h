#ifndef TESTS_SPEC_FIXTURE_H
#define TESTS_SPEC_FIXTURE_H

/* Experiment files as texts, with the definitions in tests/data/spec. */

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

static inline int parse(struct experiment *e, const char *text,
			struct problems *p)
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
static inline char *listing(const struct problems *p)
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
#define HOSTS                                                               \
	"assay: 1\nexperiment: x\n"                                         \
	"hosts: {a: {ssh: a}, b: {ssh: b}, c: {ssh: c}}\n"
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

#define N_ITEMS(array) (sizeof(array) / sizeof(*(array)))

static inline void assert_broken(const struct broken *broken, size_t n)
{
	int failures = 0;

	for (size_t i = 0; i < n; i++) {
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

static inline void load(struct loaded *l, const char *text)
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

static inline void unload(struct loaded *l)
{
	experiment_release(&l->e);
	problems_release(&l->p);
}

static inline void assert_warnings(const char *text, const char *wanted)
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

#endif
