#ifndef TESTS_UNIT_POOL_LAB_H
#define TESTS_UNIT_POOL_LAB_H

/*
 * A whole experiment in a scratch directory, run on this machine through the
 * local executor into a real store. The treatment `setting` keeps its value in
 * a file of the scratch directory and writes down what it is asked to do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/exec/pool.h"
#include "orchestrate/library/library.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/store/store.h"
#include "orchestrate/store/store_campaign.h"
#include "orchestrate/store/store_query.h"
#include "orchestrate/store/store_state.h"
#include "stats/design.h"

struct lab {
	char dir[64];
	struct experiment e;
	struct expansion design;
	struct schedule schedule;
	struct store *store;
	struct campaign campaign;
	int64_t session;
	struct buf events; /* one line each */
	struct pool_summary summary;
	struct error err;
	void (*on_event)(struct lab *lab, const struct pool_event *event);
	size_t n_events;
	int value; /* the test's own */
};

static const char lab_setting[] =
	"treatment: setting\n"
	"doc: a value in a file\n"
	"params: {file: {doc: where}, fail: {doc: a step, default: none}}\n"
	"timeout: 10s\n"
	"save: |\n"
	"  echo \"save $(basename \"$file\")\" >>\"$lab/log\"\n"
	"  [ \"$fail\" != save ] || { echo no save >&2; exit 1; }\n"
	"  cat \"$file\"\n"
	"apply: |\n"
	"  echo \"apply $(basename \"$file\")=$level\" >>\"$lab/log\"\n"
	"  echo \"$level\" >\"$file\"\n"
	"  [ \"$fail\" != \"apply-$level\" ] || "
	"{ echo first >&2; echo no apply >&2; exit 7; }\n"
	"verify: |\n"
	"  read -r v <\"$file\" && [ \"$v\" = \"$level\" ]\n"
	"show: cat \"$file\"\n"
	"revert: |\n"
	"  echo \"revert $(basename \"$file\")=$level\" >>\"$lab/log\"\n"
	"  [ ! -e \"$lab/stuck\" ] || { echo stuck >&2; exit 5; }\n"
	"  echo \"$saved\" >\"$file\"\n";

static char *lab_path(const struct lab *lab, const char *name)
{
	return mem_printf("%s/%s", lab->dir, name);
}

static inline void lab_write(const struct lab *lab, const char *name,
		      const char *text)
{
	struct error err;
	char *path = lab_path(lab, name);

	if (path_write(path, text, strlen(text), &err))
		fail_msg("%s", err.text);
	free(path);
}

static inline void lab_remove(const struct lab *lab, const char *name)
{
	char *path = lab_path(lab, name);

	assert_int_equal(unlink(path), 0);
	free(path);
}

/* The file's text; "" when it is not there. Caller frees. */
static char *lab_read(const struct lab *lab, const char *name)
{
	struct buf text = BUF_INIT;
	struct error err;
	char *path = lab_path(lab, name);

	path_read(path, 1 << 20, &text, &err);
	free(path);
	return buf_detach(&text);
}

static inline void lab_expect(const struct lab *lab, const char *name,
		       const char *text)
{
	char *found = lab_read(lab, name);

	assert_string_equal(found, text);
	free(found);
}

static inline void lab_load(struct lab *lab)
{
	struct strlist library = STRLIST_INIT;
	struct problems p = PROBLEMS_INIT;
	struct error err;
	char *path = lab_path(lab, "lab.yaml");

	if (experiment_load(&lab->e, path, &library, NULL, &p))
		fail_msg("%u: %s", p.items[0].line, p.items[0].text);
	assert_int_equal(expansion_make(&lab->design, &lab->e, &p), 0);
	problems_release(&p);
	assert_int_equal(schedule_plan(&lab->schedule, &lab->e, &lab->design,
				       lab->e.seed, &err), 0);
	free(path);
}

static inline void lab_next_run(void *ctx, size_t i, struct planned_run *run)
{
	static char key[500], treatment[400];
	struct lab *lab = ctx;
	const struct run *r = &lab->schedule.runs[i];
	struct buf text = BUF_INIT;

	memset(run, 0, sizeof(*run));
	schedule_run_key(&lab->schedule, i, &text);
	snprintf(key, sizeof(key), "%s", text.data);
	buf_clear(&text);
	treatment_key(&lab->design.design, r->treatment, &text);
	snprintf(treatment, sizeof(treatment), "%s", text.data);
	buf_release(&text);
	run->key = key;
	run->treatment = treatment;
	run->benchmark = lab->e.benchmarks[r->benchmark].name;
	run->replicate = r->replicate;
	run->host = lab->e.hosts[r->host].name;
	run->position = (uint32_t)i + 1;
}

static inline void lab_open_store(struct lab *lab)
{
	char *path = lab_path(lab, "lab.db");
	struct error err;

	/* A controller that was killed while it forked leaves a child that
	 * holds the lock until it executes its program. */
	for (int tries = 0; store_open(&lab->store, path, STORE_WRITE, &err);
	     tries++) {
		if (tries == 2000)
			fail_msg("%s", err.text);
		usleep(1000);
	}
	if (store_campaign_latest(lab->store, &lab->campaign, &err) != 0) {
		lab->campaign.recipe = mem_strdup("r");
		lab->campaign.experiment = mem_strdup("lab");
		lab->campaign.seed = lab->e.seed;
		assert_int_equal(store_campaign_new(lab->store,
						    &lab->campaign, &err), 0);
	}
	if (store_plan(lab->store, lab->campaign.id, lab->schedule.n_runs,
		       lab_next_run, lab, &err))
		fail_msg("%s", err.text);
	assert_int_equal(store_session_new(lab->store, lab->campaign.id, NULL,
					   "test", NULL, &lab->session, &err),
			 0);
	free(path);
}

