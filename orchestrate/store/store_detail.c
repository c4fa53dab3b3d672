#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/store/content.h"
#include "orchestrate/store/outcome.h"
#include "orchestrate/store/subset_columns.h"
#include "orchestrate/store/store_private.h"
#include "orchestrate/store/store_query.h"

#define KEYS_NAMED 3

static int ambiguous(struct db *db, int64_t campaign, const char *run,
		     struct value position, int64_t n, struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	struct buf keys = BUF_INIT;
	int rc = db_query(db, &stmt,
			  "SELECT key FROM run"
			  " WHERE campaign = ? AND position = ? ORDER BY id",
			  BIND(value_int(campaign), position), err);

	for (int i = 0; !rc && i < KEYS_NAMED; i++) {
		if ((rc = db_next(db, stmt, err)) <= 0)
			break;
		buf_addf(&keys, "%s%s", i ? ", " : "",
			 (const char *)sqlite3_column_text(stmt, 0));
		rc = 0;
	}
	db_end(stmt);
	if (rc >= 0)
		error_set(err, ERROR_USAGE,
			  "%s: %" PRId64 " runs were planned at position %s: "
			  "name one by its key: %s%s", db->path, n, run,
			  keys.data, n > KEYS_NAMED ? ", ..." : "");
	buf_release(&keys);
	return -1;
}

/* 0 found, 1 not. */
static int find_by_position(struct db *db, int64_t campaign, const char *run,
			    int64_t *id, struct error *err)
{
	struct value position = value_int(strtoll(run, NULL, 10));
	int64_t n = 0;

	if (!run[0] || strspn(run, "0123456789") != strlen(run) ||
	    strlen(run) > 10)
		return 1;
	if (db_int(db, &n,
		   "SELECT count(*) FROM run"
		   " WHERE campaign = ? AND position = ?",
		   BIND(value_int(campaign), position), err) < 0)
		return -1;
	if (n > 1)
		return ambiguous(db, campaign, run, position, n, err);
	return db_int(db, id,
		      "SELECT id FROM run WHERE campaign = ? AND position = ?",
		      BIND(value_int(campaign), position), err);
}

static int no_run(struct db *db, int64_t campaign, const char *run,
		  struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	char *uuid = NULL;
	int rc = db_query(db, &stmt, "SELECT uuid FROM campaign WHERE id = ?",
			  BIND(value_int(campaign)), err);

	if (!rc)
		rc = db_next(db, stmt, err);
	if (rc > 0)
		uuid = db_column_text(stmt, 0);
	db_end(stmt);
	if (rc >= 0)
		error_set(err, ERROR_USAGE,
			  "%s: no run \"%s\" in campaign %.8s: `assay plan "
			  "--all` lists their numbers", db->path, run,
			  uuid ? uuid : "");
	free(uuid);
	return -1;
}

static int find_run(struct db *db, int64_t campaign, const char *run,
		    int64_t *id, struct error *err)
{
	int rc = db_int(db, id,
			"SELECT id FROM run WHERE campaign = ? AND key = ?",
			BIND(value_int(campaign), value_text(run)), err);

	if (rc > 0)
		rc = find_by_position(db, campaign, run, id, err);
	return rc > 0 ? no_run(db, campaign, run, err) : rc;
}

static int read_head(struct db *db, int64_t run, struct run_detail *d,
		     struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (db_query(db, &stmt, "SELECT key, host FROM run WHERE id = ?",
		     BIND(value_int(run)), err) < 0)
		return -1;
	rc = db_next(db, stmt, err);
	if (rc > 0) {
		d->key = db_column_text(stmt, 0);
		d->host = db_column_text(stmt, 1);
	}
	db_end(stmt);
	return rc < 0 ? -1 : 0;
}

static void read_attempt(sqlite3_stmt *stmt, struct attempt_detail *a)
{
	memset(a, 0, sizeof(*a));
	a->id = sqlite3_column_int64(stmt, 0);
	a->host = db_column_text(stmt, 1);
	a->commit = db_column_text_or_null(stmt, 2);
	a->version = db_column_text(stmt, 3);
	a->ended = sqlite3_column_type(stmt, 4) != SQLITE_NULL;
	if (a->ended)
		a->outcome = outcome_parse(
			(const char *)sqlite3_column_text(stmt, 4));
	a->reason = db_column_text_or_null(stmt, 5);
	a->exit_status = sqlite3_column_type(stmt, 6) == SQLITE_NULL ?
			 -1 : sqlite3_column_int(stmt, 6);
	a->started = sqlite3_column_int64(stmt, 7);
	a->duration = db_column_real(stmt, 8);
	subset_read(stmt, 9, &a->subset);
}

static int read_attempts(struct db *db, int64_t run, struct run_detail *d,
			 struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	size_t cap = 0;
	int rc;

	if (db_query(db, &stmt,
		     "SELECT a.id, a.host, s.commit_id, s.version, o.outcome,"
		     " o.reason, o.exit_status, o.started, o.duration,"
		     " " SUBSET_COLUMNS("s")
		     " FROM attempt AS a JOIN session AS s ON s.id = a.session"
		     " LEFT JOIN outcome AS o ON o.attempt = a.id"
		     " WHERE a.run = ? ORDER BY a.id",
		     BIND(value_int(run)), err) < 0)
		return -1;
	while ((rc = db_next(db, stmt, err)) > 0) {
		MEM_GROW(d->attempts, d->n_attempts, cap);
		read_attempt(stmt, &d->attempts[d->n_attempts++]);
	}
	db_end(stmt);
	return rc;
}

