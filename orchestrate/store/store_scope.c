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
	free(s->only);
	free(s->skip);
	*s = (struct scope){ .profiles = NULL };
}

void scope_copy(struct scope *out, const struct scope *from)
{
	*out = (struct scope){
		.profiles = mem_strdup(from->profiles),
		.tags = mem_strdup(from->tags),
		.only = mem_strdup(from->only),
		.skip = mem_strdup(from->skip),
		.replicates = from->replicates,
	};
}

void scope_read(struct sqlite3_stmt *stmt, int column,
		    struct scope *out)
{
	*out = (struct scope){
		.profiles = db_column_text_or_null(stmt, column),
		.tags = db_column_text_or_null(stmt, column + 1),
		.only = db_column_text_or_null(stmt, column + 2),
		.skip = db_column_text_or_null(stmt, column + 3),
		.replicates =
			(uint32_t)sqlite3_column_int64(stmt, column + 4),
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
		     " GROUP BY s.profiles, s.tags, s.only_levels,"
		     "  s.skip_levels, s.replicates ORDER BY min(s.id)",
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
