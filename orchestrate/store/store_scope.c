#include "orchestrate/store/store_scope.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "base/mem.h"
#include "orchestrate/store/scope_columns.h"
#include "orchestrate/store/store_private.h"

void scope_release(struct scope *s)
{
	free(s->profiles);
	free(s->tags);
	free(s->narrowing);
	*s = (struct scope){ .profiles = NULL };
}

bool scope_is_all(const struct scope *s)
{
	return !s->profiles && !s->tags && !s->narrowing;
}

void scope_read(struct sqlite3_stmt *stmt, int column, struct scope *out)
{
	*out = (struct scope){
		.profiles = db_column_text_or_null(stmt, column),
		.tags = db_column_text_or_null(stmt, column + 1),
		.narrowing = db_column_text_or_null(stmt, column + 2),
	};
}

int store_scopes(struct store *s, int64_t campaign,
		     struct scope_row **out, size_t *n,
		     struct error *err)
{
	struct scope_row *rows = NULL;
	sqlite3_stmt *stmt = NULL;
	size_t count = 0, cap = 0;
	int rc;

	if (db_query(&s->db, &stmt,
		     "SELECT " SCOPE_COLUMNS("s") ","
		     " count(DISTINCT s.id), count(DISTINCT a.run)"
		     " FROM session AS s"
		     " LEFT JOIN attempt AS a ON a.session = s.id"
		     " WHERE s.campaign = ?"
		     " GROUP BY " SCOPE_COLUMNS("s") " ORDER BY min(s.id)",
		     BIND(value_int(campaign)), err) < 0)
		return -1;
	while ((rc = db_next(&s->db, stmt, err)) > 0) {
		MEM_GROW(rows, count, cap);
		scope_read(stmt, 0, &rows[count].scope);
		rows[count].n_sessions = (size_t)sqlite3_column_int64(
			stmt, SCOPE_N_COLUMNS);
		rows[count++].n_runs = (size_t)sqlite3_column_int64(
			stmt, SCOPE_N_COLUMNS + 1);
	}
	db_end(stmt);
	if (rc < 0) {
		scope_rows_free(rows, count);
		return -1;
	}
	*out = rows;
	*n = count;
	return 0;
}

void scope_rows_free(struct scope_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		scope_release(&rows[i].scope);
	free(rows);
}
