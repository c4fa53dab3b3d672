#ifndef TESTS_STORE_FIXTURE_H
#define TESTS_STORE_FIXTURE_H

/* A scratch directory and a small campaign for the tests of the store. */

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <ftw.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/store/store.h"
#include "orchestrate/store/store_attempt.h"
#include "orchestrate/store/store_campaign.h"
#include "orchestrate/store/store_query.h"
#include "orchestrate/store/store_state.h"

struct scratch {
	char *dir;
	char *db;    /* dir/results/x.db */
};

static int remove_entry(const char *path, const struct stat *st, int flag,
			struct FTW *ftw)
{
	(void)st;
	(void)flag;
	(void)ftw;
	return remove(path);
}

__attribute__((unused)) static int scratch_make(void **state)
{
	const char *tmp = getenv("TMPDIR");
	struct scratch *s = mem_zalloc(1, sizeof(*s));

	s->dir = mem_printf("%s/assay-store.XXXXXX", tmp ? tmp : "/tmp");
	if (!mkdtemp(s->dir))
		return -1;
	s->db = mem_printf("%s/results/x.db", s->dir);
	*state = s;
	return 0;
}

__attribute__((unused)) static int scratch_remove(void **state)
{
	struct scratch *s = *state;

	nftw(s->dir, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	free(s->dir);
	free(s->db);
	free(s);
	return 0;
}

/* Fails with the message when the call fails. */
#define ok(call)                                                   \
	do {                                                       \
		err = (struct error)ERROR_INIT;                    \
		if ((call) != 0)                                   \
			fail_msg("%s: %s", #call, err.text);       \
	} while (0)

/* Fails unless the call fails with that kind and a text holding `part`. */
#define refused(call, wanted_kind, part)                           \
	do {                                                       \
		err = (struct error)ERROR_INIT;                    \
		assert_int_equal((call), -1);                      \
		if (err.kind != (wanted_kind) ||                   \
		    !strstr(err.text, part) ||                     \
		    strchr(err.text, '\n'))                        \
			fail_msg("kind %d: %s", (int)err.kind,     \
				 err.text);                        \
	} while (0)

__attribute__((unused)) static struct store *
open_store(const char *path, enum store_mode mode)
{
	struct error err = ERROR_INIT;
	struct store *s = NULL;

	if (store_open(&s, path, mode, &err) < 0)
		fail_msg("%s", err.text);
	return s;
}

/* A run of the test's plan: benchmark "b", one factor "f". */
struct plan_item {
	const char *level;
	uint32_t replicate;
	const char *host;
};

struct plan_list {
	const struct plan_item *items;
	char key[100], treatment[50];
	const char *factor, *level;
};

__attribute__((unused)) static void plan_next(void *ctx, size_t i,
					      struct planned_run *run)
{
	struct plan_list *l = ctx;
	const struct plan_item *item = &l->items[i];

	snprintf(l->treatment, sizeof(l->treatment), "f=%s", item->level);
	snprintf(l->key, sizeof(l->key), "b/f=%s#%u", item->level,
		 item->replicate);
	l->factor = "f";
	l->level = item->level;
	*run = (struct planned_run){
		.key = l->key,
		.benchmark = "b",
		.treatment = l->treatment,
		.replicate = item->replicate,
		.host = item->host,
		.position = (uint32_t)i + 1,
		.factor_names = &l->factor,
		.level_names = &l->level,
		.n_factors = 1,
	};
}

__attribute__((unused)) static int64_t
plan(struct store *s, int64_t campaign, const struct plan_item *items, size_t n)
{
	struct plan_list list = { .items = items };
	struct error err = ERROR_INIT;

	if (store_plan(s, campaign, n, plan_next, &list, &err) < 0)
		fail_msg("%s", err.text);
	return campaign;
}

__attribute__((unused)) static int64_t new_campaign(struct store *s)
{
	char recipe[] = "r1", experiment[] = "x";
	struct campaign c = {
		.recipe = recipe, .experiment = experiment, .seed = 7,
	};
	struct error err = ERROR_INIT;

	if (store_campaign_new(s, &c, &err) < 0)
		fail_msg("%s", err.text);
	free(c.uuid);
	return c.id;
}

__attribute__((unused)) static int64_t new_session(struct store *s,
						   int64_t campaign)
{
	struct error err = ERROR_INIT;
	int64_t id = 0;

	if (store_session_new(s, campaign, "c0ffee", "1.0", NULL, &id,
			      &err) < 0)
		fail_msg("%s", err.text);
	return id;
}

__attribute__((unused)) static int64_t begin(struct store *s, int64_t campaign,
					     int64_t session, const char *key,
					     const char *host)
{
	struct error err = ERROR_INIT;
	char token[33];
	int64_t id = 0;

	if (store_attempt_begin(s, campaign, session, key, host, token, &id,
				&err) < 0)
		fail_msg("%s", err.text);
	return id;
}

/* Ends the attempt with one observation of "time" in s (none when NaN). */
__attribute__((unused)) static void end(struct store *s, int64_t attempt,
					enum outcome outcome, double value)
{
	struct observation o = { "time", value, "s", BETTER_LOWER };
	struct attempt_end e = {
		.outcome = outcome,
		.reason = outcome == OUTCOME_OK ? NULL : "a reason",
		.exit_status = outcome == OUTCOME_OK ? 0 : -1,
		.duration = 1.5,
		.out = { .head = "out", .n_head = 3 },
		.observations = &o,
		.n_observations = isnan(value) ? 0 : 1,
	};
	struct error err = ERROR_INIT;

	if (store_attempt_end(s, attempt, &e, &err) < 0)
		fail_msg("%s", err.text);
}

__attribute__((unused)) static void drop_frame(struct frame *f)
{
	free(f->benchmark);
	free(f->response);
	free(f->uom);
	for (size_t i = 0; i < f->n_keys; i++)
		free(f->keys[i]);
	for (size_t i = 0; i < f->n_hosts; i++)
		free(f->hosts[i]);
	free(f->keys);
	free(f->hosts);
	free(f->runs);
	free(f->run_of);
	free(f->value);
}

/* Runs SQL on the file, as a user's tool would; SQLite's result code. */
__attribute__((unused)) static int outside(const char *path, const char *sql,
					   char **message)
{
	sqlite3 *db = NULL;
	char *text = NULL;
	int rc = sqlite3_open(path, &db);

	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, sql, NULL, NULL, &text);
	if (message)
		*message = mem_strdup(text);
	sqlite3_free(text);
	sqlite3_close(db);
	return rc;
}

/* The single text a query gives; caller frees. */
__attribute__((unused)) static char *ask(const char *path, const char *sql)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *stmt = NULL;
	char *text = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	if (sqlite3_step(stmt) == SQLITE_ROW)
		text = mem_strdup((const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return text;
}

__attribute__((unused)) static void expect(const char *path, const char *sql,
					   const char *wanted)
{
	char *text = ask(path, sql);

	if (!text || strcmp(text, wanted) != 0)
		fail_msg("%s: \"%s\", not \"%s\"", sql, text ? text : "NULL",
			 wanted);
	free(text);
}

#endif
