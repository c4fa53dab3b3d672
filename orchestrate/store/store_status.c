#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/store/outcome.h"
#include "orchestrate/store/store_private.h"
#include "orchestrate/store/store_query.h"

int store_run_done(struct store *s, int64_t campaign, const char *run_key)
{
	struct error ignored = ERROR_INIT;
	int64_t done = 0;
	int rc = db_int(&s->db, &done,
			"SELECT EXISTS (SELECT 1 FROM run AS r"
			" JOIN attempt AS a ON a.run = r.id"
			" JOIN outcome AS o ON o.attempt = a.id"
			" WHERE r.campaign = ? AND r.key = ? AND o.outcome IN"
			" ('ok', 'failed', 'timeout', 'invalid'))",
			BIND(value_int(campaign), value_text(run_key)),
			&ignored);

	return rc < 0 ? -1 : (int)done;
}

int store_made_again(struct store *s, int64_t campaign, size_t *n,
		     struct error *err)
{
	int64_t count = 0;
	int rc = db_int(&s->db, &count,
			"SELECT count(*) FROM (SELECT 1 FROM run AS r"
			" JOIN attempt AS a ON a.run = r.id"
			" JOIN outcome AS o ON o.attempt = a.id"
			" WHERE r.campaign = ? AND o.outcome IN"
			" ('ok', 'failed', 'timeout', 'invalid')"
			" GROUP BY r.id HAVING count(*) > 1)",
			BIND(value_int(campaign)), err);

	*n = (size_t)count;
	return rc < 0 ? -1 : 0;
}

static void read_status(sqlite3_stmt *stmt, struct run_status_row *row)
{
	bool newest_ended = sqlite3_column_int(stmt, 7);

	memset(row, 0, sizeof(*row));
	row->key = db_column_text(stmt, 0);
	row->host = db_column_text(stmt, 1);
	row->benchmark = db_column_text(stmt, 2);
	row->treatment = db_column_text(stmt, 3);
	row->replicate = (uint32_t)sqlite3_column_int64(stmt, 4);
	row->position = (uint32_t)sqlite3_column_int64(stmt, 5);
	row->attempts = sqlite3_column_int(stmt, 6);
	row->begun = row->attempts > 0;
	row->ended = newest_ended;
	if (sqlite3_column_type(stmt, 8) != SQLITE_NULL)
		row->outcome = outcome_parse(
			(const char *)sqlite3_column_text(stmt, 8));
	row->reason = db_column_text_or_null(stmt, 9);
	row->duration = db_column_real(stmt, 10);
	row->settlings = sqlite3_column_int(stmt, 11);
}

int store_status(struct store *s, int64_t campaign,
		 struct run_status_row **out, size_t *n, struct error *err)
{
	struct run_status_row *rows = NULL;
	sqlite3_stmt *stmt = NULL;
	size_t count = 0, cap = 0;
	int rc;

	if (db_query(&s->db, &stmt,
		     "SELECT r.key, coalesce(a.host, r.host), r.benchmark,"
		     " t.key, r.replicate, r.position,"
		     " (SELECT count(*) FROM attempt WHERE run = r.id),"
		     " EXISTS (SELECT 1 FROM outcome WHERE attempt = a.id),"
		     " o.outcome, o.reason, o.duration,"
		     " (SELECT count(*) FROM attempt AS b JOIN outcome AS e"
		     "  ON e.attempt = b.id WHERE b.run = r.id AND e.outcome"
		     "  IN ('ok', 'failed', 'timeout', 'invalid'))"
		     " FROM run AS r JOIN treatment AS t ON t.id = r.treatment"
		     " LEFT JOIN attempt AS a ON a.id ="
		     "  (SELECT max(id) FROM attempt WHERE run = r.id)"
		     " LEFT JOIN outcome AS o ON o.attempt ="
		     "  (SELECT e.attempt FROM attempt AS b JOIN outcome"
		     "   AS e ON e.attempt = b.id WHERE b.run = r.id"
		     "   ORDER BY e.outcome IN"
		     "    ('ok', 'failed', 'timeout', 'invalid') DESC,"
		     "   e.attempt DESC LIMIT 1)"
		     " WHERE r.campaign = ? ORDER BY r.position, r.id",
		     BIND(value_int(campaign)), err) < 0)
		return -1;
	while ((rc = db_next(&s->db, stmt, err)) > 0) {
		MEM_GROW(rows, count, cap);
		read_status(stmt, &rows[count++]);
	}
	db_end(stmt);
	if (rc < 0) {
		run_status_free(rows, count);
		return -1;
	}
	*out = rows;
	*n = count;
	return 0;
}

void run_status_free(struct run_status_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(rows[i].key);
		free(rows[i].host);
		free(rows[i].benchmark);
		free(rows[i].treatment);
		free(rows[i].reason);
	}
	free(rows);
}

int store_host_facts(struct store *s, int64_t campaign,
		     struct host_fact_row **out, size_t *n,
		     struct error *err)
{
	struct host_fact_row *rows = NULL;
	sqlite3_stmt *stmt = NULL;
	size_t count = 0, cap = 0;
	int rc;

	/* the bare column belongs to the row with the greatest id */
	if (db_query(&s->db, &stmt,
		     "SELECT f.host, f.key, f.value, max(f.id)"
		     " FROM host_fact AS f JOIN session AS s"
		     " ON s.id = f.session WHERE s.campaign = ?"
		     " GROUP BY f.host, f.key ORDER BY f.host, f.key",
		     BIND(value_int(campaign)), err) < 0)
		return -1;
	while ((rc = db_next(&s->db, stmt, err)) > 0) {
		MEM_GROW(rows, count, cap);
		rows[count].host = db_column_text(stmt, 0);
		rows[count].key = db_column_text(stmt, 1);
		rows[count++].value = db_column_text(stmt, 2);
	}
	db_end(stmt);
	if (rc < 0) {
		host_facts_free(rows, count);
		return -1;
	}
	*out = rows;
	*n = count;
	return 0;
}

void host_facts_free(struct host_fact_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(rows[i].host);
		free(rows[i].key);
		free(rows[i].value);
	}
	free(rows);
}
