#include "orchestrate/store/store_attempt.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "orchestrate/store/content.h"
#include "orchestrate/store/store_private.h"

int store_attempt_begin(struct store *s, int64_t campaign, int64_t session,
			const char *run_key, const char *host,
			char token[33], int64_t *id, struct error *err)
{
	struct db *db = &s->db;
	int64_t run = 0;
	int rc;

	if (store_check_place(s, err) < 0)
		return -1;
	rc = db_int(db, &run,
		    "SELECT id FROM run WHERE campaign = ? AND key = ?",
		    BIND(value_int(campaign), value_text(run_key)), err);
	if (rc > 0)
		return error_set(err, ERROR_USAGE,
				 "%s: campaign %lld has no run %s", db->path,
				 (long long)campaign, run_key);
	if (rc < 0)
		return -1;
	hash_random_hex(token, 16);
	if (db_run(db,
		   "INSERT INTO attempt (run, session, host, token, started)"
		   " VALUES (?, ?, ?, ?, ?)",
		   BIND(value_int(run), value_int(session), value_text(host),
			value_text(token), value_int(clock_wall_ns())),
		   err) < 0)
		return -1;
	*id = db_last_id(db);
	return 0;
}

static int insert_outcome(struct db *db, int64_t attempt,
			  const struct attempt_end *end, struct error *err)
{
	struct value none = value_text(NULL);

	return db_run(db,
		      "INSERT INTO outcome (attempt, outcome, reason,"
		      " exit_status, started, duration, ended)"
		      " VALUES (?, ?, ?, ?, ?, ?, ?)",
		      BIND(value_int(attempt),
			   value_text(outcome_name(end->outcome)),
			   value_text(end->reason),
			   end->exit_status < 0 ? none :
						  value_int(end->exit_status),
			   value_id(end->started), value_real(end->duration),
			   value_int(clock_wall_ns())),
		      err);
}

static int insert_output(struct db *db, int64_t attempt, const char *stream,
			 const struct output *o, struct error *err)
{
	int64_t head, tail;

	if (content_put(db, o->head, o->n_head, &head, err) < 0 ||
	    content_put(db, o->tail, o->n_tail, &tail, err) < 0)
		return -1;
	return db_run(db,
		      "INSERT INTO output (attempt, stream, head, tail,"
		      " truncated) VALUES (?, ?, ?, ?, ?)",
		      BIND(value_int(attempt), value_text(stream),
			   value_id(head), value_id(tail),
			   value_int(o->truncated)),
		      err);
}

static const char *better_name(enum better better)
{
	switch (better) {
	case BETTER_HIGHER:
		return "higher";
	case BETTER_LOWER:
		return "lower";
	case BETTER_UNSAID:
		break;
	}
	return "";
}

/* The response's row in this attempt's campaign and benchmark. */
static int response_id(struct db *db, int64_t attempt,
		       const struct observation *o, int64_t *id,
		       struct error *err)
{
	const char *uom = o->uom ? o->uom : "";
	const char *better = better_name(o->better);
	int rc = db_int(db, id,
			"SELECT p.id FROM response AS p, run AS r, attempt AS a"
			" WHERE a.id = ? AND r.id = a.run"
			" AND p.campaign = r.campaign"
			" AND p.benchmark = r.benchmark"
			" AND p.name = ? AND p.uom = ? AND p.better = ?",
			BIND(value_int(attempt), value_text(o->response),
			     value_text(uom), value_text(better)),
			err);

	if (rc <= 0)
		return rc;
	if (db_run(db,
		   "INSERT INTO response (campaign, benchmark, name, uom,"
		   " better) SELECT r.campaign, r.benchmark, ?2, ?3, ?4"
		   " FROM run AS r, attempt AS a"
		   " WHERE a.id = ?1 AND r.id = a.run",
		   BIND(value_int(attempt), value_text(o->response),
			value_text(uom), value_text(better)),
		   err) < 0)
		return -1;
	*id = db_last_id(db);
	return 0;
}

static int same_response(const struct observation *a,
			 const struct observation *b)
{
	return strcmp(a->response, b->response) == 0 &&
	       a->better == b->better &&
	       strcmp(a->uom ? a->uom : "", b->uom ? b->uom : "") == 0;
}

/* The sequence counts within a response; how several responses are mixed in
 * the array does not matter. */
