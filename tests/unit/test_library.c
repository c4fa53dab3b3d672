#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/library/library.h"
#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/monitor_def.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/treatment_def.h"

static char *listing(const struct problems *p)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < p->n; i++)
		buf_addf(&out, "%s:%u:%u: %s\n", p->items[i].file,
			 p->items[i].line, p->items[i].column,
			 p->items[i].text);
	return buf_detach(&out);
}

static void assert_problems(const struct problems *p, const char *wanted)
{
	char *got = listing(p);

	assert_string_equal(got, wanted);
	free(got);
}

static void the_quickstart_loads_and_names_every_file_it_read(void **state)
{
	struct strlist none = STRLIST_INIT;
	struct problems p = PROBLEMS_INIT;
	struct experiment e;

	(void)state;
	assert_int_equal(experiment_load(&e, "experiments/quickstart.yaml",
					 &none, NULL, &p), 0);
	assert_int_equal(e.files.n, 4);
	assert_string_equal(e.files.items[0], "experiments/quickstart.yaml");
	assert_string_equal(e.files.items[1],
			    "experiments/library/treatments/work-dir.yaml");
	assert_string_equal(e.files.items[2],
			    "experiments/library/benchmarks/fio.yaml");
	assert_int_equal(e.warnings.n, 0);
	assert_string_equal(e.dir, "experiments");
	experiment_release(&e);
	problems_release(&p);
}

static void a_missing_experiment_says_so(void **state)
{
	struct strlist none = STRLIST_INIT;
	struct problems p = PROBLEMS_INIT;
	struct experiment e;

	(void)state;
	assert_int_equal(experiment_load(&e, "nowhere/x.yaml", &none, NULL, &p), -1);
	assert_problems(&p, "nowhere/x.yaml:0:0: No such file or directory\n");
	experiment_release(&e);
	problems_release(&p);
}

/* Every definition that is shipped, and what it is called. */
static void the_shipped_library_is_sound(void **state)
{
	static const char *const treatments[] = {
		"btrfs-raid", "cpu-governor", "io-scheduler",
		"loop-filesystem", "nic-offload", "nic-queues",
		"platform/bwrap", "platform/docker",
		"platform/lxc", "platform/native", "platform/nspawn",
		"read-ahead", "storage-driver/dir", "storage-driver/overlay",
		"storage-driver/tmpfs", "storage-driver/volume", "sysctl",
		"tcp-congestion", "thp", "work-dir",
	};
	static const char *const benchmarks[] = {
		"fio", "iperf3", "sysbench-cpu", "sysbench-memory",
	};
	static const char *const monitors[] = { "cpu", "iostat", "vmstat" };
	struct problems p = PROBLEMS_INIT;
	struct library_list list;
	struct library l;

	(void)state;
	library_init(&l, "experiments", NULL);
	assert_int_equal(library_list(&list, &l, &p), 0);
	assert_problems(&p, "");
	assert_int_equal(list.n_treatments,
			 sizeof(treatments) / sizeof(*treatments));
	for (size_t i = 0; i < list.n_treatments; i++) {
		assert_string_equal(list.treatments[i]->name, treatments[i]);
		assert_true(strlen(list.treatments[i]->doc) > 20);
	}
	assert_int_equal(list.families.n, 2);
	assert_string_equal(list.families.items[0], "platform");
	assert_string_equal(list.families.items[1], "storage-driver");
	assert_int_equal(list.n_benchmarks, 4);
	for (size_t i = 0; i < list.n_benchmarks; i++)
		assert_string_equal(list.benchmarks[i]->name, benchmarks[i]);
	assert_int_equal(list.n_monitors, 3);
	for (size_t i = 0; i < list.n_monitors; i++) {
		assert_string_equal(list.monitors[i]->name, monitors[i]);
		assert_true(strlen(list.monitors[i]->doc) > 20);
		assert_int_equal(list.monitors[i]->interval, 1);
	}
	library_list_release(&list);
	library_release(&l);
	problems_release(&p);
}

