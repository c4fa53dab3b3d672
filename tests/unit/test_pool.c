#include "tests/unit/pool_lab.h"

#include <signal.h>


#define TWO_FACTORS                                                         \
	"factors:\n"                                                        \
	"  place: {use: setting, levels: [a, b], file: @/place}\n"          \
	"  mode: {use: setting, levels: [x, y, z], file: @/mode}\n"         \
	"design: {kind: full-factorial, replicates: 1, "                    \
	"order: {kind: as-written}}\n"

#define RATE "    responses: {rate: {regex: 'rate=([0-9]+)', uom: 1/s}}\n"

static void expect_events(struct lab *lab, const char *text)
{
	assert_string_equal(lab->events.data, text);
}

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

static void six_runs_change_only_what_differs(void **state)
{
	struct frame frame;
	struct error err;
	struct lab lab;

	(void)state;
	lab_init(&lab, TWO_FACTORS
		 "benchmarks:\n  b:\n"
		 "    run: 'echo \"run $place $mode\" >>\"$lab/log\"; "
		 "cat \"$lab/place\" \"$lab/mode\"; echo rate=${#mode}7'\n"
		 RATE);
	if (lab_run(&lab))
		fail_msg("%s", lab.err.text);
	lab_expect(&lab, "log",
		   "save place\napply place=a\nsave mode\napply mode=x\n"
		   "run a x\n"
		   "revert mode=x\nsave mode\n"
		   "save mode\napply mode=y\nrun a y\n"
		   "revert mode=y\nsave mode\n"
		   "save mode\napply mode=z\nrun a z\n"
		   "revert mode=z\nsave mode\nrevert place=a\nsave place\n"
		   "save place\napply place=b\nsave mode\napply mode=x\n"
		   "run b x\n"
		   "revert mode=x\nsave mode\n"
		   "save mode\napply mode=y\nrun b y\n"
		   "revert mode=y\nsave mode\n"
		   "save mode\napply mode=z\nrun b z\n"
		   "revert mode=z\nsave mode\nrevert place=b\n"
		   "save place\n");
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 6);
	assert_int_equal(lab.summary.left, 0);
	assert_int_equal(lab.summary.unrestored, 0);
	assert_int_equal(lab_settled(&lab), 6);
	assert_int_equal(store_frame(lab.store, lab.campaign.id, "b", "rate",
				     &frame, &err), 0);
	assert_int_equal(frame.n_values, 6);
	assert_true(frame.value[0] == 17);
	frame_release(&frame);
	lab_expect_clean(&lab);
	/* nothing is left to do */
	assert_int_equal(lab_run(&lab), 0);
	expect_events(&lab, "");
	lab_release(&lab);
}

static void evidence_says_what_was_in_effect(void **state)
{
	struct run_detail d;
	struct error err;
	struct lab lab;

	(void)state;
	lab_init(&lab, TWO_FACTORS "benchmarks:\n  b:\n    run: 'echo rate=1'\n"
		 RATE);
	assert_int_equal(lab_run(&lab), 0);
	assert_int_equal(store_run_detail(lab.store, lab.campaign.id, "2", &d,
					  &err), 0);
	assert_int_equal(d.n_attempts, 1);
	assert_int_equal(d.attempts[0].n_evidence, 2);
	assert_string_equal(d.attempts[0].evidence[0].phase, "verify-before");
	assert_string_equal(d.attempts[0].evidence[0].factor, "place");
	assert_string_equal(d.attempts[0].evidence[0].text, "a\n");
	assert_string_equal(d.attempts[0].evidence[1].phase, "apply");
	assert_string_equal(d.attempts[0].evidence[1].text, "y\n");
	assert_string_equal(d.attempts[0].out_head, "rate=1\n");
	run_detail_release(&d);
	lab_release(&lab);
}

