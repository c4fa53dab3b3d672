#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "orchestrate/store/store_private.h"
#include "orchestrate/store/store_query.h"

/*
 * What is hashed, each field with a NUL behind it:
 *	"assay-data-1"
 *	for every run with a settling attempt, by key:
 *		key, host of the attempt, outcome
 *		for every observation, by response, unit, then sequence:
 *			response, unit, value as %.17g
 *		"" (the run's end)
 * No time, id, duration or order of execution is in it.
 */
struct digest {
	struct hash *hash;
	struct buf pending; /* many small pieces cost more than a large one */
};

/* The observations of one response, by attempt as they lie in the file. */
struct series {
	char *benchmark, *name, *uom;
	int64_t *attempts;
	double *values;
	size_t n;
	size_t cap;
};

struct series_list {
	struct series *items;
	size_t n;
	size_t cap;
};

static void add(struct digest *d, const char *s)
{
	buf_add(&d->pending, s ? s : "", s ? strlen(s) + 1 : 1);
	if (d->pending.n > 65536) {
		hash_add(d->hash, d->pending.data, d->pending.n);
		buf_clear(&d->pending);
	}
}

static void series_list_release(struct series_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->items[i].benchmark);
		free(l->items[i].name);
		free(l->items[i].uom);
		free(l->items[i].attempts);
		free(l->items[i].values);
	}
	free(l->items);
}

static int read_values(struct db *db, int64_t response, struct series *s,
		       struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (db_query(db, &stmt,
		     "SELECT attempt, value FROM observation"
		     " WHERE response = ? ORDER BY attempt, sequence",
		     BIND(value_int(response)), err) < 0)
		return -1;
	while ((rc = db_next(db, stmt, err)) > 0) {
		if (s->n == s->cap) {
			s->cap = s->cap ? 2 * s->cap : 256;
			s->attempts = mem_realloc(s->attempts, s->cap,
						  sizeof(*s->attempts));
			s->values = mem_realloc(s->values, s->cap,
						sizeof(*s->values));
		}
		s->attempts[s->n] = sqlite3_column_int64(stmt, 0);
		s->values[s->n++] = sqlite3_column_double(stmt, 1);
	}
	db_end(stmt);
	return rc;
}

static int read_series(struct db *db, int64_t campaign, struct series_list *l,
		       struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (db_query(db, &stmt,
		     "SELECT id, benchmark, name, uom FROM response"
		     " WHERE campaign = ? ORDER BY benchmark, name, uom, better",
		     BIND(value_int(campaign)), err) < 0)
		return -1;
	while ((rc = db_next(db, stmt, err)) > 0) {
		struct series *s;

		MEM_GROW(l->items, l->n, l->cap);
		s = &l->items[l->n++];
		memset(s, 0, sizeof(*s));
		s->benchmark = db_column_text(stmt, 1);
		s->name = db_column_text(stmt, 2);
		s->uom = db_column_text(stmt, 3);
		rc = read_values(db, sqlite3_column_int64(stmt, 0), s, err);
		if (rc < 0)
			break;
	}
	db_end(stmt);
	return rc;
}

/* The first observation of the attempt, or of a later one. */
static size_t lower_bound(const struct series *s, int64_t attempt)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (s->attempts[middle] < attempt)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add_observations(struct digest *d, const struct series_list *l,
			     const char *benchmark, int64_t attempt)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct series *s = &l->items[i];
		char value[32];

		if (strcmp(s->benchmark, benchmark) != 0)
			continue;
		for (size_t k = lower_bound(s, attempt);
		     k < s->n && s->attempts[k] == attempt; k++) {
			snprintf(value, sizeof(value), "%.17g", s->values[k]);
			add(d, s->name);
			add(d, s->uom);
			add(d, value);
		}
	}
}

static int add_runs(struct digest *d, struct db *db, int64_t campaign,
		    const struct series_list *l, struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	add(d, "assay-data-1");
	/* the bare columns belong to the row with the greatest attempt */
	if (db_query(db, &stmt,
		     "SELECT r.key, r.benchmark, a.host, o.outcome, max(a.id)"
		     " FROM run AS r CROSS JOIN attempt AS a ON a.run = r.id"
		     " CROSS JOIN outcome AS o ON o.attempt = a.id"
		     " WHERE r.campaign = ? AND o.outcome IN"
		     " ('ok', 'failed', 'timeout', 'invalid')"
		     " GROUP BY r.key ORDER BY r.key",
		     BIND(value_int(campaign)), err) < 0)
		return -1;
	while ((rc = db_next(db, stmt, err)) > 0) {
		const char *benchmark =
			(const char *)sqlite3_column_text(stmt, 1);

		add(d, (const char *)sqlite3_column_text(stmt, 0));
		add(d, (const char *)sqlite3_column_text(stmt, 2));
		add(d, (const char *)sqlite3_column_text(stmt, 3));
		add_observations(d, l, benchmark ? benchmark : "",
				 sqlite3_column_int64(stmt, 4));
		add(d, "");
	}
	db_end(stmt);
	return rc;
}

int store_digest(struct store *s, int64_t campaign, char hex[65],
		 struct error *err)
{
	struct digest d = { .pending = BUF_INIT };
	struct series_list series = { .items = NULL };
	int rc;

	if (db_read_begin(&s->db, err) < 0)
		return -1;
	d.hash = hash_new();
	rc = read_series(&s->db, campaign, &series, err);
	if (!rc)
		rc = add_runs(&d, &s->db, campaign, &series, err);
	db_read_end(&s->db);
	if (!rc) {
		hash_add(d.hash, d.pending.data, d.pending.n);
		hash_finish(d.hash, hex);
	}
	hash_free(d.hash);
	buf_release(&d.pending);
	series_list_release(&series);
	return rc;
}
