#include "orchestrate/store/settled.h"

#include <assert.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "orchestrate/store/db.h"
#include "orchestrate/store/outcome.h"

/* Ids are given out one after the other, so a larger one is damage. */
#define ID_MAX (1 << 28)

/* Rows as they come: treatment is the table's id, host counts by first use. */
struct reading {
	struct db *db;
	struct frame_run *rows;
	size_t n;
	size_t cap;
	uint32_t *row_of_run;    /* run id to row + 1 */
	size_t n_row_of_run;
	struct map host_numbers; /* name to number + 1 */
	char **hosts;
	size_t n_hosts;
	size_t cap_hosts;
	uint32_t max_treatment;
};

static uint32_t host_number(struct reading *r, const char *host)
{
	uintptr_t known = (uintptr_t)map_get(&r->host_numbers, host);

	if (!known) {
		MEM_GROW(r->hosts, r->n_hosts, r->cap_hosts);
		r->hosts[r->n_hosts++] = mem_strdup(host);
		known = r->n_hosts;
		map_put(&r->host_numbers, host, (void *)known);
	}
	return (uint32_t)(known - 1);
}

static int damaged(const struct db *db, struct error *err)
{
	return error_set(err, ERROR_ENVIRONMENT,
			 "%s: damaged (its numbering has gaps): put a copy of "
			 "it back", db->path);
}

/* The run's row: a new one, or that of its earlier attempt. */
static struct frame_run *row_of(struct reading *r, int64_t run)
{
	size_t want = (size_t)run + 1;

	if (want > r->n_row_of_run) {
		size_t old = r->n_row_of_run;

		r->n_row_of_run = want > 2 * old ? want + 1024 : 2 * old;
		r->row_of_run = mem_realloc(r->row_of_run, r->n_row_of_run,
					    sizeof(*r->row_of_run));
		memset(r->row_of_run + old, 0,
		       (r->n_row_of_run - old) * sizeof(*r->row_of_run));
	}
	if (!r->row_of_run[run]) {
		MEM_GROW(r->rows, r->n, r->cap);
		r->row_of_run[run] = (uint32_t)++r->n;
	}
	return &r->rows[r->row_of_run[run] - 1];
}

static int add_row(struct reading *r, sqlite3_stmt *stmt, struct error *err)
{
	int64_t run = sqlite3_column_int64(stmt, 0);
	int64_t treatment = sqlite3_column_int64(stmt, 1);
	const char *host = (const char *)sqlite3_column_text(stmt, 3);
	const char *name = (const char *)sqlite3_column_text(stmt, 4);
	struct frame_run *row;

	if (run < 1 || run > ID_MAX || treatment < 1 || treatment > ID_MAX)
		return damaged(r->db, err);
	row = row_of(r, run);
	row->treatment = (uint32_t)treatment;
	row->replicate = (uint32_t)sqlite3_column_int64(stmt, 2);
	row->host = host_number(r, host ? host : "");
	row->sequence = 0;
	row->status = outcome_status(outcome_parse(name));
	row->attempt = sqlite3_column_int64(stmt, 5);
	if (row->treatment > r->max_treatment)
		r->max_treatment = row->treatment;
	return 0;
}

/* From outcome to run every table is walked in its own order; "+" keeps the
 * planner from the index by key. */
static int read_rows(struct reading *r, int64_t campaign,
		     const char *benchmark, struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (db_query(r->db, &stmt,
		     "SELECT a.run, r.treatment, r.replicate, a.host,"
		     " o.outcome, a.id FROM outcome AS o"
		     " CROSS JOIN attempt AS a ON a.id = o.attempt"
		     " CROSS JOIN run AS r ON r.id = a.run"
		     " WHERE +r.campaign = ? AND r.benchmark = ?"
		     " AND o.outcome IN ('ok', 'failed', 'timeout', 'invalid')"
		     " ORDER BY o.attempt",
		     BIND(value_int(campaign), value_text(benchmark)),
		     err) < 0)
		return -1;
	while ((rc = db_next(r->db, stmt, err)) > 0) {
		if (add_row(r, stmt, err) < 0) {
			rc = -1;
			break;
		}
	}
	db_end(stmt);
	return rc;
}

static int compare_hosts(const void *a, const void *b, void *hosts)
{
	char **names = hosts;

	return strcmp(names[*(const uint32_t *)a],
		      names[*(const uint32_t *)b]);
}

/* Hosts in byte order, and the rows' numbers with them. One that only
 * superseded attempts had is left out. */