static inline void lab_close_store(struct lab *lab)
{
	store_close(lab->store);
	lab->store = NULL;
	campaign_release(&lab->campaign);
	memset(&lab->campaign, 0, sizeof(lab->campaign));
}

/* Adds files to the scratch directory before the experiment is read. */
static void (*lab_before_load)(const char *dir);

/* Makes the scratch directory and loads the experiment in it; `yaml` is what
 * follows its first lines. */
static inline void lab_init(struct lab *lab, const char *yaml)
{
	char *text, *path;

	memset(lab, 0, sizeof(*lab));
	snprintf(lab->dir, sizeof(lab->dir), "/tmp/assay-pool.XXXXXX");
	assert_non_null(mkdtemp(lab->dir));
	setenv("HOME", lab->dir, 1);
	unsetenv("XDG_CACHE_HOME");
	path = lab_path(lab, "treatments");
	assert_int_equal(mkdir(path, 0755), 0);
	free(path);
	lab_write(lab, "treatments/setting.yaml", lab_setting);
	lab_write(lab, "place", "found\n");
	lab_write(lab, "mode", "as it was\n");
	text = mem_printf("assay: 1\nexperiment: lab\n"
			  "hosts:\n  here: {local: true, env: {lab: %s}}\n"
			  "%s", lab->dir, yaml);
	for (char *at; (at = strstr(text, "@"));) {
		char *whole;

		*at = '\0';
		whole = mem_printf("%s%s%s", text, lab->dir, at + 1);
		free(text);
		text = whole;
	}
	lab_write(lab, "lab.yaml", text);
	if (lab_before_load)
		lab_before_load(lab->dir);
	free(text);
	buf_init(&lab->events);
	lab_load(lab);
	lab_open_store(lab);
}

static inline void lab_release(struct lab *lab)
{
	char *command = mem_printf("rm -rf '%s'", lab->dir);

	lab_close_store(lab);
	schedule_release(&lab->schedule);
	expansion_release(&lab->design);
	experiment_release(&lab->e);
	buf_release(&lab->events);
	assert_int_equal(system(command), 0);
	free(command);
}

static inline void lab_on_event(void *ctx, const struct pool_event *event)
{
	static const char *const names[] = {
		"connected", "restored", "collected", "start", "end",
		"stopping", "warning",
	};
	struct lab *lab = ctx;
	bool has_outcome = event->kind == POOL_RUN_END ||
			   event->kind == POOL_COLLECTED;

	buf_addf(&lab->events, "%s%s%s%s%s%s%s\n", names[event->kind],
		 event->run_key ? " " : "",
		 event->run_key ? event->run_key : "", has_outcome ? " " : "",
		 has_outcome ? outcome_name(event->outcome) : "",
		 event->text ? ": " : "", event->text ? event->text : "");
	lab->n_events++;
	if (lab->on_event)
		lab->on_event(lab, event);
}

static inline int lab_is_done(void *ctx, const char *key)
{
	struct lab *lab = ctx;

	return store_run_done(lab->store, lab->campaign.id, key);
}

/* What `assay run` does. */
static inline int lab_run(struct lab *lab)
{
	size_t *runs = mem_zalloc(lab->schedule.n_runs, sizeof(*runs));
	struct pool_options o = {
		.store = lab->store,
		.campaign = lab->campaign.id,
		.session = lab->session,
		.experiment = &lab->e,
		.schedule = &lab->schedule,
		.runs = runs,
		.on_event = lab_on_event,
		.ctx = lab,
	};
	int result;

	o.n_runs = schedule_missing(&lab->schedule, lab_is_done, lab, runs);
	buf_clear(&lab->events);
	lab->err = (struct error)ERROR_INIT;
	result = pool_run(&o, &lab->summary, &lab->err);
	free(runs);
	return result;
}

static inline size_t lab_pending(struct lab *lab)
{
	struct saved_state *states;
	struct error err;
	size_t n;

	assert_int_equal(store_state_pending(lab->store, NULL, &states, &n,
					     &err), 0);
	saved_states_free(states, n);
	return n;
}

/* Settled runs: every planned run has exactly one settling attempt. */
static inline size_t lab_settled(struct lab *lab)
{
	struct run_status_row *rows;
	struct error err;
	size_t n, settled = 0;

	assert_int_equal(store_status(lab->store, lab->campaign.id, &rows, &n,
				      &err), 0);
	for (size_t i = 0; i < n; i++)
		settled += rows[i].ended && outcome_settles(rows[i].outcome);
	run_status_free(rows, n);
	return settled;
}

/* The host is as it was found, and nothing of ours is left on it. */
static inline void lab_expect_clean(struct lab *lab)
{
	char *cache = lab_path(lab, ".cache/assay");

	assert_int_equal(lab_pending(lab), 0);
	lab_expect(lab, "place", "found\n");
	lab_expect(lab, "mode", "as it was\n");
	assert_false(path_exists(cache));
	free(cache);
}

#endif