static void a_failing_apply_makes_its_runs_invalid(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab,
		 "factors:\n"
		 "  place: {use: setting, levels: [a, b], file: @/place}\n"
		 "  mode: {use: setting, levels: [x, y], file: @/mode, "
		 "fail: apply-y}\n"
		 "design: {kind: full-factorial, replicates: 1, "
		 "order: {kind: as-written}}\n"
		 "benchmarks:\n  b:\n    run: 'echo rate=1'\n" RATE);
	assert_int_equal(lab_run(&lab), 0);
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 2);
	assert_int_equal(lab.summary.by_outcome[OUTCOME_INVALID], 2);
	expect_reason(&lab, "2", OUTCOME_INVALID,
		      "mode=y: apply failed (exit 7): no apply");
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void a_failing_save_applies_nothing(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab,
		 "factors:\n"
		 "  place: {use: setting, levels: [a], file: @/place, "
		 "fail: save}\n"
		 "benchmarks:\n  b:\n    run: 'echo rate=1'\n" RATE);
	assert_int_equal(lab_run(&lab), 0);
	expect_reason(&lab, "1", OUTCOME_INVALID,
		      "place=a: save failed (exit 1): no save");
	lab_expect(&lab, "log", "save place\n");
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void drift_makes_a_run_invalid_and_is_mended(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab,
		 "factors:\n"
		 "  place: {use: setting, levels: [a], file: @/place}\n"
		 "design: {kind: full-factorial, replicates: 3, "
		 "order: {kind: as-written}}\n"
		 "benchmarks:\n  b:\n    run: |\n"
		 "      echo rate=1; cat \"$lab/place\"\n"
		 "      [ -e \"$lab/once\" ] || echo c >\"$lab/place\"\n"
		 "      : >\"$lab/once\"\n" RATE);
	assert_int_equal(lab_run(&lab), 0);
	expect_reason(&lab, "1", OUTCOME_INVALID,
		      "place=a was no longer in effect after the command");
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 2);
	lab_expect(&lab, "log", "save place\napply place=a\n"
		   "revert place=a\nsave place\n"
		   "save place\napply place=a\n"
		   "revert place=a\nsave place\n");
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void meddle_after_a_run(struct lab *lab, const struct pool_event *event)
{
	if (event->kind == POOL_RUN_END)
		lab_write(lab, "place", "meddled\n");
}

static void drift_between_runs_is_mended_before_the_next(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab,
		 "factors:\n"
		 "  place: {use: setting, levels: [a], file: @/place}\n"
		 "design: {kind: full-factorial, replicates: 2, "
		 "order: {kind: as-written}}\n"
		 "benchmarks:\n  b:\n    run: 'read v <\"$lab/place\"; "
		 "[ $v = a ] && echo rate=1'\n" RATE);
	lab.on_event = meddle_after_a_run;
	assert_int_equal(lab_run(&lab), 0);
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 2);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void a_failing_revert_stops_the_host_and_stays_pending(void **state)
{
	struct lab lab;
	size_t n;

	(void)state;
	lab_init(&lab, TWO_FACTORS "benchmarks:\n  b:\n    run: 'echo rate=1; "
		 ": >\"$lab/stuck\"'\n" RATE);
	assert_int_equal(lab_run(&lab), -1);
	assert_int_equal(lab.err.kind, ERROR_ENVIRONMENT);
	assert_string_equal(lab.err.text, "mode=x: revert failed (exit 5): "
			    "stuck; no more runs are made on here");
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 1);
	/* the run that came next was never tried: it is made again */
	assert_int_equal(lab.summary.by_outcome[OUTCOME_INVALID], 0);
	assert_int_equal(lab.summary.by_outcome[OUTCOME_LOST], 1);
	assert_int_equal(lab_settled(&lab), 1);
	assert_int_equal(lab.summary.left, 4);
	assert_int_equal(lab.summary.unrestored, 2);
	assert_int_equal(lab_pending(&lab), 2);
	/* restoring says the same, until the cause is gone */
	assert_int_equal(pool_restore(lab.store, &lab.e, NULL, lab_on_event,
				      &lab, &n, &lab.err), -1);
	assert_string_equal(lab.err.text, "here: mode=x could not be put back "
			    "(exit 5): stuck; it was \"as it was\": see to "
			    "it, then run `assay restore`, or, once it is put "
			    "back by hand, `assay restore --forget`");
	lab_remove(&lab, "stuck");
	buf_clear(&lab.events);
	/* without the experiment: the store knows all */
	assert_int_equal(pool_restore(lab.store, NULL, NULL, lab_on_event,
				      &lab, &n, &lab.err), 0);
	assert_int_equal(n, 2);
	expect_events(&lab, "connected\nrestored: mode=x\n"
		      "restored: place=a\n");
	assert_int_equal(lab_pending(&lab), 0);
	lab_expect(&lab, "place", "found\n");
	lab_release(&lab);
}

