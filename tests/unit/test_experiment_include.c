#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/spec/yaml_doc.h"
#include "tests/unit/experiment_text.h"

#define HEAD "assay: 1\nexperiment: x\n"
#define BENCH                                                               \
	"benchmarks:\n"                                                     \
	"  b: {run: echo 1, responses: {t: {regex: .+, uom: s, better: "    \
	"lower}}}\n"
#define REST "hosts: {here: local}\ndesign: {replicates: 5}\n" BENCH

static void load(struct text_experiment *t, const struct text_file *files,
		 const struct experiment_options *options)
{
	text_load(t, files, options);
	assert_string_equal(t->messages, "");
	assert_int_equal(t->rc, 0);
}

static void a_file_is_put_over_what_it_includes(void **state)
{
	static const struct text_file files[] = {
		{ "d/x.yaml", HEAD "include: [base.yaml, sub/more.yaml]\n"
			      "factors: {b: [9]}\ndesign: {replicates: 7}\n" },
		{ "d/base.yaml", REST "factors: {a: [1, 2], b: [3]}\n" },
		{ "d/sub/more.yaml",
		  "factors: {a: [4], c: [5]}\ninclude: lower.yaml\n" },
		{ "d/sub/lower.yaml", "assay: 1\ntitle: Low\n"
				      "factors: {c: [6], d: [7]}\n" },
		{ NULL, NULL },
	};
	struct text_experiment t;

	(void)state;
	load(&t, files, NULL);
	assert_string_equal(t.e.name, "x");
	assert_string_equal(localized_get(&t.e.title, "en"), "Low");
	assert_int_equal(t.e.matrices[0].replicates, 7);
	assert_int_equal(t.e.n_factors, 4);
	assert_string_equal(t.e.factors[0].name, "a");
	assert_string_equal(t.e.factors[0].levels[0].name, "4");
	assert_int_equal(t.e.factors[0].n_levels, 1);
	assert_string_equal(t.e.factors[1].levels[0].name, "9");
	assert_string_equal(t.e.factors[2].name, "c");
	assert_string_equal(t.e.factors[2].levels[0].name, "5");
	assert_string_equal(t.e.factors[3].name, "d");
	assert_string_equal(t.e.uses[3].mark.file, "d/sub/lower.yaml");
	assert_int_equal(t.e.files.n, 4);
	assert_string_equal(t.e.files.items[0], "d/x.yaml");
	assert_string_equal(t.e.files.items[1], "d/base.yaml");
	assert_string_equal(t.e.files.items[2], "d/sub/more.yaml");
	assert_string_equal(t.e.files.items[3], "d/sub/lower.yaml");
	text_unload(&t);
}

static void a_file_reached_twice_is_read_once(void **state)
{
	static const struct text_file files[] = {
		{ "x.yaml", HEAD "include: [b.yaml, ./c.yaml]\n" REST },
		{ "b.yaml", "include: base.yaml\nfactors: {f: [1]}\n" },
		{ "./c.yaml", "include: s/../base.yaml\n" },
		{ "base.yaml", "factors: {f: [1, 2]}\n" },
		{ NULL, NULL },
	};
	struct text_experiment t;

	(void)state;
	load(&t, files, NULL);
	assert_int_equal(t.e.files.n, 4);
	/* read at its first place: b.yaml stays nearer */
	assert_int_equal(t.e.factors[0].n_levels, 1);
	text_unload(&t);
}

static void a_key_with_nothing_behind_it_removes(void **state)
{
	static const struct text_file files[] = {
		{ "x.yaml", HEAD "include: b.yaml\ncharts:\n"
			    "factors: {f: , g: [2]}\n" },
		{ "b.yaml", REST "factors: {f: [1]}\n"
			    "charts: {c: {kind: bars, x: f, y: t}}\n" },
		{ NULL, NULL },
	};
	struct text_experiment t;

	(void)state;
	load(&t, files, NULL);
	assert_int_equal(t.e.n_charts, 0);
	assert_int_equal(t.e.n_factors, 1);
	assert_string_equal(t.e.factors[0].name, "g");
	text_unload(&t);
}

