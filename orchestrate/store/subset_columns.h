#ifndef STORE_SUBSET_COLUMNS_H
#define STORE_SUBSET_COLUMNS_H

/* For the files of this folder only: a subset in a row of `session`. */
#define SUBSET_COLUMNS(t) t ".profiles, " t ".tags, " t ".narrowing"
#define SUBSET_N_COLUMNS 3

struct subset;
struct sqlite3_stmt;

/* From the row's column `column` on. */
void subset_read(struct sqlite3_stmt *stmt, int column, struct subset *out);

#endif