static void a_store_that_goes_away_stops_the_runs(void **state)
{
	static const char *const how[] = {
		"rm -f \"$lab/lab.db\"",
		"mv \"$lab/lab.db\" \"$lab/kept\"; cp \"$lab/kept\" "
		"\"$lab/lab.db\"",
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char *yaml = mem_printf(
			TWO_FACTORS "benchmarks:\n  b:\n    run: 'echo rate=1; "
			"echo >>\"$lab/made\"; %s'\n" RATE, how[i]);
		char *text;
		struct lab lab;

		lab_init(&lab, yaml);
		assert_int_equal(lab_run(&lab), -1);
		assert_int_equal(lab.err.kind, ERROR_ENVIRONMENT);
		text = mem_printf("%s/lab.db was removed or replaced while "
				  "assay was writing to it: put that file "
				  "back, if it was moved, then run `assay run` "
				  "again", lab.dir);
		assert_string_equal(lab.err.text, text);
		lab_expect(&lab, "made", "\n");
		lab_expect(&lab, "place", "found\n");
		lab_expect(&lab, "mode", "as it was\n");
		assert_int_equal(lab.summary.left, 5);
		lab_release(&lab);
		free(text);
		free(yaml);
	}
}

static void what_commands_do_wrong_is_told(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab,
		 "factors: {what: [exit, none, hang, flood, nul, signal]}\n"
		 "design: {kind: full-factorial, replicates: 1, "
		 "order: {kind: as-written}}\n"
		 "benchmarks:\n  b:\n    timeout: 3s\n    run: |\n"
		 "      case $what in\n"
		 "      exit) printf 'one\\ntwo\\033\\377\\n' >&2; exit 3 ;;\n"
		 "      none) echo speed=1 ;;\n"
		 "      hang) sleep 60 ;;\n"
		 "      flood) head -c 5000000 /dev/zero; echo rate=1 ;;\n"
		 "      nul) printf '\\0rate=5\\0' ;;\n"
		 "      signal) kill -KILL $$ ;;\n"
		 "      esac\n" RATE);
	assert_int_equal(lab_run(&lab), 0);
	expect_reason(&lab, "1", OUTCOME_FAILED,
		      "exit 3: two\xe2\x90\x9b\xef\xbf\xbd");
	expect_reason(&lab, "2", OUTCOME_FAILED,
		      "response 'rate': nothing in the output matched");
	expect_reason(&lab, "3", OUTCOME_TIMEOUT, "did not end within 3 s");
	expect_reason(&lab, "4", OUTCOME_FAILED, "its output was cut: the "
		      "first 1 MiB and the last 64 KiB are kept, so numbers "
		      "may be missing; print less");
	expect_reason(&lab, "6", OUTCOME_FAILED, "exit 137 (signal 9)");
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 1);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void a_missing_program_is_said_once(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab,
		 "design: {kind: full-factorial, replicates: 3}\n"
		 "benchmarks:\n  b:\n    run: 'echo rate=1'\n" RATE
		 "    needs: [no-such-program]\n"
		 "  c:\n    run: 'echo rate=1'\n" RATE);
	assert_int_equal(lab_run(&lab), -1);
	assert_string_equal(lab.err.text, "here: no-such-program is not "
			    "installed; install it or remove benchmark b");
	assert_int_equal(lab.summary.left, 3);
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 3);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void nearest_value_wins(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab,
		 "factors: {block: [4, 8]}\n"
		 "design: {kind: full-factorial, replicates: 1, "
		 "order: {kind: as-written}}\n"
		 "benchmarks:\n"
		 "  b:\n    run: 'echo \"rate=$block\"'\n" RATE);
	assert_int_equal(lab_run(&lab), 0);
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 2);
	lab_release(&lab);
}

static void interrupt_at_start(struct lab *lab, const struct pool_event *event)
{
	(void)lab;
	if (event->kind == POOL_RUN_START)
		raise(SIGINT);
}