static const struct {
	const char *what;
	struct text_file files[6];
	const char *messages;
} broken[] = {
	{ "a cycle, with the chain",
	  { { "d/a.yaml", HEAD "include: b.yaml\n" REST },
	    { "d/b.yaml", "title: B\ninclude: [c.yaml]\n" },
	    { "d/c.yaml", "include: ../d/b.yaml\n" } },
	  "d/c.yaml:1:10: d/b.yaml -> d/c.yaml -> d/b.yaml: a file cannot "
	  "include itself; remove one of these\n" },
	{ "the experiment itself",
	  { { "a.yaml", HEAD "include: b.yaml\n" REST },
	    { "b.yaml", "include:\n  - a.yaml\n" } },
	  "b.yaml:2:5: a.yaml -> b.yaml -> a.yaml: a file cannot include "
	  "itself; remove one of these\n" },
	{ "a file that includes itself",
	  { { "a.yaml", HEAD "include: ./a.yaml\n" REST } },
	  "3:10: a.yaml -> a.yaml: a file cannot include itself; remove one "
	  "of these\n" },
	{ "files that are not there, once each",
	  { { "d/a.yaml", HEAD "include: [no.yaml, /no.yaml, no.yaml]\n" } },
	  "3:11: cannot include d/no.yaml: No such file or directory\n"
	  "3:20: cannot include /no.yaml: No such file or directory\n" },
	{ "files that hold no keys",
	  { { "a.yaml", HEAD "include: [b.yaml, c.yaml, d.yaml]\n" },
	    { "b.yaml", "" },
	    { "c.yaml", "# nothing\n" },
	    { "d.yaml", "- 1\n" } },
	  "3:11: cannot include b.yaml: there is nothing in it\n"
	  "3:19: cannot include c.yaml: there is nothing in it\n"
	  "3:27: cannot include d.yaml: it holds a list, not keys of an "
	  "experiment\n" },
	{ "what is no file name",
	  { { "a.yaml", HEAD "include: [[b], '', ]\n" REST } },
	  "3:11: \"include\": expected text, got a list\n"
	  "3:16: \"include\" is empty; write a file's name\n" },
	{ "a mapping of files",
	  { { "a.yaml", HEAD "include: {b: c}\n" REST } },
	  "3:10: \"include\": expected text or a list, got a mapping\n" },
	{ "nothing to include",
	  { { "a.yaml", HEAD "include:\n" REST } },
	  "3:9: \"include\": expected text or a list, got nothing\n" },
	{ "a file that is no YAML",
	  { { "a.yaml", HEAD "include: b.yaml\n" REST "zebra: 1\n" },
	    { "b.yaml", "title: x\nhosts: {a: local\n" } },
	  "b.yaml:3:1: expected \",\" or \"}\" (in the mapping that starts on "
	  "line 2)\n" },
	{ "problems in an included file carry its name",
	  { { "a.yaml", HEAD "include: b.yaml\n" BENCH "zebra: 1\n" },
	    { "b.yaml", "titel: x\nhosts: {there: {shs: a}}\n" } },
	  "6:1: there is no key \"zebra\" in an experiment\n"
	  "b.yaml:1:1: there is no key \"titel\" in an experiment; did you "
	  "mean \"title\"?\n"
	  "b.yaml:2:9: host \"there\" needs exactly one of \"local: true\", "
	  "\"ssh\" and \"address\"\n"
	  "b.yaml:2:17: there is no key \"shs\" in a host; did you mean "
	  "\"ssh\"?\n" },
	{ "keys that only the experiment can have",
	  { { "a.yaml", HEAD "include: [b.yaml, c.yaml]\n" REST },
	    { "b.yaml", "assay: one\nexperiment: y\n" },
	    { "c.yaml", "assay: [1]\n" } },
	  "b.yaml:1:8: \"assay\" is the version of the file format: write 1, "
	  "not \"one\"\n"
	  "b.yaml:2:1: \"experiment\" cannot stand in an included file: move "
	  "what two experiments share into a file of its own, and include "
	  "that\n"
	  "c.yaml:1:8: \"assay\": expected text, got a list\n" },
	{ "a file of a newer format",
	  { { "a.yaml", HEAD "include: b.yaml\n" },
	    { "b.yaml", "assay: 2\nnew: 1\n" } },
	  "b.yaml:1:8: made for a newer assay: it has format 2, this assay "
	  "reads format 1; install a newer one\n" },
	{ "an experiment cannot leave its version to another file",
	  { { "a.yaml", "experiment: a\ninclude: b.yaml\n" REST },
	    { "b.yaml", "assay: 1\n" } },
	  "1:1: an experiment needs the key \"assay\" (the version of the "
	  "file format: 1)\n" },
	{ "nothing where nothing stood",
	  { { "a.yaml", HEAD "include: b.yaml\nreport:\n" REST },
	    { "b.yaml", "title: x\n" } },
	  "4:8: \"report\": expected a mapping, got nothing\n" },
};

