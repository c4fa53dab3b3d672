#include "tests/unit/pool_lab.h"

#include "orchestrate/exec/able.h"
#include "orchestrate/spec/treatment_def.h"

#define HEAD                                                                \
	"assay: 1\nexperiment: able\n"                                      \
	"hosts: {one: local, two: local}\n"
#define RUN "    run: 'echo 1'\n    responses: {r: {regex: '[0-9]'}}\n"

/* Reads the file; what is said of it has one line each. */
static void read_text(struct experiment *e, const char *yaml)
{
	struct strlist library = STRLIST_INIT;
	struct problems p = PROBLEMS_INIT;
	char dir[] = "/tmp/assay-able.XXXXXX", *path, *command;
	struct error err;

	assert_non_null(mkdtemp(dir));
	path = mem_printf("%s/x.yaml", dir);
	command = mem_printf("rm -r '%s'", dir);
	assert_int_equal(path_write(path, yaml, strlen(yaml), &err), 0);
	if (experiment_load(e, path, &library, NULL, &p))
		fail_msg("%u: %s", p.items[0].line, p.items[0].text);
	assert_int_equal(system(command), 0);
	problems_release(&p);
	free(path);
	free(command);
}

static void expect_said(const struct experiment *e, const char *text)
{
	struct problems p = PROBLEMS_INIT;
	struct buf said = BUF_INIT;

	exec_check_able(e, &p);
	problems_sort(&p);
	for (size_t i = 0; i < p.n; i++)
		buf_addf(&said, "%u:%u: %s\n", p.items[i].line,
			 p.items[i].column, p.items[i].text);
	assert_string_equal(said.data, text);
	buf_release(&said);
	problems_release(&p);
}

static void expect(const char *yaml, const char *text)
{
	struct experiment e;

	read_text(&e, yaml);
	expect_said(&e, text);
	experiment_release(&e);
}

#define NOT_YET " is planned, but `assay run` cannot do it yet\n"

static void what_a_run_does_is_not_told(void **state)
{
	(void)state;
	expect(HEAD
	       "roles: {client: one, server: [one, two]}\n"
	       "factors: {n: [1, 2], who: [client, server]}\n"
	       "setups: {s: {per: [n], run: 'true'}}\n"
	       "benchmarks:\n  b:\n    warmup: 1\n    repeats: 2\n"
	       "    run:\n      role: {by: who, values: {client: client}, "
	       "else: server}\n      script: 'echo 1'\n"
	       "    responses: {r: {regex: '[0-9]'}}\n", "");
}

static void parts_beside_the_command_are_told(void **state)
{
	(void)state;
	expect(HEAD "roles: {sut: [one, two]}\n"
	       "factors: {n: [1, 2]}\n"
	       "benchmarks:\n"
	       "  b:\n"
	       "    services: [{name: echo, run: 'sleep 100'}]\n"
	       "    monitors: [{name: load, run: 'vmstat 1', interval: 1, "
	       "responses: {x: {regex: '[0-9]+'}}}]\n"
	       "    artefacts: [x.json]\n" RUN,
	       "7:3: keeping files (`artefacts`) of benchmark \"b\"" NOT_YET
	       "8:16: service \"echo\"" NOT_YET
	       "9:16: monitor \"load\"" NOT_YET);
}

static void several_hosts_in_a_run_are_told(void **state)
{
	(void)state;
	expect(HEAD
	       "roles:\n  sut: {hosts: [one, two], count: 2}\n"
	       "factors: {n: [1, 2]}\n"
	       "benchmarks:\n  b:\n" RUN,
	       "5:35: a run on several hosts of role \"sut\"" NOT_YET);
	expect(HEAD
	       "roles:\n  sut: {hosts: [one, two], count: 1}\n"
	       "factors: {n: [1, 2]}\n"
	       "benchmarks:\n  b:\n" RUN, "");
	expect(HEAD
	       "roles:\n  sut:\n    hosts: [one, two]\n"
	       "    count: {by: n, values: {1: 1}, else: 2}\n"
	       "factors: {n: [1, 2]}\n"
	       "benchmarks:\n  b:\n" RUN,
	       "7:12: a run on several hosts of role \"sut\"" NOT_YET);
}

static void what_a_design_asks_for_in_time_is_told(void **state)
{
	struct experiment e;
	struct mark at = { .file = "x", .line = 9, .column = 4 };

	(void)state;
	read_text(&e, HEAD "roles: {sut: [one, two]}\n"
		  "factors: {n: [1, 2]}\nbenchmarks:\n  b:\n" RUN);
	e.matrices[0].blocks = BLOCK_HOST;
	expect_said(&e, "");
	e.matrices[0].until.response = mem_strdup("r");
	e.matrices[0].until.mark = at;
	e.matrices[0].blocks = BLOCK_DAY;
	e.matrices[0].replicates_mark = at;
	expect_said(&e, "9:4: more runs until the interval is narrow enough "
		    "(`until`)" NOT_YET
		    "9:4: spreading the blocks over days (`blocks`)" NOT_YET);
	experiment_release(&e);
}

static void treatments_beyond_the_host_are_told(void **state)
{
	static const struct mark at = { .file = "x", .line = 7, .column = 2 };
	struct treatment_def *def = mem_zalloc(1, sizeof(*def));
	struct experiment e;

	(void)state;
	read_text(&e, HEAD "roles: {sut: one, load: two}\n"
		  "factors: {n: [1, 2]}\nbenchmarks:\n  b:\n" RUN);
	def->name = mem_strdup("kernel");
	def->reboot = true;
	def->applies_to = mem_strdup("sut");
	e.uses[0].treatment.def = def;
	e.uses[0].mark = at;
	expect_said(&e, "7:2: restarting the host for treatment \"kernel\""
		    NOT_YET);
	def->reboot = false;
	expect_said(&e, "");
	free(def->applies_to);
	def->applies_to = mem_strdup("load");
	expect_said(&e, "7:2: applying treatment \"kernel\" on the hosts of "
		    "role \"load\"" NOT_YET);
	experiment_release(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_run_does_is_not_told),
		cmocka_unit_test(parts_beside_the_command_are_told),
		cmocka_unit_test(several_hosts_in_a_run_are_told),
		cmocka_unit_test(what_a_design_asks_for_in_time_is_told),
		cmocka_unit_test(treatments_beyond_the_host_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