static int next_sequence(struct db *db, int64_t response, int64_t attempt,
			 int64_t *sequence, struct error *err)
{
	return db_int(db, sequence,
		      "SELECT coalesce(max(sequence), 0) + 1 FROM observation"
		      " WHERE response = ? AND attempt = ?",
		      BIND(value_int(response), value_int(attempt)), err) ?
		       -1 : 0;
}

static int insert_observations(struct db *db, int64_t attempt,
			       const struct attempt_end *end,
			       struct error *err)
{
	const struct observation *last = NULL;
	int64_t response = 0, sequence = 0;

	for (size_t i = 0; i < end->n_observations; i++) {
		const struct observation *o = &end->observations[i];

		if (!isfinite(o->value))
			return error_set(err, ERROR_USAGE,
					 "%s: %s of attempt %lld is not a "
					 "finite number", db->path, o->response,
					 (long long)attempt);
		if (last && same_response(last, o))
			sequence++;
		else if (response_id(db, attempt, o, &response, err) < 0 ||
			 next_sequence(db, response, attempt, &sequence,
				       err) < 0)
			return -1;
		last = o;
		if (db_run(db,
			   "INSERT INTO observation (response, attempt,"
			   " sequence, value) VALUES (?, ?, ?, ?)",
			   BIND(value_int(response), value_int(attempt),
				value_int(sequence), value_real(o->value)),
			   err) < 0)
			return -1;
	}
	return 0;
}

static int check_open(struct db *db, int64_t attempt, struct error *err)
{
	int64_t ended = 0;
	int rc = db_int(db, &ended,
			"SELECT EXISTS (SELECT 1 FROM outcome"
			" WHERE attempt = a.id) FROM attempt AS a"
			" WHERE a.id = ?", BIND(value_int(attempt)), err);

	if (rc < 0)
		return -1;
	if (rc > 0)
		return error_set(err, ERROR_USAGE, "%s: no attempt %lld",
				 db->path, (long long)attempt);
	if (ended)
		return error_set(err, ERROR_USAGE,
				 "%s: attempt %lld has ended already",
				 db->path, (long long)attempt);
	return 0;
}

int store_attempt_end(struct store *s, int64_t attempt,
		      const struct attempt_end *end, struct error *err)
{
	struct db *db = &s->db;
	int rc;

	if (store_check_place(s, err) < 0 || db_begin(db, err) < 0)
		return -1;
	rc = check_open(db, attempt, err);
	if (!rc)
		rc = insert_outcome(db, attempt, end, err);
	if (!rc)
		rc = insert_output(db, attempt, "stdout", &end->out, err);
	if (!rc)
		rc = insert_output(db, attempt, "stderr", &end->err, err);
	if (!rc)
		rc = insert_observations(db, attempt, end, err);
	return db_commit(db, rc, err);
}

int store_attempts_open(struct store *s, int64_t campaign,
			struct open_attempt **out, size_t *n,
			struct error *err)
{
	struct open_attempt *items = NULL;
	sqlite3_stmt *stmt = NULL;
	size_t count = 0, cap = 0;
	int rc;

	if (db_query(&s->db, &stmt,
		     "SELECT a.id, r.key, a.host, a.token, c.id, c.uuid"
		     " FROM attempt AS a JOIN run AS r ON r.id = a.run"
		     " JOIN campaign AS c ON c.id = r.campaign"
		     " WHERE (?1 IS NULL OR c.id = ?1) AND NOT EXISTS"
		     " (SELECT 1 FROM outcome WHERE attempt = a.id)"
		     " ORDER BY a.id", BIND(value_id(campaign)), err) < 0)
		return -1;
	while ((rc = db_next(&s->db, stmt, err)) > 0) {
		const char *token = (const char *)sqlite3_column_text(stmt, 3);
		struct open_attempt *a;

		MEM_GROW(items, count, cap);
		a = &items[count++];
		memset(a, 0, sizeof(*a));
		a->id = sqlite3_column_int64(stmt, 0);
		a->run_key = db_column_text(stmt, 1);
		a->host = db_column_text(stmt, 2);
		a->campaign = sqlite3_column_int64(stmt, 4);
		a->uuid = db_column_text(stmt, 5);
		strncat(a->token, token ? token : "", sizeof(a->token) - 1);
	}
	db_end(stmt);
	if (rc < 0) {
		open_attempts_free(items, count);
		return -1;
	}
	*out = items;
	*n = count;
	return 0;
}

void open_attempts_free(struct open_attempt *a, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(a[i].run_key);
		free(a[i].host);
		free(a[i].uuid);
	}
	free(a);
}