static int read_stream(struct db *db, int64_t attempt, const char *stream,
		       struct attempt_detail *a, struct error *err)
{
	bool is_out = strcmp(stream, "stdout") == 0;
	int64_t head = 0, tail = 0;
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (db_query(db, &stmt,
		     "SELECT head, tail, truncated FROM output"
		     " WHERE attempt = ? AND stream = ?",
		     BIND(value_int(attempt), value_text(stream)), err) < 0)
		return -1;
	rc = db_next(db, stmt, err);
	if (rc > 0) {
		head = sqlite3_column_int64(stmt, 0);
		tail = sqlite3_column_int64(stmt, 1);
		*(is_out ? &a->out_truncated : &a->err_truncated) =
			sqlite3_column_int(stmt, 2);
	}
	db_end(stmt);
	if (rc < 0 ||
	    content_get(db, head, is_out ? &a->out_head : &a->err_head,
			is_out ? &a->n_out_head : &a->n_err_head, err) < 0)
		return -1;
	return content_get(db, tail, is_out ? &a->out_tail : &a->err_tail,
			   is_out ? &a->n_out_tail : &a->n_err_tail, err);
}

static int read_observations(struct db *db, int64_t campaign, int64_t run,
			     struct attempt_detail *a, struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	size_t cap = 0;
	int rc;

	if (db_query(db, &stmt,
		     "SELECT p.name, b.value, p.uom FROM response AS p"
		     " CROSS JOIN observation AS b ON b.response = p.id"
		     " WHERE p.campaign = ? AND p.benchmark ="
		     "  (SELECT benchmark FROM run WHERE id = ?)"
		     " AND b.attempt = ? ORDER BY p.id, b.sequence",
		     BIND(value_int(campaign), value_int(run),
			  value_int(a->id)), err) < 0)
		return -1;
	while ((rc = db_next(db, stmt, err)) > 0) {
		struct observation_row *o;

		MEM_GROW(a->observations, a->n_observations, cap);
		o = &a->observations[a->n_observations++];
		o->response = db_column_text(stmt, 0);
		o->value = sqlite3_column_double(stmt, 1);
		o->uom = db_column_text(stmt, 2);
	}
	db_end(stmt);
	return rc;
}

static int read_evidence(struct db *db, struct attempt_detail *a,
			 struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	size_t cap = 0;
	int rc;

	if (db_query(db, &stmt,
		     "SELECT factor, level, phase, exit_status, content"
		     " FROM evidence WHERE attempt = ? ORDER BY id",
		     BIND(value_int(a->id)), err) < 0)
		return -1;
	while ((rc = db_next(db, stmt, err)) > 0) {
		struct evidence_row *e;

		MEM_GROW(a->evidence, a->n_evidence, cap);
		e = &a->evidence[a->n_evidence++];
		memset(e, 0, sizeof(*e));
		e->factor = db_column_text_or_null(stmt, 0);
		e->level = db_column_text_or_null(stmt, 1);
		e->phase = db_column_text(stmt, 2);
		e->exit_status = sqlite3_column_type(stmt, 3) == SQLITE_NULL ?
				 -1 : sqlite3_column_int(stmt, 3);
		rc = content_get(db, sqlite3_column_int64(stmt, 4), &e->text,
				 &e->n_text, err);
		if (rc < 0)
			break;
	}
	db_end(stmt);
	return rc;
}

static int read_detail(struct db *db, int64_t campaign, const char *name,
		       struct run_detail *d, struct error *err)
{
	int64_t run = 0;

	if (find_run(db, campaign, name, &run, err) < 0 ||
	    read_head(db, run, d, err) < 0 ||
	    read_attempts(db, run, d, err) < 0)
		return -1;
	for (size_t i = 0; i < d->n_attempts; i++) {
		struct attempt_detail *a = &d->attempts[i];

		if (read_stream(db, a->id, "stdout", a, err) < 0 ||
		    read_stream(db, a->id, "stderr", a, err) < 0 ||
		    read_observations(db, campaign, run, a, err) < 0 ||
		    read_evidence(db, a, err) < 0)
			return -1;
	}
	return 0;
}

int store_run_detail(struct store *s, int64_t campaign, const char *run,
		     struct run_detail *out, struct error *err)
{
	int rc;

	memset(out, 0, sizeof(*out));
	if (db_read_begin(&s->db, err) < 0)
		return -1;
	rc = read_detail(&s->db, campaign, run, out, err);
	db_read_end(&s->db);
	if (rc < 0)
		run_detail_release(out);
	return rc;
}

static void attempt_release(struct attempt_detail *a)
{
	free(a->host);
	free(a->commit);
	free(a->version);
	subset_release(&a->subset);
	free(a->reason);
	free(a->out_head);
	free(a->out_tail);
	free(a->err_head);
	free(a->err_tail);
	for (size_t i = 0; i < a->n_observations; i++) {
		free(a->observations[i].response);
		free(a->observations[i].uom);
	}
	free(a->observations);
	for (size_t i = 0; i < a->n_evidence; i++) {
		free(a->evidence[i].factor);
		free(a->evidence[i].level);
		free(a->evidence[i].phase);
		free(a->evidence[i].text);
	}
	free(a->evidence);
}

void run_detail_release(struct run_detail *d)
{
	for (size_t i = 0; i < d->n_attempts; i++)
		attempt_release(&d->attempts[i]);
	free(d->attempts);
	free(d->key);
	free(d->host);
	memset(d, 0, sizeof(*d));
}