static void monitors_are_found_like_the_others(void **state)
{
	static const struct mark use = { .file = "x.yaml", .line = 1,
					 .column = 2 };
	struct strlist dirs = STRLIST_INIT, files = STRLIST_INIT;
	struct problems p = PROBLEMS_INIT;
	struct resolver resolver;
	struct monitor_def *d;
	struct library l;

	(void)state;
	strlist_push(&dirs, "tests/data/families/far");
	library_init(&l, NULL, &dirs);
	resolver = library_resolver(&l);
	d = resolver.monitor(resolver.ctx, "ticks", use, &files, &p);
	assert_non_null(d);
	assert_string_equal(d->name, "ticks");
	assert_string_equal(d->doc, "A number that grows.");
	assert_true(d->interval == 0.25);
	assert_string_equal(d->params[0].var.name, "by");
	assert_int_equal(d->params[0].type, PARAMETER_NUMBER);
	assert_string_equal(d->needs.items[0], "sleep");
	assert_int_equal(d->n_responses, 1);
	assert_string_equal(files.items[0],
			    "tests/data/families/far/monitors/ticks.yaml");
	monitor_def_free(d);
	assert_null(resolver.monitor(resolver.ctx, "tics", use, &files, &p));
	assert_problems(&p, "x.yaml:1:2: there is no monitor \"tics\" in "
			    "tests/data/families/far; did you mean \"ticks\"? "
			    "(monitors: ticks)\n");
	library_release(&l);
	strlist_release(&dirs);
	strlist_release(&files);
	problems_release(&p);
}

static void a_list_has_parameters_with_defaults_and_docs(void **state)
{
	const struct treatment_def *d;
	struct problems p = PROBLEMS_INIT;
	struct library_list list;
	struct library l;

	(void)state;
	library_init(&l, "tests/data/spec", NULL);
	assert_int_equal(library_list(&list, &l, &p), 0);
	d = list.treatments[1];
	assert_string_equal(d->name, "switch");
	assert_string_equal(d->doc, "A file that says on or off.");
	assert_int_equal(d->n_params, 2);
	assert_string_equal(d->params[0].var.name, "file");
	assert_null(d->params[0].var.value);
	assert_string_equal(d->params[0].doc, "the file");
	assert_string_equal(d->params[1].var.value, "644");
	assert_string_equal(list.treatments[0]->doc, "");
	assert_null(list.treatments[0]->save);
	assert_false(d->needs_root);
	library_list_release(&list);
	library_release(&l);
	problems_release(&p);
}

static void a_faulty_definition_is_reported_and_the_others_listed(void **state)
{
	struct problems p = PROBLEMS_INIT;
	struct strlist dirs = STRLIST_INIT;
	struct library_list list;
	struct library l;

	(void)state;
	strlist_push(&dirs, "tests/data/spec/faulty");
	strlist_push(&dirs, "tests/data/spec/library");
	library_init(&l, NULL, &dirs);
	assert_int_equal(library_list(&list, &l, &p), -1);
	assert_int_equal(list.n_treatments, 2);
	assert_int_equal(list.n_benchmarks, 1);
	library_list_release(&list);
	library_release(&l);
	strlist_release(&dirs);
	problems_release(&p);
}

#define FAULTY "tests/data/spec/faulty/"
#define USED(place) " (used at x.yaml:" place ")\n"