static void ctrl_c_finishes_the_running_command(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, TWO_FACTORS "benchmarks:\n  b:\n    run: 'echo rate=1'\n"
		 RATE);
	lab.on_event = interrupt_at_start;
	assert_int_equal(lab_run(&lab), 0);
	assert_true(lab.summary.interrupted);
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 1);
	assert_int_equal(lab.summary.left, 5);
	lab_expect_clean(&lab);
	lab.on_event = NULL;
	assert_int_equal(lab_run(&lab), 0);
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 5);
	assert_int_equal(lab_settled(&lab), 6);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

/* The command itself presses Ctrl-C: so it is running by then. */
static void note_stopping(struct lab *lab, const struct pool_event *event)
{
	if (event->kind == POOL_STOPPING)
		lab_write(lab, "one", "");
}

static void ctrl_c_twice_stops_it_and_reverts(void **state)
{
	char *yaml = mem_printf(TWO_FACTORS "benchmarks:\n  b:\n    run: "
				"'[ -e \"$lab/go\" ] || { kill -INT %d; "
				"until [ -e \"$lab/one\" ]; do :; done; "
				"kill -INT %d; sleep 60; }; echo rate=1'\n"
				RATE, (int)getpid(), (int)getpid());
	struct lab lab;

	(void)state;
	lab_init(&lab, yaml);
	lab.on_event = note_stopping;
	assert_int_equal(lab_run(&lab), 0);
	assert_int_equal(lab.summary.by_outcome[OUTCOME_STOPPED], 1);
	assert_int_equal(lab.summary.left, 5);
	expect_reason(&lab, "1", OUTCOME_STOPPED, "stopped by the user");
	lab_expect_clean(&lab);
	lab_write(&lab, "go", "");
	assert_int_equal(lab_run(&lab), 0);
	assert_int_equal(lab_settled(&lab), 6);
	lab_release(&lab);
	free(yaml);
}

static void two_hosts_that_share_never_measure_at_once(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab,
		 "  two: {local: true, shares: machine, env: {lab: '@'}}\n"
		 "  three: {local: true, shares: machine, env: {lab: '@'}}\n"
		 "roles: {sut: [two, three]}\n"
		 "design: {kind: full-factorial, replicates: 10}\n"
		 "benchmarks:\n  b:\n    run: 'mkdir \"$lab/alone\" && "
		 "sleep 0.02 && rmdir \"$lab/alone\" && echo rate=1'\n" RATE);
	assert_int_equal(lab_run(&lab), 0);
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 10);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

/* They end at different times, and each cleans up behind itself only. */
static void many_names_of_one_machine_do_not_disturb_each_other(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab,
		 "  b: local\n  c: local\n  d: local\n"
		 "roles: {sut: [here, b, c, d]}\n"
		 "design: {kind: full-factorial, replicates: 30}\n"
		 "benchmarks:\n  b:\n    run: 'echo rate=1'\n" RATE);
	assert_int_equal(lab_run(&lab), 0);
	assert_int_equal(lab.summary.by_outcome[OUTCOME_OK], 30);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(six_runs_change_only_what_differs),
		cmocka_unit_test(evidence_says_what_was_in_effect),
		cmocka_unit_test(a_failing_apply_makes_its_runs_invalid),
		cmocka_unit_test(a_failing_save_applies_nothing),
		cmocka_unit_test(drift_makes_a_run_invalid_and_is_mended),
		cmocka_unit_test(drift_between_runs_is_mended_before_the_next),
		cmocka_unit_test(
			a_failing_revert_stops_the_host_and_stays_pending),
		cmocka_unit_test(a_store_that_goes_away_stops_the_runs),
		cmocka_unit_test(what_commands_do_wrong_is_told),
		cmocka_unit_test(a_missing_program_is_said_once),
		cmocka_unit_test(nearest_value_wins),
		cmocka_unit_test(ctrl_c_finishes_the_running_command),
		cmocka_unit_test(ctrl_c_twice_stops_it_and_reverts),
		cmocka_unit_test(
			many_names_of_one_machine_do_not_disturb_each_other),
		cmocka_unit_test(two_hosts_that_share_never_measure_at_once),
	};

	cmocka_set_test_filter(getenv("TEST"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
