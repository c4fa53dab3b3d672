#include "orchestrate/store/store_subset.h"

#include <sqlite3.h>
#include <stdlib.h>

#include "base/mem.h"
#include "orchestrate/store/subset_columns.h"
#include "orchestrate/store/store_private.h"

void subset_release(struct subset *s)
{
	free(s->profiles);
	free(s->tags);
	free(s->narrowing);
	*s = (struct subset){ .profiles = NULL };
}

bool subset_is_all(const struct subset *s)
{
	return !s->profiles && !s->tags && !s->narrowing;
}

void subset_read(struct sqlite3_stmt *stmt, int column, struct subset *out)
{
	*out = (struct subset){
		.profiles = db_column_text_or_null(stmt, column),
		.tags = db_column_text_or_null(stmt, column + 1),
		.narrowing = db_column_text_or_null(stmt, column + 2),
	};
}

int store_subsets(struct store *s, int64_t campaign,
		     struct subset_row **out, size_t *n,
		     struct error *err)
{
	struct subset_row *rows = NULL;
	sqlite3_stmt *stmt = NULL;
	size_t count = 0, cap = 0;
	int rc;

	if (db_query(&s->db, &stmt,
		     "SELECT " SUBSET_COLUMNS("s") ","
		     " count(DISTINCT s.id), count(DISTINCT a.run)"
		     " FROM session AS s"
		     " LEFT JOIN attempt AS a ON a.session = s.id"
		     " WHERE s.campaign = ?"
		     " GROUP BY " SUBSET_COLUMNS("s") " ORDER BY min(s.id)",
		     BIND(value_int(campaign)), err) < 0)
		return -1;
	while ((rc = db_next(&s->db, stmt, err)) > 0) {
		MEM_GROW(rows, count, cap);
		subset_read(stmt, 0, &rows[count].subset);
		rows[count].n_sessions = (size_t)sqlite3_column_int64(
			stmt, SUBSET_N_COLUMNS);
		rows[count++].n_runs = (size_t)sqlite3_column_int64(
			stmt, SUBSET_N_COLUMNS + 1);
	}
	db_end(stmt);
	if (rc < 0) {
		subset_rows_free(rows, count);
		return -1;
	}
	*out = rows;
	*n = count;
	return 0;
}

void subset_rows_free(struct subset_row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		subset_release(&rows[i].subset);
	free(rows);
}
