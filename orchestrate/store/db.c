#include "orchestrate/store/db.h"

#include <limits.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/store/fault.h"

#define BUSY_MS 10000

/* SQLite gives meaning to some names (":memory:", "file:..."): a leading
 * directory takes it away. */
static char *plain_name(const char *path)
{
	return mem_printf("%s%s", path[0] == '/' ? "" : "./", path);
}

static char *immutable_name(const char *path)
{
	struct buf uri = BUF_INIT;

	buf_adds(&uri, "file:");
	for (const char *p = path; *p; p++) {
		if (strchr("%?#", *p))
			buf_addf(&uri, "%%%02X", (unsigned char)*p);
		else
			buf_addc(&uri, *p);
	}
	buf_adds(&uri, "?immutable=1");
	return buf_detach(&uri);
}

static int apply_settings(struct db *db, struct error *err)
{
	static const char *const settings[] = {
		"PRAGMA foreign_keys = ON",
		"PRAGMA synchronous = FULL",
		"PRAGMA trusted_schema = OFF",
		"PRAGMA cell_size_check = ON",
		"PRAGMA recursive_triggers = ON",
		"PRAGMA temp_store = MEMORY",
		"PRAGMA cache_size = -65536",
	};

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		if (db_run(db, settings[i], BIND_NONE, err) < 0)
			return -1;
	}
	return 0;
}

int db_open(struct db *db, const char *path, enum db_open mode,
	    struct error *err)
{
	static const int flags[] = {
		[DB_READ] = SQLITE_OPEN_READWRITE, /* or read-only */
		[DB_IMMUTABLE] = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
		[DB_WRITE] = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
	};
	char *name = mode == DB_IMMUTABLE ? immutable_name(path) :
					    plain_name(path);
	int rc;

	memset(db, 0, sizeof(*db));
	db->path = mem_strdup(path);
	rc = sqlite3_open_v2(name, &db->handle,
			     flags[mode] | SQLITE_OPEN_NOMUTEX |
				     SQLITE_OPEN_EXRESCODE,
			     NULL);
	free(name);
	if (rc != SQLITE_OK) {
		fault_set(db, rc, err);
		db_release(db);
		return -1;
	}
	sqlite3_busy_timeout(db->handle, BUSY_MS);
	if (apply_settings(db, err) < 0 ||
	    (mode != DB_WRITE &&
	     db_run(db, "PRAGMA query_only = ON", BIND_NONE, err) < 0)) {
		db_release(db);
		return -1;
	}
	return 0;
}

void db_release(struct db *db)
{
	for (size_t i = 0; i < db->n_statements; i++)
		sqlite3_finalize(db->statements[i].stmt);
	free(db->statements);
	sqlite3_close(db->handle);
	free(db->path);
	memset(db, 0, sizeof(*db));
}

struct value value_int(int64_t i)
{
	return (struct value){ .type = VALUE_INT, .i = i };
}

struct value value_id(int64_t id)
{
	return (struct value){ .type = id ? VALUE_INT : VALUE_NULL, .i = id };
}

struct value value_real(double real)
{
	return (struct value){ .type = isnan(real) ? VALUE_NULL : VALUE_REAL,
			       .real = real };
}

struct value value_text(const char *s)
{
	return (struct value){ .type = s ? VALUE_TEXT : VALUE_NULL,
			       .data = s,
			       .n = s ? strlen(s) : 0 };
}

struct value value_blob(const void *data, size_t n)
{
	return (struct value){ .type = VALUE_BLOB, .data = data, .n = n };
}

static int bind(sqlite3_stmt *stmt, int i, const struct value *v)
{
	switch (v->type) {
	case VALUE_NULL:
		return sqlite3_bind_null(stmt, i);
	case VALUE_INT:
		return sqlite3_bind_int64(stmt, i, v->i);
	case VALUE_REAL:
		return sqlite3_bind_double(stmt, i, v->real);
	case VALUE_TEXT:
		return sqlite3_bind_text64(stmt, i, v->data, v->n,
					   SQLITE_STATIC, SQLITE_UTF8);
	case VALUE_BLOB:
		return sqlite3_bind_blob64(stmt, i, v->data, v->n,
					   SQLITE_STATIC);
	}
	return SQLITE_MISUSE;
}

