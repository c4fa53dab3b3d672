#include "tests/unit/pool_lab.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#define KILLS 10
#define SETTINGS                                                            \
	"factors:\n"                                                        \
	"  place: {use: setting, levels: [a, b], file: @/place}\n"          \
	"  mode: {use: setting, levels: [x, y], file: @/mode}\n"            \
	"design: {kind: full-factorial, replicates: 5}\n"

#define RUN                                                                 \
	"benchmarks:\n  b:\n    run: 'echo \"$place $mode\" >>\"$lab/made\"; " \
	"sleep 0.03; read p <\"$lab/place\"; read m <\"$lab/mode\"; "        \
	"[ \"$p $m\" = \"$place $mode\" ] && echo rate=1'\n"                  \
	"    responses: {rate: {regex: 'rate=([0-9]+)', uom: 1/s}}\n"

static size_t count_lines(const struct lab *lab, const char *name,
			  const char *line)
{
	char *text = lab_read(lab, name);
	size_t n = 0, len = strlen(line);

	for (char *at = text; (at = strstr(at, line)); at += len)
		n++;
	free(text);
	return n;
}

/* A controller of its own; `at`: kills itself at that event (0 = never). */
static pid_t start_controller(struct lab *lab,
			      void (*on_event)(struct lab *lab,
					       const struct pool_event *e),
			      int value)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid)
		return pid;
	lab_open_store(lab);
	lab->on_event = on_event;
	lab->value = value;
	_exit(lab_run(lab) ? 1 : 0);
}

static void wait_for(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
}

static void expect_all_once(struct lab *lab, size_t n_runs)
{
	assert_int_equal(lab_settled(lab), n_runs);
	assert_int_equal(count_lines(lab, "made", "\n"), n_runs);
	assert_int_equal(count_lines(lab, "made", "a x\n"), n_runs / 4);
	assert_int_equal(count_lines(lab, "made", "a y\n"), n_runs / 4);
	assert_int_equal(count_lines(lab, "made", "b x\n"), n_runs / 4);
	assert_int_equal(count_lines(lab, "made", "b y\n"), n_runs / 4);
}

static size_t count_ok(struct lab *lab)
{
	struct run_status_row *rows;
	struct error err;
	size_t n, ok = 0;

	assert_int_equal(store_status(lab->store, lab->campaign.id, &rows, &n,
				      &err), 0);
	for (size_t i = 0; i < n; i++)
		ok += rows[i].ended && rows[i].outcome == OUTCOME_OK;
	run_status_free(rows, n);
	return ok;
}

