#include <sqlite3.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/map.h"
#include "base/mem.h"
#include "orchestrate/store/store_campaign.h"
#include "orchestrate/store/store_private.h"

/* Treatments met in this call, so that each is looked up once. */
struct treatments {
	struct map ids;
	int64_t **items;
	size_t n;
	size_t cap;
};

static void treatments_release(struct treatments *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->items[i]);
	free(t->items);
	map_release(&t->ids);
}

static int insert_treatment(struct db *db, const struct planned_run *run,
			    int64_t *id, struct error *err)
{
	if (db_run(db, "INSERT INTO treatment (key) VALUES (?)",
		   BIND(value_text(run->treatment)), err) < 0)
		return -1;
	*id = db_last_id(db);
	for (size_t i = 0; i < run->n_factors; i++) {
		if (db_run(db,
			   "INSERT INTO treatment_level (treatment, factor,"
			   " level) VALUES (?, ?, ?)",
			   BIND(value_int(*id),
				value_text(run->factor_names[i]),
				value_text(run->level_names[i])),
			   err) < 0)
			return -1;
	}
	return 0;
}

static int treatment_id(struct db *db, struct treatments *t,
			const struct planned_run *run, int64_t *id,
			struct error *err)
{
	int64_t *known = map_get(&t->ids, run->treatment);
	int rc;

	if (known) {
		*id = *known;
		return 0;
	}
	rc = db_int(db, id, "SELECT id FROM treatment WHERE key = ?",
		    BIND(value_text(run->treatment)), err);
	if (rc > 0)
		rc = insert_treatment(db, run, id, err);
	if (rc < 0)
		return -1;
	known = mem_alloc(sizeof(*known));
	*known = *id;
	MEM_GROW(t->items, t->n, t->cap);
	t->items[t->n++] = known;
	map_put(&t->ids, run->treatment, known);
	return 0;
}

static int insert_run(struct db *db, struct treatments *t, int64_t campaign,
		      const struct planned_run *run, struct error *err)
{
	int64_t treatment = 0;

	if (treatment_id(db, t, run, &treatment, err) < 0)
		return -1;
	return db_run(db,
		      "INSERT INTO run (campaign, key, benchmark, treatment,"
		      " replicate, host, position) VALUES (?, ?, ?, ?, ?, ?, ?)"
		      " ON CONFLICT (campaign, key) DO NOTHING",
		      BIND(value_int(campaign), value_text(run->key),
			   value_text(run->benchmark), value_int(treatment),
			   value_int(run->replicate), value_text(run->host),
			   value_int(run->position)),
		      err);
}

/* Keys of the runs that are planned already: a campaign that goes on has most
 * of them. */
static int read_known(struct db *db, int64_t campaign, struct map *known,
		      struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (db_query(db, &stmt, "SELECT key FROM run WHERE campaign = ?",
		     BIND(value_int(campaign)), err) < 0)
		return -1;
	while ((rc = db_next(db, stmt, err)) > 0)
		map_put(known, (const char *)sqlite3_column_text(stmt, 0),
			known);
	db_end(stmt);
	return rc;
}

int store_plan(struct store *s, int64_t campaign, size_t n,
	       void (*next)(void *ctx, size_t i, struct planned_run *run),
	       void *ctx, struct error *err)
{
	struct treatments treatments = { .ids = MAP_INIT };
	struct map known = MAP_INIT;
	int rc;

	if (db_begin(&s->db, err) < 0)
		return -1;
	rc = read_known(&s->db, campaign, &known, err);
	for (size_t i = 0; i < n && !rc; i++) {
		struct planned_run run = { .key = NULL };

		next(ctx, i, &run);
		if (!map_get(&known, run.key))
			rc = insert_run(&s->db, &treatments, campaign, &run,
					err);
	}
	map_release(&known);
	treatments_release(&treatments);
	return db_commit(&s->db, rc, err);
}
