#include "orchestrate/store/store_campaign.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/mem.h"
#include "orchestrate/store/store_private.h"
#include "orchestrate/store/store_subset.h"

void campaign_release(struct campaign *c)
{
	free(c->uuid);
	free(c->recipe);
	free(c->experiment);
	free(c->commit);
	free(c->version);
	memset(c, 0, sizeof(*c));
}

#define CAMPAIGN_COLUMNS                                                    \
	"c.id, c.uuid, c.recipe, c.experiment, c.seed, c.started,"          \
	" s.commit_id, s.version"
#define CAMPAIGN_TABLES                                                     \
	" FROM campaign AS c"                                               \
	" LEFT JOIN session AS s ON s.id = coalesce("                       \
	" (SELECT a.session FROM attempt AS a CROSS JOIN run AS r"          \
	"  ON r.id = a.run WHERE r.campaign = c.id"                         \
	"  ORDER BY a.id DESC LIMIT 1),"                                    \
	" (SELECT max(id) FROM session WHERE campaign = c.id)) "
#define SETTLED_RUNS                                                        \
	" FROM run AS r JOIN attempt AS a ON a.run = r.id"                  \
	" JOIN outcome AS o ON o.attempt = a.id WHERE r.campaign = c.id"    \
	" AND o.outcome IN ('ok', 'failed', 'timeout', 'invalid')"
#define SELECT_CAMPAIGN "SELECT " CAMPAIGN_COLUMNS CAMPAIGN_TABLES

static void read_row(sqlite3_stmt *stmt, struct campaign *out)
{
	char *seed = db_column_text(stmt, 4);

	out->id = sqlite3_column_int64(stmt, 0);
	out->uuid = db_column_text(stmt, 1);
	out->recipe = db_column_text(stmt, 2);
	out->experiment = db_column_text(stmt, 3);
	out->seed = strtoull(seed, NULL, 10);
	out->started = sqlite3_column_int64(stmt, 5);
	out->commit = db_column_text_or_null(stmt, 6);
	out->version = db_column_text_or_null(stmt, 7);
	free(seed);
}

/* 0 found, 1 not. */
static int read_campaign(struct db *db, const char *sql,
			 const struct value *values, size_t n,
			 struct campaign *out, struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (db_query(db, &stmt, sql, values, n, err) < 0)
		return -1;
	rc = db_next(db, stmt, err);
	if (rc > 0)
		read_row(stmt, out);
	db_end(stmt);
	return rc < 0 ? -1 : !rc;
}

int store_campaign_latest(struct store *s, struct campaign *out,
			  struct error *err)
{
	memset(out, 0, sizeof(*out));
	return read_campaign(&s->db,
			     SELECT_CAMPAIGN "ORDER BY c.id DESC LIMIT 1",
			     BIND_NONE, out, err);
}

int store_campaign_by_recipe(struct store *s, const char *recipe,
			     bool with_results, struct campaign *out,
			     struct error *err)
{
	memset(out, 0, sizeof(*out));
	return read_campaign(&s->db,
			     SELECT_CAMPAIGN
			     "WHERE c.recipe = ?1 ORDER BY ?2 AND EXISTS"
			     " (SELECT 1" SETTLED_RUNS ") DESC,"
			     " c.id DESC LIMIT 1",
			     BIND(value_text(recipe), value_int(with_results)),
			     out, err);
}

int store_campaigns(struct store *s, struct campaign_row **out, size_t *n,
		    struct error *err)
{
	struct campaign_row *rows = NULL;
	sqlite3_stmt *stmt = NULL;
	size_t count = 0, cap = 0;
	int rc;

