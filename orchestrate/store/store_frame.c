#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/store/settled.h"
#include "orchestrate/store/store_private.h"
#include "orchestrate/store/store_query.h"

/* Observations as they lie in the file: by attempt. */
struct reading {
	uint32_t *run;
	double *value;
	size_t n;
	size_t cap;
};

static void reading_add(struct reading *r, uint32_t run, double value)
{
	if (r->n == r->cap) {
		r->cap = r->cap ? 2 * r->cap : 1024;
		r->run = mem_realloc(r->run, r->cap, sizeof(*r->run));
		r->value = mem_realloc(r->value, r->cap, sizeof(*r->value));
	}
	r->run[r->n] = run;
	r->value[r->n++] = value;
}

static int read_values(struct db *db, int64_t response,
		       const struct settled *settled, struct reading *r,
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
		int64_t run = settled_find(settled,
					   sqlite3_column_int64(stmt, 0));

		if (run >= 0)
			reading_add(r, (uint32_t)run,
				    sqlite3_column_double(stmt, 1));
	}
	db_end(stmt);
	return rc;
}

/* Counting sort by run; observations of a run keep their order. */
static void place_values(struct frame *f, const struct reading *r)
{
	size_t *next = mem_zalloc(f->n_runs + 1, sizeof(*next));

	f->n_values = r->n;
	f->run_of = mem_zalloc(r->n, sizeof(*f->run_of));
	f->value = mem_zalloc(r->n, sizeof(*f->value));
	for (size_t i = 0; i < r->n; i++)
		next[r->run[i] + 1]++;
	for (size_t i = 0; i < f->n_runs; i++)
		next[i + 1] += next[i];
	for (size_t i = 0; i < r->n; i++) {
		size_t at = next[r->run[i]]++;

		f->run_of[at] = r->run[i];
		f->value[at] = r->value[i];
	}
	free(next);
}

static enum better better_parse(const char *name)
{
	if (name && strcmp(name, "higher") == 0)
		return BETTER_HIGHER;
	if (name && strcmp(name, "lower") == 0)
		return BETTER_LOWER;
	return BETTER_UNSAID;
}

static int mixed_units(const struct frame *f, const char *uom,
		       const struct db *db, struct error *err)
{
	return error_set(err, ERROR_USAGE,
			 "%s: %s of %s was recorded both in \"%s\" and in "
			 "\"%s\": these cannot be analysed together", db->path,
			 f->response, f->benchmark, f->uom, uom);
}

/* Rows of `response` differ in what the file said of unit and direction. */
static int read_responses(struct db *db, int64_t campaign,
			  const struct settled *settled, struct frame *f,
			  struct reading *r, struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (db_query(db, &stmt,
		     "SELECT id, uom, better FROM response"
		     " WHERE campaign = ? AND benchmark = ? AND name = ?"
		     " ORDER BY id",
		     BIND(value_int(campaign), value_text(f->benchmark),
			  value_text(f->response)),
		     err) < 0)
		return -1;
	while ((rc = db_next(db, stmt, err)) > 0) {
		size_t before = r->n;
		char *uom = db_column_text(stmt, 1);

		rc = read_values(db, sqlite3_column_int64(stmt, 0), settled, r,
				 err);
		if (rc < 0 || (r->n == before && f->uom)) {
			free(uom);
		} else if (before && f->uom && strcmp(f->uom, uom) != 0) {
			rc = mixed_units(f, uom, db, err);
			free(uom);
		} else {
			free(f->uom);
			f->uom = uom;
			f->better = better_parse(
				(const char *)sqlite3_column_text(stmt, 2));
		}
		if (rc < 0)
			break;
	}
	db_end(stmt);
	return rc;
}

/* The frame takes over what was settled. */
static void move_runs(struct frame *f, struct settled *s)
{
	f->keys = s->keys;
	f->n_keys = s->n_keys;
	f->hosts = s->hosts;
	f->n_hosts = s->n_hosts;
	f->runs = s->runs;
	f->n_runs = s->n;
	s->keys = NULL;
	s->hosts = NULL;
	s->runs = NULL;
	s->n_keys = s->n_hosts = s->n = 0;
}

int store_frame(struct store *s, int64_t campaign, const char *benchmark,
		const char *response, struct frame *out, struct error *err)
{
	struct frame f = { .better = BETTER_UNSAID };
	struct settled settled = SETTLED_INIT;
	struct reading r = { .n = 0 };
	int rc;

	if (db_read_begin(&s->db, err) < 0)
		return -1;
	f.benchmark = mem_strdup(benchmark);
	f.response = mem_strdup(response);
	rc = settled_read(&settled, &s->db, campaign, benchmark, err);
	if (!rc)
		rc = read_responses(&s->db, campaign, &settled, &f, &r, err);
	db_read_end(&s->db);
	if (!rc) {
		move_runs(&f, &settled);
		place_values(&f, &r);
		if (!f.uom)
			f.uom = mem_strdup("");
		*out = f;
	} else {
		free(f.benchmark);
		free(f.response);
		free(f.uom);
	}
	settled_release(&settled);
	free(r.run);
	free(r.value);
	return rc;
}
