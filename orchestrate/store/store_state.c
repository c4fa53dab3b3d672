#include "orchestrate/store/store_state.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/store/store_private.h"

void saved_state_release(struct saved_state *s)
{
	free(s->host);
	free(s->target);
	free(s->factor);
	free(s->level);
	free(s->saved);
	free(s->revert);
	memset(s, 0, sizeof(*s));
}

void saved_states_free(struct saved_state *states, size_t n)
{
	for (size_t i = 0; i < n; i++)
		saved_state_release(&states[i]);
	free(states);
}

int store_state_save(struct store *s, struct saved_state *state,
		     struct error *err)
{
	if (db_run(&s->db,
		   "INSERT INTO saved_state (campaign, host, target, factor,"
		   " level, saved, revert, timeout, recorded)"
		   " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		   BIND(value_int(state->campaign), value_text(state->host),
			value_text(state->target ? state->target : ""),
			value_text(state->factor), value_text(state->level),
			value_text(state->saved ? state->saved : ""),
			value_text(state->revert), value_real(state->timeout),
			value_int(clock_wall_ns())),
		   err) < 0)
		return -1;
	state->id = db_last_id(&s->db);
	return 0;
}

int store_state_reverted(struct store *s, int64_t id, struct error *err)
{
	return db_run(&s->db,
		      "INSERT INTO reverted (state, recorded) VALUES (?, ?)"
		      " ON CONFLICT (state) DO NOTHING",
		      BIND(value_int(id), value_int(clock_wall_ns())), err);
}

static void read_state(sqlite3_stmt *stmt, struct saved_state *out)
{
	out->id = sqlite3_column_int64(stmt, 0);
	out->campaign = sqlite3_column_int64(stmt, 1);
	out->host = db_column_text(stmt, 2);
	out->target = db_column_text(stmt, 3);
	out->factor = db_column_text(stmt, 4);
	out->level = db_column_text(stmt, 5);
	out->saved = db_column_text(stmt, 6);
	out->revert = db_column_text(stmt, 7);
	out->timeout = sqlite3_column_double(stmt, 8);
}

int store_state_pending(struct store *s, const char *host,
			struct saved_state **out, size_t *n,
			struct error *err)
{
	struct saved_state *items = NULL;
	sqlite3_stmt *stmt = NULL;
	size_t count = 0, cap = 0;
	int rc;

	if (db_query(&s->db, &stmt,
		     "SELECT id, campaign, host, target, factor, level, saved,"
		     " revert, timeout FROM saved_state"
		     " WHERE (?1 IS NULL OR host = ?1)"
		     " AND id NOT IN (SELECT state FROM reverted)"
		     " ORDER BY id DESC", BIND(value_text(host)), err) < 0)
		return -1;
	while ((rc = db_next(&s->db, stmt, err)) > 0) {
		MEM_GROW(items, count, cap);
		read_state(stmt, &items[count++]);
	}
	db_end(stmt);
	if (rc < 0) {
		saved_states_free(items, count);
		return -1;
	}
	*out = items;
	*n = count;
	return 0;
}