static void faults_in_definitions_point_into_them_and_to_the_use(void **state)
{
	static const char text[] =
		"assay: 1\nexperiment: x\nhosts: {here: local}\n"
		"factors:\n"
		"  a: {use: lacking, levels: [x]}\n"
		"  b: {use: unclosed, levels: [x]}\n"
		"  c: {use: lacking, levels: [y]}\n"
		"benchmarks:\n"
		"  d: {use: silent}\n"
		"  e: {use: empty}\n"
		"  f: {use: list}\n";
	struct strlist dirs = STRLIST_INIT;
	struct problems p = PROBLEMS_INIT;
	struct resolver resolver;
	struct experiment e;
	struct library l;

	(void)state;
	strlist_push(&dirs, "tests/data/spec/faulty");
	library_init(&l, NULL, &dirs);
	resolver = library_resolver(&l);
	assert_int_equal(experiment_parse(&e, "x.yaml", text, strlen(text),
					  &resolver, NULL, &p), -1);
	assert_problems(
		&p,
		FAULTY "benchmarks/empty.yaml:0:0: the file is empty; a "
		       "definition starts with \"benchmark: NAME\""
		       USED("10:12")
		FAULTY "benchmarks/list.yaml:1:1: a definition is a mapping "
		       "that starts with \"benchmark: NAME\", not a list"
		       USED("11:12")
		FAULTY "benchmarks/silent.yaml:2:6: \"run\" is empty"
		       USED("9:12")
		FAULTY "benchmarks/silent.yaml:3:12: no response: a benchmark "
		       "measures at least one" USED("9:12")
		FAULTY "benchmarks/silent.yaml:4:10: \"timeout\": expected a "
		       "duration such as 90s, 5m or 1.5h, got \"soon\""
		       USED("9:12")
		FAULTY "treatments/lacking.yaml:1:1: a treatment definition "
		       "needs the key \"verify\" (succeeds when $level is in "
		       "effect)" USED("5:12")
		FAULTY "treatments/lacking.yaml:1:1: a treatment definition "
		       "needs the key \"revert\" (puts the state back that "
		       "`save` printed, in $saved)" USED("5:12")
		FAULTY "treatments/lacking.yaml:1:12: the definition is called "
		       "\"missing\", its file \"lacking.yaml\"; make them the "
		       "same" USED("5:12")
		FAULTY "treatments/lacking.yaml:2:1: there is no key \"aply\" "
		       "in a treatment definition; did you mean \"apply\"?"
		       USED("5:12")
		FAULTY "treatments/lacking.yaml:4:3: parameter \"level\" is "
		       "what treatment scripts find the present level in; "
		       "choose another name"
		       USED("5:12")
		FAULTY "treatments/lacking.yaml:5:7: there is no key "
		       "\"defualt\" in a parameter; did you mean \"default\"? "
		       "(keys: type, doc, default, choices, min, max)"
		       USED("5:12")
		FAULTY "treatments/lacking.yaml:6:7: \"root\": expected true "
		       "or false, got \"maybe\"" USED("5:12")
		FAULTY "treatments/lacking.yaml:7:9: \"levels\" is empty; "
		       "leave it out to allow any" USED("5:12")
		FAULTY "treatments/lacking.yaml:8:9: \"reboot\": expected "
		       "true or false, got \"maybe\"" USED("5:12")
		FAULTY "treatments/unclosed.yaml:3:7: expected \",\" or \"]\" "
		       "(in the list that starts on line 2)" USED("6:12"));
	assert_int_equal(e.files.n, 6);
	experiment_release(&e);
	library_release(&l);
	strlist_release(&dirs);
	problems_release(&p);
}

/* A library in a scratch directory. */
struct scratch {
	char dir[32];
};

static void scratch_write(const struct scratch *s, const char *name,
			  const char *text)
{
	struct error err = ERROR_INIT;
	char *path = path_join(s->dir, name), *dir = path_dir(path);

	assert_int_equal(path_make_dirs(dir, &err), 0);
	assert_int_equal(path_write(path, text, strlen(text), &err), 0);
	free(dir);
	free(path);
}

static int scratch_setup(void **state)
{
	struct scratch *s = mem_zalloc(1, sizeof(*s));

	strcpy(s->dir, "/tmp/assay-library.XXXXXX");
	*state = s;
	return mkdtemp(s->dir) ? 0 : -1;
}

static int scratch_teardown(void **state)
{
	struct scratch *s = *state;
	char *command = mem_printf("rm -rf -- '%s'", s->dir);
	int rc = system(command);

	free(command);
	free(s);
	return rc;
}