static void what_cannot_be_included_is_told(void **state)
{
	int failures = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++)
		failures += !text_gets(broken[i].what, broken[i].files, NULL,
				       broken[i].messages);
	assert_int_equal(failures, 0);
}

/* Each includes the next; `n` files beside the experiment. */
static int chain_read(void *ctx, const char *path, size_t max,
		      struct buf *out, struct error *err)
{
	int *n = ctx;
	int i = atoi(path + 1);

	(void)max;
	(void)err;
	buf_clear(out);
	buf_addf(out, "title: %d\n", i);
	if (i < *n)
		buf_addf(out, "include: f%d.yaml\n", i + 1);
	return 0;
}

static int read_chain(int n, struct problems *p)
{
	static const char text[] = HEAD "include: f1.yaml\n" REST;
	const struct file_source source = { .read = chain_read, .ctx = &n };
	const struct experiment_options options = { .files = &source };
	const struct resolver none = { .ctx = NULL };
	struct experiment e;
	int rc;

	*p = (struct problems)PROBLEMS_INIT;
	rc = experiment_parse(&e, "x.yaml", text, strlen(text), &none,
			      &options, p);
	experiment_release(&e);
	return rc;
}

static void at_most_64_files_are_included(void **state)
{
	struct problems p;

	(void)state;
	assert_int_equal(read_chain(64, &p), 0);
	problems_release(&p);
	assert_int_equal(read_chain(65, &p), -1);
	assert_int_equal(p.n, 1);
	assert_string_equal(p.items[0].file, "f64.yaml");
	assert_int_equal(p.items[0].line, 2);
	assert_string_equal(p.items[0].text,
			    "more than 64 files are included");
	problems_release(&p);
}

static void write_text(const char *dir, const char *name, const char *text)
{
	struct error err = ERROR_INIT;
	char *path = path_join(dir, name);

	assert_int_equal(path_write(path, text, strlen(text), &err), 0);
	free(path);
}

static void without_a_source_files_come_from_disk(void **state)
{
	const struct resolver none = { .ctx = NULL };
	struct problems p = PROBLEMS_INIT;
	const char *tmp = getenv("TMPDIR");
	char *dir = mem_printf("%s/assay-XXXXXX", tmp ? tmp : "/tmp");
	char *path, *big, *wanted;
	struct experiment e;

	(void)state;
	assert_non_null(mkdtemp(dir));
	path = path_join(dir, "x.yaml");
	write_text(dir, "x.yaml", HEAD "include: [b.yaml, big.yaml, .]\n");
	write_text(dir, "b.yaml", REST);
	big = mem_zalloc(YAML_DOC_MAX_FILE + 2, 1);
	memset(big, '#', YAML_DOC_MAX_FILE + 1);
	write_text(dir, "big.yaml", big);
	assert_int_equal(experiment_read(&e, path, &none, NULL, &p), -1);
	assert_int_equal(p.n, 2);
	wanted = mem_printf("cannot include %s/big.yaml: larger than 1048576 "
			    "bytes", dir);
	assert_string_equal(p.items[0].text, wanted);
	assert_non_null(strstr(p.items[1].text, ": not a regular file"));
	experiment_release(&e);
	problems_release(&p);
	write_text(dir, "x.yaml", HEAD "include: b.yaml\n");
	assert_int_equal(experiment_read(&e, path, &none, NULL, &p), 0);
	assert_int_equal(e.files.n, 2);
	experiment_release(&e);
	problems_release(&p);
	for (int i = 0; i < 3; i++) {
		static const char *const names[] = { "x.yaml", "b.yaml",
						     "big.yaml" };
		char *file = path_join(dir, names[i]);

		unlink(file);
		free(file);
	}
	rmdir(dir);
	free(wanted);
	free(big);
	free(path);
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_put_over_what_it_includes),
		cmocka_unit_test(a_file_reached_twice_is_read_once),
		cmocka_unit_test(a_key_with_nothing_behind_it_removes),
		cmocka_unit_test(what_cannot_be_included_is_told),
		cmocka_unit_test(at_most_64_files_are_included),
		cmocka_unit_test(without_a_source_files_come_from_disk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
