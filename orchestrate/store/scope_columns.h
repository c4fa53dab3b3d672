#ifndef STORE_SCOPE_COLUMNS_H
#define STORE_SCOPE_COLUMNS_H

/* For the files of this folder only: a scope in a row of `session`. */
#define SCOPE_COLUMNS(t) t ".profiles, " t ".tags, " t ".narrowing"
#define SCOPE_N_COLUMNS 3

struct scope;
struct sqlite3_stmt;

/* From the row's column `column` on. */
void scope_read(struct sqlite3_stmt *stmt, int column, struct scope *out);

#endif
