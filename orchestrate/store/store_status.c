#include <math.h>
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

/* Rows as they come: a run with each of its attempts, oldest first. */
struct reading {
	struct run_status_row *rows;
	size_t n, cap;
	int64_t run;           /* id of the last row's */
};

static struct run_status_row *begin_run(struct reading *r, sqlite3_stmt *stmt)
{
	struct run_status_row *row;

	MEM_GROW(r->rows, r->n, r->cap);
	row = &r->rows[r->n++];
	*row = (struct run_status_row){
		.key = db_column_text(stmt, 1),
		.host = db_column_text(stmt, 2),
		.benchmark = db_column_text(stmt, 3),
		.treatment = db_column_text(stmt, 4),
		.replicate = (uint32_t)sqlite3_column_int64(stmt, 5),
		.position = (uint32_t)sqlite3_column_int64(stmt, 6),
		.duration = NAN,
	};
	return row;
}

/* The newest attempt that settled the run counts, else the newest that
 * ended. */
static void add_attempt(struct run_status_row *row, sqlite3_stmt *stmt)
{
	const char *name = (const char *)sqlite3_column_text(stmt, 9);
	bool settles;

	free(row->host);
	row->host = db_column_text(stmt, 8);
	row->attempts++;
	row->begun = true;
	row->ended = name;
	if (!name)
		return;
	settles = outcome_settles(outcome_parse(name));
	if (!settles && row->settlings)
		return;
	row->settlings += settles;
	row->outcome = outcome_parse(name);
	free(row->reason);
	row->reason = db_column_text_or_null(stmt, 10);
	row->duration = db_column_real(stmt, 11);
}

static void read_status(struct reading *r, sqlite3_stmt *stmt)
{
	int64_t run = sqlite3_column_int64(stmt, 0);
	struct run_status_row *row =
		r->n && r->run == run ? &r->rows[r->n - 1]
				      : begin_run(r, stmt);

	r->run = run;
	if (sqlite3_column_type(stmt, 7) != SQLITE_NULL)
		add_attempt(row, stmt);
}

static int compare_numbers(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* By position; runs of one position stay in the order of their ids. */
static void sort_rows(struct reading *r)
{
	struct run_status_row *sorted = mem_zalloc(r->n, sizeof(*sorted));
	uint64_t *order = mem_zalloc(r->n, sizeof(*order));

	for (size_t i = 0; i < r->n; i++)
		order[i] = (uint64_t)r->rows[i].position << 32 | i;
	qsort(order, r->n, sizeof(*order), compare_numbers);
	for (size_t i = 0; i < r->n; i++)
		sorted[i] = r->rows[(uint32_t)order[i]];
	free(order);
	free(r->rows);
	r->rows = sorted;
}

/* Every table is walked in its own order; "+" keeps the planner from the index
 * by key. */
int store_status(struct store *s, int64_t campaign,
		 struct run_status_row **out, size_t *n, struct error *err)
{
	struct reading r = { .rows = NULL };
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (db_query(&s->db, &stmt,
		     "SELECT r.id, r.key, r.host, r.benchmark, t.key,"
		     " r.replicate, r.position, a.id, a.host, o.outcome,"
		     " o.reason, o.duration"
		     " FROM run AS r CROSS JOIN treatment AS t"
		     " ON t.id = r.treatment"
		     " LEFT JOIN attempt AS a ON a.run = r.id"
		     " LEFT JOIN outcome AS o ON o.attempt = a.id"
		     " WHERE +r.campaign = ? ORDER BY r.id, a.id",
		     BIND(value_int(campaign)), err) < 0)
		return -1;
	while ((rc = db_next(&s->db, stmt, err)) > 0)
		read_status(&r, stmt);
	db_end(stmt);
	if (rc < 0) {
		run_status_free(r.rows, r.n);
		return -1;
	}
	if (r.n)
		sort_rows(&r);
	*out = r.rows;
	*n = r.n;
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