static void killed_at_any_time_it_makes_every_run_once(void **state)
{
	struct lab lab;

	(void)state;
	srandom(getenv("SEED") ? (unsigned)atoi(getenv("SEED")) : 20261130);
	lab_init(&lab, SETTINGS RUN);
	lab_close_store(&lab);
	for (int i = 0; i < KILLS; i++) {
		struct timespec t = { .tv_nsec = random() % 250 * 1000000 };
		pid_t pid = start_controller(&lab, NULL, 0);

		nanosleep(&t, NULL);
		kill(pid, SIGKILL);
		wait_for(pid);
	}
	lab_open_store(&lab);
	if (lab_run(&lab))
		fail_msg("%s\n%s", lab.err.text, lab.events.data);
	expect_all_once(&lab, 20);
	assert_int_equal(count_ok(&lab), 20);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void die_at_event(struct lab *lab, const struct pool_event *event)
{
	(void)event;
	if (lab->n_events == (size_t)lab->value)
		raise(SIGKILL);
}

static void killed_at_each_event_it_resumes(void **state)
{
	struct lab lab;
	size_t made = 0;

	(void)state;
	lab_init(&lab, SETTINGS RUN);
	lab_close_store(&lab);
	/* connected, then two a run */
	for (int at = 1; made < 20; at = at % 4 + 1) {
		wait_for(start_controller(&lab, die_at_event, at));
		lab_open_store(&lab);
		made = lab_settled(&lab);
		lab_close_store(&lab);
		if (at == 4)
			assert_true(made > 0);
	}
	lab_open_store(&lab);
	assert_int_equal(lab_run(&lab), 0);
	expect_all_once(&lab, 20);
	assert_int_equal(count_ok(&lab), 20);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void die_at_last_end(struct lab *lab, const struct pool_event *event)
{
	if (event->kind == POOL_RUN_END && event->done == event->total)
		raise(SIGKILL);
	(void)lab;
}

static bool has_directory(const struct lab *lab)
{
	char *path = lab_path(lab, ".cache/assay");
	bool there = path_exists(path);

	free(path);
	return there;
}

/* Nothing of the host's is under way, pending or missing then. */
#define NOTHING_BUT_A_DIRECTORY                                             \
	"design: {kind: full-factorial, replicates: 2}\n"                   \
	"benchmarks:\n  b:\n    run: 'echo rate=1'\n"                       \
	"    responses: {rate: {regex: 'rate=([0-9]+)', uom: 1/s}}\n"

static void killed_after_its_last_run_the_next_session_sweeps(void **state)
{
	struct lab lab;

	(void)state;
	lab_init(&lab, NOTHING_BUT_A_DIRECTORY);
	lab_close_store(&lab);
	wait_for(start_controller(&lab, die_at_last_end, 0));
	lab_open_store(&lab);
	assert_int_equal(count_ok(&lab), 2);
	assert_true(has_directory(&lab));
	assert_int_equal(lab_run(&lab), 0);
	assert_string_equal(lab.events.data, "connected\n");
	lab_expect_clean(&lab);
	/* once: nobody calls on the host for ever */
	assert_int_equal(lab_run(&lab), 0);
	assert_string_equal(lab.events.data, "");
	lab_release(&lab);
}

static void killed_after_its_last_run_restoring_sweeps(void **state)
{
	struct lab lab;
	size_t n;

	(void)state;
	lab_init(&lab, NOTHING_BUT_A_DIRECTORY);
	lab_close_store(&lab);
	wait_for(start_controller(&lab, die_at_last_end, 0));
	lab_open_store(&lab);
	assert_int_equal(pool_restore(lab.store, &lab.e, NULL, lab_on_event,
				      &lab, &n, &lab.err), 0);
	assert_int_equal(n, 0);
	assert_string_equal(lab.events.data, "connected\n");
	lab_expect_clean(&lab);
	lab_release(&lab);
}

/* Its settings, too, are still in effect. */
static void killed_before_it_reverts_restoring_sweeps(void **state)
{
	struct lab lab;
	size_t n;

	(void)state;
	lab_init(&lab, SETTINGS RUN);
	lab_close_store(&lab);
	wait_for(start_controller(&lab, die_at_last_end, 0));
	lab_open_store(&lab);
	assert_int_equal(count_ok(&lab), 20);
	assert_true(has_directory(&lab));
	assert_int_equal(pool_restore(lab.store, &lab.e, NULL, lab_on_event,
				      &lab, &n, &lab.err), 0);
	assert_int_equal(n, 2);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void die_at_run_start(struct lab *lab, const struct pool_event *event)
{
	(void)lab;
	if (event->kind == POOL_RUN_START)
		raise(SIGKILL);
}

static void an_attempt_that_never_started_is_made_again(void **state)
{
	struct run_detail d;
	struct error err;
	struct lab lab;

	(void)state;
	lab_init(&lab, SETTINGS RUN);
	lab_close_store(&lab);
	wait_for(start_controller(&lab, die_at_run_start, 0));
	lab_open_store(&lab);
	assert_int_equal(lab_run(&lab), 0);
	assert_int_equal(store_run_detail(lab.store, lab.campaign.id, "1", &d,
					  &err), 0);
	assert_int_equal(d.attempts[d.n_attempts - 1].outcome, OUTCOME_OK);
	run_detail_release(&d);
	expect_all_once(&lab, 20);
	lab_release(&lab);
}

/* A setting that was meddled with while nobody looked. */
static void a_collected_run_under_changed_settings_is_invalid(void **state)
{
	struct run_status_row *rows;
	struct lab lab;
	struct error err;
	size_t n, invalid = 0;
	pid_t pid;

	(void)state;
	lab_init(&lab, SETTINGS
		 "benchmarks:\n  b:\n    run: ': >\"$lab/begun\"; "
		 "until [ -e \"$lab/gate\" ]; do sleep 0.01; done; "
		 "echo rate=1'\n"
		 "    responses: {rate: {regex: 'rate=([0-9]+)', uom: "
		 "1/s}}\n");
	lab_close_store(&lab);
	pid = start_controller(&lab, NULL, 0);
	for (char *begun = lab_path(&lab, "begun");; ) {
		if (path_exists(begun)) {
			free(begun);
			break;
		}
	}
	kill(pid, SIGKILL);
	wait_for(pid);
	lab_write(&lab, "place", "meddled\n");
	lab_write(&lab, "gate", "");
	lab_open_store(&lab);
	assert_int_equal(lab_run(&lab), 0);
	assert_non_null(strstr(lab.events.data, "collected b/"));
	assert_int_equal(store_status(lab.store, lab.campaign.id, &rows, &n,
				      &err), 0);
	for (size_t i = 0; i < n; i++)
		invalid += rows[i].outcome == OUTCOME_INVALID;
	run_status_free(rows, n);
	assert_int_equal(invalid, 1);
	assert_int_equal(count_ok(&lab), 19);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void wait_until_exists(const struct lab *lab, const char *name)
{
	char *path = lab_path(lab, name);

	while (!path_exists(path))
		usleep(1000);
	free(path);
}

/* As after an edit of what is measured. */
static void begin_new_campaign(struct lab *lab)
{
	struct campaign *c = &lab->campaign;
	struct error err;

	free(c->uuid);
	c->uuid = NULL;
	assert_int_equal(store_campaign_new(lab->store, c, &err), 0);
	assert_int_equal(store_plan(lab->store, c->id, lab->schedule.n_runs,
				    lab_next_run, lab, &err), 0);
	assert_int_equal(store_session_new(lab->store, c->id, NULL, "test",
					   NULL, &lab->session, &err), 0);
}

static void a_left_campaigns_command_is_stopped_before_the_first_run(
	void **state)
{
	struct run_detail d;
	struct lab lab;
	struct open_attempt *open;
	struct error err;
	const char *said;
	size_t n;
	pid_t pid;

	(void)state;
	lab_init(&lab, SETTINGS
		 "benchmarks:\n  b:\n    run: '[ -e \"$lab/begun\" ] || "
		 "{ : >\"$lab/begun\"; echo $$ >\"$lab/pid\"; "
		 "exec sleep 300; }; "
		 "kill -0 $(cat \"$lab/pid\") 2>/dev/null || echo rate=1'\n"
		 "    responses: {rate: {regex: 'rate=([0-9]+)', uom: "
		 "1/s}}\n");
	lab_close_store(&lab);
	pid = start_controller(&lab, NULL, 0);
	wait_until_exists(&lab, "pid");
	kill(pid, SIGKILL);
	wait_for(pid);
	lab_open_store(&lab);
	begin_new_campaign(&lab);
	if (lab_run(&lab))
		fail_msg("%s\n%s", lab.err.text, lab.events.data);
	said = strstr(lab.events.data, " was begun for an earlier campaign and "
		      "never ended: stopped\n");
	assert_non_null(said);
	assert_true(said < strstr(lab.events.data, "start"));
	assert_int_equal(store_run_detail(lab.store, lab.campaign.id - 1, "1",
					  &d, &err), 0);
	assert_int_equal(d.n_attempts, 1);
	assert_int_equal(d.attempts[0].outcome, OUTCOME_LOST);
	assert_string_equal(d.attempts[0].reason,
			    "its campaign was left: stopped");
	run_detail_release(&d);
	assert_int_equal(count_ok(&lab), 20);
	assert_int_equal(store_attempts_open(lab.store, 0, &open, &n, &err),
			 0);
	open_attempts_free(open, n);
	assert_int_equal(n, 0);
	lab_expect_clean(&lab);
	lab_release(&lab);
}

static void restoring_stops_what_is_still_under_way(void **state)
{
	struct lab lab;
	size_t n, n_open;
	struct open_attempt *open;
	char *pid_text;
	pid_t pid;

	(void)state;
	lab_init(&lab, SETTINGS
		 "benchmarks:\n  b:\n    run: '[ ! -e \"$lab/begun\" ] || "
		 "{ echo rate=1; exit 0; }; : >\"$lab/begun\"; "
		 "echo $$ >\"$lab/pid\"; exec sleep 300'\n"
		 "    responses: {rate: {regex: 'rate=([0-9]+)', uom: "
		 "1/s}}\n");
	lab_close_store(&lab);
	pid = start_controller(&lab, NULL, 0);
	wait_until_exists(&lab, "pid");
	kill(pid, SIGKILL);
	wait_for(pid);
	lab_open_store(&lab);
	if (pool_restore(lab.store, &lab.e, "here", lab_on_event, &lab, &n,
			 &lab.err))
		fail_msg("%s\n%s", lab.err.text, lab.events.data);
	assert_int_equal(n, 2);
	assert_non_null(strstr(lab.events.data, " lost: stopped, as its host "
			       "was put back\nrestored: mode="));
	lab_expect_clean(&lab);
	pid_text = lab_read(&lab, "pid");
	assert_int_equal(kill(atoi(pid_text), 0), -1);
	free(pid_text);
	assert_int_equal(store_attempts_open(lab.store, 0, &open, &n_open,
					     &lab.err), 0);
	open_attempts_free(open, n_open);
	assert_int_equal(n_open, 0);
	/* it is made again */
	assert_int_equal(lab_run(&lab), 0);
	assert_int_equal(count_ok(&lab), 20);
	lab_release(&lab);
}

/* The store may grow by so many bytes only; then its disk is full. */
static int run_with_room(struct lab *lab, size_t room)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		struct rlimit limit = { .rlim_cur = room, .rlim_max = room };

		lab_open_store(lab);
		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
		if (lab_run(lab) == 0)
			_exit(0);
		_exit(lab->err.kind == ERROR_ENVIRONMENT ? 1 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void a_full_disk_at_any_write_loses_nothing(void **state)
{
	size_t step = getenv("STEP") ? (size_t)atoi(getenv("STEP")) : 20000;
	size_t n_failed = 0;
	int status = 1;

	(void)state;
	for (size_t room = 120000; status != 0; room += step) {
		struct lab lab;

		lab_init(&lab,
			 "factors:\n"
			 "  place: {use: setting, levels: [a, b], "
			 "file: @/place}\n"
			 "  mode: {use: setting, levels: [x, y], "
			 "file: @/mode}\n"
			 "design: {kind: full-factorial, replicates: 1}\n"
			 RUN);
		lab_close_store(&lab);
		status = run_with_room(&lab, room);
		assert_in_range(status, 0, 1);
		n_failed += status != 0;
		lab_open_store(&lab);
		if (lab_run(&lab))
			fail_msg("%s\n%s", lab.err.text, lab.events.data);
		expect_all_once(&lab, 4);
		if (count_ok(&lab) != 4)
			fail_msg("room %zu: %s", room, lab.events.data);
		lab_expect_clean(&lab);
		lab_release(&lab);
	}
	assert_true(n_failed > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed_at_any_time_it_makes_every_run_once),
		cmocka_unit_test(killed_at_each_event_it_resumes),
		cmocka_unit_test(
			killed_after_its_last_run_the_next_session_sweeps),
		cmocka_unit_test(killed_after_its_last_run_restoring_sweeps),
		cmocka_unit_test(killed_before_it_reverts_restoring_sweeps),
		cmocka_unit_test(an_attempt_that_never_started_is_made_again),
		cmocka_unit_test(
			a_collected_run_under_changed_settings_is_invalid),
		cmocka_unit_test(
			a_left_campaigns_command_is_stopped_before_the_first_run),
		cmocka_unit_test(restoring_stops_what_is_still_under_way),
		cmocka_unit_test(a_full_disk_at_any_write_loses_nothing),
	};

	cmocka_set_test_filter(getenv("TEST"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