static void rank_hosts(struct settled *s, struct reading *r)
{
	uint32_t *order = mem_zalloc(r->n_hosts, sizeof(*order));
	uint32_t *rank = mem_zalloc(r->n_hosts, sizeof(*rank));

	for (size_t i = 0; i < r->n; i++)
		rank[r->rows[i].host] = 1;
	for (uint32_t i = 0; i < r->n_hosts; i++) {
		if (rank[i])
			order[s->n_hosts++] = i;
	}
	qsort_r(order, s->n_hosts, sizeof(*order), compare_hosts, r->hosts);
	s->hosts = mem_zalloc(s->n_hosts, sizeof(*s->hosts));
	assert(r->hosts || !s->n_hosts);
	for (uint32_t i = 0; i < s->n_hosts; i++) {
		s->hosts[i] = r->hosts[order[i]];
		r->hosts[order[i]] = NULL;
		rank[order[i]] = i;
	}
	for (size_t i = 0; i < r->n; i++)
		r->rows[i].host = rank[r->rows[i].host];
	free(order);
	free(rank);
}

/* Keys in byte order, and the rows' numbers with them. */
static int rank_treatments(struct settled *s, struct reading *r,
			   struct error *err)
{
	uint32_t *rank = mem_zalloc(r->max_treatment + 1, sizeof(*rank));
	sqlite3_stmt *stmt = NULL;
	size_t cap = 0;
	int rc;

	for (size_t i = 0; i < r->n; i++)
		rank[r->rows[i].treatment] = 1;
	rc = db_query(r->db, &stmt, "SELECT id, key FROM treatment ORDER BY key",
		      BIND_NONE, err);
	while (!rc && (rc = db_next(r->db, stmt, err)) > 0) {
		int64_t id = sqlite3_column_int64(stmt, 0);

		rc = 0;
		if (id < 1 || id > r->max_treatment || !rank[id])
			continue;
		MEM_GROW(s->keys, s->n_keys, cap);
		rank[id] = (uint32_t)s->n_keys;
		s->keys[s->n_keys++] = db_column_text(stmt, 1);
	}
	db_end(stmt);
	for (size_t i = 0; !rc && i < r->n; i++) {
		r->rows[i].treatment = rank[r->rows[i].treatment];
		if (r->rows[i].treatment >= s->n_keys)
			rc = damaged(r->db, err);
	}
	free(rank);
	return rc;
}

static int compare_runs(const void *a, const void *b)
{
	const struct frame_run *x = a, *y = b;

	if (x->treatment != y->treatment)
		return x->treatment < y->treatment ? -1 : 1;
	if (x->replicate != y->replicate)
		return x->replicate < y->replicate ? -1 : 1;
	if (x->host != y->host)
		return x->host < y->host ? -1 : 1;
	return (x->attempt > y->attempt) - (x->attempt < y->attempt);
}

/* The way from an attempt to its run, and the order of the attempts. */
static int index_attempts(struct settled *s, const struct db *db,
			  struct error *err)
{
	int64_t last = 0;
	uint32_t sequence = 0;

	s->first = s->n ? s->runs[0].attempt : 0;
	for (size_t i = 0; i < s->n; i++) {
		if (s->runs[i].attempt < s->first)
			s->first = s->runs[i].attempt;
		if (s->runs[i].attempt > last)
			last = s->runs[i].attempt;
	}
	if (s->first < 0 || last > ID_MAX)
		return damaged(db, err);
	s->n_attempts = s->n ? (size_t)(last - s->first) + 1 : 0;
	s->by_attempt = mem_zalloc(s->n_attempts, sizeof(*s->by_attempt));
	for (size_t i = 0; i < s->n; i++)
		s->by_attempt[s->runs[i].attempt - s->first] =
			(uint32_t)i + 1;
	for (size_t i = 0; i < s->n_attempts; i++) {
		if (s->by_attempt[i])
			s->runs[s->by_attempt[i] - 1].sequence = ++sequence;
	}
	return 0;
}

int settled_read(struct settled *s, struct db *db, int64_t campaign,
		 const char *benchmark, struct error *err)
{
	struct reading r = { .db = db, .host_numbers = MAP_INIT };
	int rc;

	memset(s, 0, sizeof(*s));
	rc = read_rows(&r, campaign, benchmark, err);
	if (!rc) {
		rank_hosts(s, &r);
		rc = rank_treatments(s, &r, err);
	}
	s->runs = r.rows;
	s->n = r.n;
	if (!rc) {
		if (s->n)
			qsort(s->runs, s->n, sizeof(*s->runs), compare_runs);
		rc = index_attempts(s, db, err);
	}
	for (size_t i = 0; i < r.n_hosts; i++)
		free(r.hosts[i]);
	free(r.hosts);
	free(r.row_of_run);
	map_release(&r.host_numbers);
	if (rc < 0)
		settled_release(s);
	return rc;
}

void settled_release(struct settled *s)
{
	for (size_t i = 0; i < s->n_keys; i++)
		free(s->keys[i]);
	free(s->keys);
	for (size_t i = 0; i < s->n_hosts; i++)
		free(s->hosts[i]);
	free(s->hosts);
	free(s->runs);
	free(s->by_attempt);
	memset(s, 0, sizeof(*s));
}

int64_t settled_find(const struct settled *s, int64_t attempt)
{
	if (attempt < s->first ||
	    (uint64_t)(attempt - s->first) >= s->n_attempts)
		return -1;
	return (int64_t)s->by_attempt[attempt - s->first] - 1;
}
