#include "tests/unit/pool_lab.h"

#include "orchestrate/exec/planned.h"

/* Two boxes to be inside of: a mark in the environment says in which. */
#define BOX(name, needs)                                                    \
	"treatment: box/" name "\n"                                         \
	"doc: a box\n"                                                      \
	"needs: [" needs "]\n"                                              \
	"apply: |\n"                                                        \
	"  echo make " name " >>\"$lab/log\"\n"                             \
	"  mkdir \"$lab/" name "\"\n"                                       \
	"verify: '[ -d \"$lab/" name "\" ]'\n"                              \
	"revert: |\n"                                                       \
	"  echo break " name " >>\"$lab/log\"\n"                            \
	"  rmdir \"$lab/" name "\"\n"                                       \
	"enter: 'cd \"$lab/" name "\" && inside=" name "$level exec sh -s'\n"

static void add_file(const char *dir, const char *name, const char *text)
{
	char *file = mem_printf("%s/treatments/box/%s", dir, name);
	struct error err;

	if (path_write(file, text, strlen(text), &err))
		fail_msg("%s", err.text);
	free(file);
}

static void add_family(const char *dir)
{
	char *path = mem_printf("%s/treatments/box", dir);

	assert_int_equal(mkdir(path, 0755), 0);
	add_file(dir, "wood.yaml", BOX("wood", ""));
	add_file(dir, "paper.yaml", BOX("paper", ""));
	add_file(dir, "lead.yaml", BOX("lead", "no-such-program"));
	free(path);
}

static void test_init(struct lab *lab, const char *yaml)
{
	lab_before_load = add_family;
	lab_init(lab, yaml);
}

#define RATE "    responses: {rate: {regex: 'rate=([0-9]+)', uom: 1/s}}\n"
#define AS_WRITTEN "design: {replicates: 1, order: {kind: as-written}}\n"

static void expect_reason(struct lab *lab, const char *run,
			  enum outcome outcome, const char *reason)
{
	struct run_detail d;
	struct error err;

	if (store_run_detail(lab->store, lab->campaign.id, run, &d, &err))
		fail_msg("%s", err.text);
	assert_true(d.n_attempts > 0);
	assert_int_equal(d.attempts[d.n_attempts - 1].outcome, outcome);
	assert_string_equal(d.attempts[d.n_attempts - 1].reason, reason);
	run_detail_release(&d);
}

