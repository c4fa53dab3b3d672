#ifndef STORE_DB_H
#define STORE_DB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct sqlite3;
struct sqlite3_stmt;

/*
 * A connection with its prepared statements. Everything of the store speaks
 * SQL through these few functions; they turn SQLite's codes into one line.
 */
struct db {
	struct sqlite3 *handle;
	char *path;          /* as the user gave it: for messages */
	struct db_statement {
		const char *sql; /* by address: literals only */
		struct sqlite3_stmt *stmt;
	} *statements;
	size_t n_statements;
	size_t cap_statements;
	int reading;         /* nested read transactions */
};

enum db_open {
	DB_READ,      /* no write of ours, no lock that keeps a writer waiting.
	               * Where the file permits it is opened as for writing:
	               * the last to close can then put away the journal */
	DB_IMMUTABLE, /* on media where nothing can be made or changed */
	DB_WRITE,     /* made when missing */
};

int db_open(struct db *db, const char *path, enum db_open mode,
	    struct error *err);
void db_release(struct db *db);

/* One value bound to a statement's next "?"; memory is borrowed. */
struct value {
	enum { VALUE_NULL, VALUE_INT, VALUE_REAL, VALUE_TEXT, VALUE_BLOB } type;
	int64_t i;
	double real;
	const void *data;
	size_t n;
};

struct value value_int(int64_t i);
struct value value_id(int64_t id);        /* 0 is NULL */
struct value value_real(double real);     /* NaN is NULL */
struct value value_text(const char *s);   /* NULL is NULL */
struct value value_blob(const void *data, size_t n);

#define BIND(...)                                         \
	((const struct value[]){ __VA_ARGS__ }),          \
	(sizeof((const struct value[]){ __VA_ARGS__ }) /  \
	 sizeof(struct value))
#define BIND_NONE NULL, 0

/*
 * Prepares (once) and binds. `sql` is a literal of exactly one statement:
 * anything behind it is refused. The statement must be ended with db_end().
 */
int db_query(struct db *db, struct sqlite3_stmt **out, const char *sql,
	     const struct value *values, size_t n, struct error *err);
/* 1 a row, 0 no more, -1 error. */
int db_next(struct db *db, struct sqlite3_stmt *stmt, struct error *err);
void db_end(struct sqlite3_stmt *stmt); /* NULL-safe */

/* A statement without rows (rows are passed over). */
int db_run(struct db *db, const char *sql, const struct value *values,
	   size_t n, struct error *err);
/* The first column of the first row; 1 when there is no row. */
int db_int(struct db *db, int64_t *out, const char *sql,
	   const struct value *values, size_t n, struct error *err);
int64_t db_last_id(struct db *db);

/* Copies of column text ("" for NULL, or NULL for NULL). */
char *db_column_text(struct sqlite3_stmt *stmt, int column);
char *db_column_text_or_null(struct sqlite3_stmt *stmt, int column);
double db_column_real(struct sqlite3_stmt *stmt, int column); /* NULL is NaN */

/*
 * A write transaction. db_commit() takes the result of the work so far:
 * commits when it is 0, else rolls back and passes it on.
 */
int db_begin(struct db *db, struct error *err);
int db_commit(struct db *db, int rc, struct error *err);

/* A read transaction: every query until db_read_end() sees one state. They
 * nest; one that failed to begin is not ended. */
int db_read_begin(struct db *db, struct error *err);
void db_read_end(struct db *db);

#endif