static void definition(const struct scratch *s, const char *name,
		       const char *script)
{
	char *text = mem_printf("benchmark: b\nrun: %s\nresponses: {t: {json: "
				".}}\n", script);

	scratch_write(s, name, text);
	free(text);
}

static void assert_script(const struct scratch *s, const struct strlist *dirs,
			  const char *wanted)
{
	char *path = path_join(s->dir, "x.yaml");
	struct problems p = PROBLEMS_INIT;
	struct experiment e;

	assert_int_equal(experiment_load(&e, path, dirs, NULL, &p), 0);
	assert_string_equal(e.benchmarks[0].script, wanted);
	experiment_release(&e);
	problems_release(&p);
	free(path);
}

/* Loads x.yaml through the cache, and tells the script of its benchmark and
 * where that stands; or what is wrong. */
static char *load_cached(const struct scratch *s, struct yaml_cache *cache)
{
	const struct experiment_options options = { .cache = cache };
	char *path = path_join(s->dir, "x.yaml"), *text;
	struct strlist none = STRLIST_INIT;
	struct problems p = PROBLEMS_INIT;
	struct experiment e;

	if (experiment_load(&e, path, &none, &options, &p))
		text = listing(&p);
	else
		text = mem_printf("%s at %s:%u", e.benchmarks[0].script,
				  path_base(e.benchmarks[0].script_mark.file),
				  e.benchmarks[0].script_mark.line);
	experiment_release(&e);
	problems_release(&p);
	free(path);
	return text;
}

static void assert_cached(const struct scratch *s, struct yaml_cache *cache,
			  const char *wanted)
{
	char *got = load_cached(s, cache);

	assert_string_equal(got, wanted);
	free(got);
}

static void a_cache_remembers_what_was_in_order(void **state)
{
	static const char experiment[] =
		"assay: 1\nexperiment: x\nhosts: {a: local}\n"
		"benchmarks: {b: {use: b}}\n";
	struct yaml_cache cache = YAML_CACHE_INIT;
	const struct scratch *s = *state;
	char *got;

	scratch_write(s, "x.yaml", experiment);
	scratch_write(s, "benchmarks/b.yaml", "benchmark: b\nbenchmark: c\n");
	got = load_cached(s, &cache);
	assert_non_null(strstr(got, "benchmarks/b.yaml:2:1: "));
	free(got);
	got = load_cached(s, &cache);
	assert_non_null(strstr(got, "benchmarks/b.yaml:2:1: "));
	free(got);
	definition(s, "benchmarks/b.yaml", "one");
	assert_cached(s, &cache, "one at b.yaml:2");
	definition(s, "benchmarks/b.yaml", "two");
	scratch_write(s, "x.yaml", "- nothing\n");
	assert_cached(s, &cache, "one at b.yaml:2");
	scratch_write(s, "x.yaml", experiment);
	yaml_cache_release(&cache);
	assert_cached(s, &cache, "two at b.yaml:2");
	yaml_cache_release(&cache);
}

static void the_nearest_definition_wins(void **state)
{
	const struct scratch *s = *state;
	struct strlist dirs = STRLIST_INIT;

	strlist_push_nodup(&dirs, path_join(s->dir, "first"));
	strlist_push_nodup(&dirs, path_join(s->dir, "second"));
	scratch_write(s, "x.yaml",
		      "assay: 1\nexperiment: x\nhosts: {here: local}\n"
		      "benchmarks: {a: {use: b}}\n");
	definition(s, "second/benchmarks/b.yaml", "second");
	assert_script(s, &dirs, "second");
	definition(s, "first/benchmarks/b.yaml", "first");
	assert_script(s, &dirs, "first");
	definition(s, "benchmarks/b.yaml", "beside");
	assert_script(s, &dirs, "beside");
	definition(s, "library/benchmarks/b.yaml", "library");
	assert_script(s, &dirs, "library");
	strlist_release(&dirs);
}

