#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"
#include "orchestrate/store/store_private.h"
#include "orchestrate/store/store_query.h"

/*
 * What is hashed, each field with a NUL behind it:
 *	"assay-data-1"
 *	for every run with a settling attempt, by key:
 *		key, host of the attempt, outcome
 *		for every observation, by response, then sequence:
 *			response, uom, value as %.17g
 *		"" (the run's end)
 * No time, id, duration or order of execution is in it.
 */
struct digest {
	struct hash *hash;
	struct buf pending; /* many small pieces cost more than a large one */
};

static void add(struct digest *d, const char *s)
{
	buf_add(&d->pending, s ? s : "", s ? strlen(s) + 1 : 1);
	if (d->pending.n > 65536) {
		hash_add(d->hash, d->pending.data, d->pending.n);
		buf_clear(&d->pending);
	}
}

static int add_observations(struct digest *d, struct db *db, int64_t campaign,
			    const char *benchmark, int64_t attempt,
			    struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (db_query(db, &stmt,
		     "SELECT p.name, p.uom, b.value FROM response AS p"
		     " CROSS JOIN observation AS b ON b.response = p.id"
		     " WHERE p.campaign = ? AND p.benchmark = ?"
		     " AND b.attempt = ?"
		     " ORDER BY p.name, p.uom, p.better, b.sequence",
		     BIND(value_int(campaign), value_text(benchmark),
			  value_int(attempt)), err) < 0)
		return -1;
	while ((rc = db_next(db, stmt, err)) > 0) {
		char value[32];

		snprintf(value, sizeof(value), "%.17g",
			 sqlite3_column_double(stmt, 2));
		add(d, (const char *)sqlite3_column_text(stmt, 0));
		add(d, (const char *)sqlite3_column_text(stmt, 1));
		add(d, value);
	}
	db_end(stmt);
	return rc;
}

static int add_runs(struct digest *d, struct db *db, int64_t campaign,
		    struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	add(d, "assay-data-1");
	/* the bare columns belong to the row with the greatest attempt */
	if (db_query(db, &stmt,
		     "SELECT r.key, r.benchmark, a.host, o.outcome, max(a.id)"
		     " FROM run AS r JOIN attempt AS a ON a.run = r.id"
		     " JOIN outcome AS o ON o.attempt = a.id"
		     " WHERE r.campaign = ? AND o.outcome IN"
		     " ('ok', 'failed', 'timeout', 'invalid')"
		     " GROUP BY r.key ORDER BY r.key",
		     BIND(value_int(campaign)), err) < 0)
		return -1;
	while ((rc = db_next(db, stmt, err)) > 0) {
		add(d, (const char *)sqlite3_column_text(stmt, 0));
		add(d, (const char *)sqlite3_column_text(stmt, 2));
		add(d, (const char *)sqlite3_column_text(stmt, 3));
		rc = add_observations(
			d, db, campaign,
			(const char *)sqlite3_column_text(stmt, 1),
			sqlite3_column_int64(stmt, 4), err);
		if (rc < 0)
			break;
		add(d, "");
	}
	db_end(stmt);
	return rc;
}

int store_digest(struct store *s, int64_t campaign, char hex[65],
		 struct error *err)
{
	struct digest d = { .hash = hash_new(), .pending = BUF_INIT };
	int rc = db_read_begin(&s->db, err);

	if (!rc)
		rc = add_runs(&d, &s->db, campaign, err);
	db_read_end(&s->db);
	if (!rc) {
		hash_add(d.hash, d.pending.data, d.pending.n);
		hash_finish(d.hash, hex);
	}
	hash_free(d.hash);
	buf_release(&d.pending);
	return rc;
}
