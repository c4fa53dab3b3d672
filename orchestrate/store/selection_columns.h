#ifndef STORE_SELECTION_COLUMNS_H
#define STORE_SELECTION_COLUMNS_H

/* For the files of this folder only: a selection in a row of `session`. */
#define SELECTION_COLUMNS(t)                                                 \
	t ".profiles, " t ".tags, " t ".only_levels, " t ".skip_levels, "    \
	t ".replicates"
#define SELECTION_N_COLUMNS 5

struct selection;
struct sqlite3_stmt;

/* From the row's column `column` on. */
void selection_read(struct sqlite3_stmt *stmt, int column,
		    struct selection *out);

#endif