static void the_current_directory_has_no_dot_in_file_names(void **state)
{
	const struct scratch *s = *state;
	struct strlist none = STRLIST_INIT;
	struct problems p = PROBLEMS_INIT;
	struct experiment e;
	char cwd[4096];

	definition(s, "library/benchmarks/b.yaml", "echo");
	scratch_write(s, "x.yaml",
		      "assay: 1\nexperiment: x\nhosts: {here: local}\n"
		      "benchmarks: {a: {use: b}}\n");
	assert_non_null(getcwd(cwd, sizeof(cwd)));
	assert_int_equal(chdir(s->dir), 0);
	assert_int_equal(experiment_load(&e, "x.yaml", &none, NULL, &p), 0);
	assert_int_equal(chdir(cwd), 0);
	assert_string_equal(e.files.items[1], "library/benchmarks/b.yaml");
	experiment_release(&e);
	problems_release(&p);
}

static void a_definition_that_is_a_directory_says_so(void **state)
{
	const struct scratch *s = *state;
	struct strlist none = STRLIST_INIT;
	struct problems p = PROBLEMS_INIT;
	char *path = path_join(s->dir, "x.yaml"), *wanted;
	struct experiment e;

	scratch_write(s, "benchmarks/b.yaml/file", "");
	scratch_write(s, "x.yaml",
		      "assay: 1\nexperiment: x\nhosts: {here: local}\n"
		      "benchmarks: {a: {use: b}}\n");
	assert_int_equal(experiment_load(&e, path, &none, NULL, &p), -1);
	wanted = mem_printf("%s/benchmarks/b.yaml:0:0: not a regular file "
			    "(used at %s:4:23)\n", s->dir, path);
	assert_problems(&p, wanted);
	free(wanted);
	free(path);
	experiment_release(&e);
	problems_release(&p);
}

static bool is_family(const struct scratch *s, const char *first,
		      const char *second)
{
	struct strlist dirs = STRLIST_INIT, levels = STRLIST_INIT;
	struct resolver resolver;
	struct library l;
	bool family;

	strlist_push_nodup(&dirs, path_join(s->dir, first));
	strlist_push_nodup(&dirs, path_join(s->dir, second));
	library_init(&l, NULL, &dirs);
	resolver = library_resolver(&l);
	family = resolver.family(resolver.ctx, "t", &levels);
	assert_int_equal(levels.n, family ? 1 : 0);
	library_release(&l);
	strlist_release(&dirs);
	strlist_release(&levels);
	return family;
}

static void the_nearest_folder_says_whether_a_name_is_a_family(void **state)
{
	const struct scratch *s = *state;

	scratch_write(s, "one/treatments/t.yaml", "");
	scratch_write(s, "many/treatments/t/x.yaml", "");
	scratch_write(s, "both/treatments/t.yaml", "");
	scratch_write(s, "both/treatments/t/x.yaml", "");
	scratch_write(s, "none/treatments/t/README", "");
	assert_false(is_family(s, "one", "many"));
	assert_true(is_family(s, "many", "one"));
	assert_false(is_family(s, "both", "none"));
	assert_false(is_family(s, "none", "one"));
	assert_true(is_family(s, "none", "many"));
	assert_false(is_family(s, "none", "none"));
}

#define SCRATCH(f)                                                          \
	cmocka_unit_test_setup_teardown(f, scratch_setup, scratch_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			the_quickstart_loads_and_names_every_file_it_read),
		cmocka_unit_test(a_missing_experiment_says_so),
		cmocka_unit_test(the_shipped_library_is_sound),
		cmocka_unit_test(monitors_are_found_like_the_others),
		cmocka_unit_test(a_list_has_parameters_with_defaults_and_docs),
		cmocka_unit_test(
			a_faulty_definition_is_reported_and_the_others_listed),
		cmocka_unit_test(
			faults_in_definitions_point_into_them_and_to_the_use),
		SCRATCH(a_cache_remembers_what_was_in_order),
		SCRATCH(the_nearest_definition_wins),
		SCRATCH(the_nearest_folder_says_whether_a_name_is_a_family),
		SCRATCH(the_current_directory_has_no_dot_in_file_names),
		SCRATCH(a_definition_that_is_a_directory_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