static int prepare(struct db *db, sqlite3_stmt **out, const char *sql,
		   struct error *err)
{
	const char *tail = NULL;
	struct db_statement *s;
	sqlite3_stmt *stmt = NULL;
	int rc;

	for (size_t i = 0; i < db->n_statements; i++) {
		if (db->statements[i].sql == sql) {
			*out = db->statements[i].stmt;
			return 0;
		}
	}
	rc = sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT,
				&stmt, &tail);
	if (rc != SQLITE_OK)
		return fault_set(db, rc, err);
	if (!stmt || tail[strspn(tail, " \t\n;")]) {
		sqlite3_finalize(stmt);
		return error_set(err, ERROR_ENVIRONMENT,
				 "%s: more or less than one statement: %s",
				 db->path, sql);
	}
	MEM_GROW(db->statements, db->n_statements, db->cap_statements);
	s = &db->statements[db->n_statements++];
	s->sql = sql;
	s->stmt = stmt;
	*out = stmt;
	return 0;
}

int db_query(struct db *db, sqlite3_stmt **out, const char *sql,
	     const struct value *values, size_t n, struct error *err)
{
	sqlite3_stmt *stmt = NULL;

	*out = NULL;
	if (prepare(db, &stmt, sql, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		int rc = bind(stmt, (int)i + 1, &values[i]);

		if (rc != SQLITE_OK) {
			db_end(stmt);
			return fault_set(db, rc, err);
		}
	}
	*out = stmt;
	return 0;
}

int db_next(struct db *db, sqlite3_stmt *stmt, struct error *err)
{
	int rc = sqlite3_step(stmt);

	if (rc == SQLITE_ROW)
		return 1;
	if (rc == SQLITE_DONE)
		return 0;
	fault_set(db, rc, err);
	return -1;
}

void db_end(sqlite3_stmt *stmt)
{
	if (!stmt)
		return;
	sqlite3_reset(stmt);
	sqlite3_clear_bindings(stmt);
}

int db_run(struct db *db, const char *sql, const struct value *values,
	   size_t n, struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (db_query(db, &stmt, sql, values, n, err) < 0)
		return -1;
	do
		rc = db_next(db, stmt, err);
	while (rc > 0);
	db_end(stmt);
	return rc;
}

int db_int(struct db *db, int64_t *out, const char *sql,
	   const struct value *values, size_t n, struct error *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc;

	if (db_query(db, &stmt, sql, values, n, err) < 0)
		return -1;
	rc = db_next(db, stmt, err);
	if (rc > 0)
		*out = sqlite3_column_int64(stmt, 0);
	db_end(stmt);
	return rc < 0 ? -1 : !rc;
}

int64_t db_last_id(struct db *db)
{
	return sqlite3_last_insert_rowid(db->handle);
}

char *db_column_text_or_null(sqlite3_stmt *stmt, int column)
{
	return mem_strdup((const char *)sqlite3_column_text(stmt, column));
}

char *db_column_text(sqlite3_stmt *stmt, int column)
{
	const char *s = (const char *)sqlite3_column_text(stmt, column);

	return mem_strdup(s ? s : "");
}

double db_column_real(sqlite3_stmt *stmt, int column)
{
	if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
		return NAN;
	return sqlite3_column_double(stmt, column);
}

int db_begin(struct db *db, struct error *err)
{
	return db_run(db, "BEGIN IMMEDIATE", BIND_NONE, err);
}

int db_commit(struct db *db, int rc, struct error *err)
{
	struct error ignored = ERROR_INIT;

	if (!rc)
		rc = db_run(db, "COMMIT", BIND_NONE, err);
	/* SQLite has rolled back by itself after some faults */
	if (rc && !sqlite3_get_autocommit(db->handle))
		db_run(db, "ROLLBACK", BIND_NONE, &ignored);
	return rc;
}

int db_read_begin(struct db *db, struct error *err)
{
	if (!db->reading && db_run(db, "BEGIN", BIND_NONE, err) < 0)
		return -1;
	db->reading++;
	return 0;
}

void db_read_end(struct db *db)
{
	struct error ignored = ERROR_INIT;

	if (!--db->reading && !sqlite3_get_autocommit(db->handle))
		db_run(db, "COMMIT", BIND_NONE, &ignored);
}
