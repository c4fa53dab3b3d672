#ifndef PLOT_TABLE_TABLE_ALIGN_H
#define PLOT_TABLE_TABLE_ALIGN_H

#include <stddef.h>

struct table;

/* What fills the place of something that other cells have and this has not. */
struct table_pads {
	const char *digit;
	const char *point;
	const char *group; /* the thin space between groups of digits */
	const char *space;
	const char *bracket;
};

/*
 * All cells (n_rows x n_columns, row-major), those of TABLE_RIGHT columns
 * padded so that their numbers stand with the points below each other when
 * set flush right: "9.5 ± 1.2" gets a place more behind its numbers when
 * another cell of the column is "10.25 ± 0.33"; a lone number (or "–") stands
 * below the first numbers. Cells of another form (words) are copied as they
 * are. Freed by table_align_free().
 */
char **table_align(const struct table *t, const struct table_pads *pads);
void table_align_free(const struct table *t, char **cells);

#endif