static void runs_enter_the_level_that_is_in_effect(void **state)
{
	struct lab lab;

	(void)state;
	test_init(&lab,
		  "factors:\n"
		  "  box: {use: box, levels: [wood, paper]}\n"
		  "  size: [1, 2]\n"
		  AS_WRITTEN
		  "benchmarks:\n  b:\n"
		  "    run: 'echo \"$inside $(basename \"$PWD\") $size\" "
		  ">>\"$lab/log\"; echo rate=$size'\n" RATE);
	if (lab_run(&lab))
		fail_msg("%s", lab.err.text);
	lab_expect(&lab, "log",
		   "make wood\nwoodwood wood 1\nwoodwood wood 2\nbreak wood\n"
		   "make paper\npaperpaper paper 1\npaperpaper paper 2\n"
		   "break paper\n");
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 4);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void a_set_up_is_shared_by_the_runs_that_agree(void **state)
{
	struct lab lab;

	(void)state;
	test_init(&lab,
		  "factors:\n"
		  "  compiler: [gcc, clang]\n"
		  "  place: {use: setting, levels: [a, b], file: @/place}\n"
		  "setups:\n"
		  "  build:\n"
		  "    per: [compiler]\n"
		  "    run: |\n"
		  "      echo \"build $compiler\" >>\"$lab/log\"\n"
		  "      echo \"$compiler\" >\"$lab/built\"\n"
		  "    check: '[ \"$(cat \"$lab/built\")\" = \"$compiler\" ]'\n"
		  "    clean: 'rm \"$lab/built\"'\n"
		  AS_WRITTEN
		  "benchmarks:\n  b:\n"
		  "    run: 'cat \"$lab/built\" >>\"$lab/log\"; echo rate=1'\n"
		  RATE);
	if (lab_run(&lab))
		fail_msg("%s", lab.err.text);
	lab_expect(&lab, "log",
		   "build gcc\nsave place\napply place=a\ngcc\n"
		   "revert place=a\nsave place\nsave place\napply place=b\n"
		   "gcc\nrevert place=b\nsave place\n"
		   "build clang\nsave place\napply place=a\nclang\n"
		   "revert place=a\nsave place\nsave place\napply place=b\n"
		   "clang\nrevert place=b\nsave place\n");
	lab_expect(&lab, "built", "");
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void a_level_that_lacks_a_program_costs_only_its_runs(void **state)
{
	struct lab lab;

	(void)state;
	test_init(&lab,
		  "factors:\n"
		  "  box: {use: box, levels: [wood, lead]}\n"
		  "  size: [1, 2, 3]\n"
		  AS_WRITTEN
		  "benchmarks:\n  b:\n    run: 'echo rate=1'\n" RATE);
	assert_int_equal(lab_run(&lab), -1);
	assert_string_equal(lab.err.text, "here: no-such-program is not "
			    "installed; install it or remove level box=lead "
			    "(box/lead)");
	assert_int_equal(lab.summary.left, 3);
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 3);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void repeats_are_observations_of_one_run(void **state)
{
	struct frame frame;
	struct error err;
	struct lab lab;

	(void)state;
	test_init(&lab,
		  "factors: {size: [5]}\n" AS_WRITTEN
		  "benchmarks:\n  b:\n    warmup: 2\n    repeats: 3\n"
		  "    run: 'echo \"$repeat\" >>\"$lab/log\"; "
		  "echo rate=$size$repeat'\n" RATE);
	if (lab_run(&lab))
		fail_msg("%s", lab.err.text);
	lab_expect(&lab, "log", "0\n0\n1\n2\n3\n");
	assert_int_equal(store_frame(lab.store, lab.campaign.id, "b", "rate",
				     &frame, &err), 0);
	assert_int_equal(frame.n_values, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(frame.value[i] == 51 + (double)i);
	frame_release(&frame);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void a_warm_up_that_fails_fails_its_run(void **state)
{
	struct lab lab;

	(void)state;
	test_init(&lab,
		  "factors: {size: [1, 2]}\n" AS_WRITTEN
		  "benchmarks:\n  b:\n    warmup: 2\n    repeats: 2\n"
		  "    run: 'echo \"$size $repeat\" >>\"$lab/log\"; "
		  "echo rate=1; echo cold >&2; [ $size = 2 ]'\n" RATE);
	assert_int_equal(lab_run(&lab), 0);
	expect_reason(&lab, "1", OUTCOME_FAILED,
		      "warm-up 1 of 2 failed: exit 1: cold");
	lab_expect(&lab, "log", "1 0\n2 0\n2 0\n2 1\n2 2\n");
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 1);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void a_script_may_differ_by_level(void **state)
{
	struct lab lab;

	(void)state;
	test_init(&lab,
		  "factors: {tool: [old, new]}\n" AS_WRITTEN
		  "benchmarks:\n  b:\n    run:\n      script:\n"
		  "        by: tool\n        values: {old: 'echo old-tool "
		  ">>\"$lab/log\"; echo rate=1'}\n"
		  "        else: 'echo \"$tool-tool!\" >>\"$lab/log\"; "
		  "echo rate=2'\n" RATE);
	if (lab_run(&lab))
		fail_msg("%s", lab.err.text);
	lab_expect(&lab, "log", "old-tool\nnew-tool!\n");
	lab_release(&lab);
}

static void a_value_without_an_answer_is_told_with_its_place(void **state)
{
	static const size_t runs[] = { 0, 1, 2 };
	struct strlist faults = STRLIST_INIT;
	struct lab lab;
	char *wanted;

	(void)state;
	test_init(&lab,
		  "variables: {share: '= 12 / (3 - size)'}\n"
		  "factors:\n"
		  "  place: {use: setting, levels: [a], file: @/place}\n"
		  "  size: [1, 2, 3]\n"
		  AS_WRITTEN
		  "benchmarks:\n  b:\n    run: 'echo rate=$share'\n" RATE);
	assert_int_equal(planned_check(&lab.e, &lab.schedule, runs, 2,
				       &lab.err), 0);
	assert_int_equal(planned_check(&lab.e, &lab.schedule, runs, 3,
				       &lab.err), -1);
	assert_int_equal(lab.err.kind, ERROR_USAGE);
	wanted = mem_printf("%s/lab.yaml:5:29: 3 - size is 0: there is no "
			    "dividing by it", lab.dir);
	assert_string_equal(lab.err.text, wanted);
	planned_faults(&lab.e, &lab.schedule, 2, &faults);
	assert_int_equal(faults.n, 0);
	planned_faults(&lab.e, &lab.schedule, 3, &faults);
	assert_int_equal(faults.n, 1);
	assert_string_equal(faults.items[0], wanted);
	strlist_release(&faults);
	free(wanted);
	lab_release(&lab);
}

static void what_a_level_sets_reaches_the_layers_above(void **state)
{
	struct frame frame;
	struct error err;
	struct lab lab;

	(void)state;
	test_init(&lab,
		  "variables: {total: '= size * 10 + more'}\n"
		  "factors:\n"
		  "  size: [1, 2]\n"
		  "  place:\n"
		  "    use: setting\n"
		  "    file: @/place\n"
		  "    levels: [{name: a, set: {other: '@/mode', more: 5}}]\n"
		  "  mode: {use: setting, levels: [x], file: '${other}'}\n"
		  AS_WRITTEN
		  "benchmarks:\n  b:\n    run: 'cat \"$lab/mode\" "
		  ">>\"$lab/log\"; echo rate=$total'\n" RATE);
	if (lab_run(&lab))
		fail_msg("%s", lab.err.text);
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 2);
	assert_int_equal(store_frame(lab.store, lab.campaign.id, "b", "rate",
				     &frame, &err), 0);
	assert_int_equal(frame.n_values, 2);
	assert_true(frame.value[0] == 15);
	assert_true(frame.value[1] == 25);
	frame_release(&frame);
	lab_expect(&lab, "log", "save place\napply place=a\nsave mode\n"
		   "apply mode=x\nx\nx\nrevert mode=x\nsave mode\n"
		   "revert place=a\nsave place\n");
	lab_expect_clean(&lab);
	lab_release(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_enter_the_level_that_is_in_effect),
		cmocka_unit_test(a_set_up_is_shared_by_the_runs_that_agree),
		cmocka_unit_test(
			a_level_that_lacks_a_program_costs_only_its_runs),
		cmocka_unit_test(repeats_are_observations_of_one_run),
		cmocka_unit_test(a_warm_up_that_fails_fails_its_run),
		cmocka_unit_test(a_script_may_differ_by_level),
		cmocka_unit_test(
			a_value_without_an_answer_is_told_with_its_place),
		cmocka_unit_test(what_a_level_sets_reaches_the_layers_above),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