	if (db_query(&s->db, &stmt,
		     "SELECT " CAMPAIGN_COLUMNS ","
		     " (SELECT count(DISTINCT a.run)" SETTLED_RUNS ")"
		     CAMPAIGN_TABLES "ORDER BY c.id",
		     BIND_NONE, err) < 0)
		return -1;
	while ((rc = db_next(&s->db, stmt, err)) > 0) {
		MEM_GROW(rows, count, cap);
		read_row(stmt, &rows[count].campaign);
		rows[count++].n_settled =
			(size_t)sqlite3_column_int64(stmt, 8);
	}
	db_end(stmt);
	if (rc < 0) {
		campaign_rows_free(rows, count);
		return -1;
	}
	*out = rows;
	*n = count;
	return 0;
}

void campaign_rows_free(struct campaign_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		campaign_release(&rows[i].campaign);
	free(rows);
}

static int no_campaign(struct store *s, const char *name, struct error *err)
{
	return error_set(err, ERROR_USAGE,
			 "%s: no campaign \"%s\": give the first digits "
			 "of an id that `assay status` lists", s->db.path, name);
}

static int find_by_prefix(struct store *s, const char *name,
			  struct campaign *out, struct error *err)
{
	int64_t n = 0;

	if (!name[0])
		return no_campaign(s, name, err);
	if (db_int(&s->db, &n,
		   "SELECT count(*) FROM campaign"
		   " WHERE substr(uuid, 1, length(?1)) = ?1",
		   BIND(value_text(name)), err) < 0)
		return -1;
	if (n == 0)
		return no_campaign(s, name, err);
	if (n > 1)
		return error_set(err, ERROR_USAGE,
				 "%s: %lld campaigns begin with \"%s\": give "
				 "more digits", s->db.path, (long long)n, name);
	return read_campaign(&s->db,
			     SELECT_CAMPAIGN
			     "WHERE substr(c.uuid, 1, length(?1)) = ?1",
			     BIND(value_text(name)), out, err);
}

int store_campaign_find(struct store *s, const char *name,
			struct campaign *out, struct error *err)
{
	memset(out, 0, sizeof(*out));
	if (name[0] && strspn(name, "0123456789") == strlen(name) &&
	    strlen(name) < 19) {
		int rc = read_campaign(&s->db, SELECT_CAMPAIGN "WHERE c.id = ?",
				       BIND(value_int(strtoll(name, NULL, 10))),
				       out, err);

		if (rc <= 0)
			return rc;
	}
	return find_by_prefix(s, name, out, err);
}

int store_campaign_new(struct store *s, struct campaign *c,
		       struct error *err)
{
	int64_t started = clock_wall_ns();
	char uuid[33], seed[24];

	hash_random_hex(uuid, 16);
	snprintf(seed, sizeof(seed), "%" PRIu64, c->seed);
	if (db_run(&s->db,
		   "INSERT INTO campaign (uuid, recipe, experiment, seed,"
		   " started) VALUES (?, ?, ?, ?, ?)",
		   BIND(value_text(uuid), value_text(c->recipe),
			value_text(c->experiment), value_text(seed),
			value_int(started)),
		   err) < 0)
		return -1;
	c->id = db_last_id(&s->db);
	free(c->uuid);
	c->uuid = mem_strdup(uuid);
	c->started = started;
	return 0;
}

int store_session_new(struct store *s, int64_t campaign, const char *commit,
		      const char *version, const struct subset *subset,
		      int64_t *id, struct error *err)
{
	static const struct subset all = { .profiles = NULL };
	const struct subset *n = subset ? subset : &all;

	if (db_run(&s->db,
		   "INSERT INTO session (campaign, commit_id, version, started,"
		   " profiles, tags, narrowing) VALUES (?, ?, ?, ?, ?, ?, ?)",
		   BIND(value_int(campaign),
			value_text(commit && commit[0] ? commit : NULL),
			value_text(version), value_int(clock_wall_ns()),
			value_text(n->profiles), value_text(n->tags),
			value_text(n->narrowing)),
		   err) < 0)
		return -1;
	*id = db_last_id(&s->db);
	return 0;
}
