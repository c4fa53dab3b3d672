#ifndef PLOT_TABLE_TABLE_H
#define PLOT_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "plot/provenance.h"

struct buf;

enum table_align {
	TABLE_LEFT,
	TABLE_RIGHT,
};

/* One model, several writers. Owns its text. */
struct table {
	char *title;            /* may be NULL */
	struct table_column {
		char *header;
		enum table_align align;
		bool head;      /* a row label column: set apart */
	} *columns;
	size_t n_columns;
	char **cells;           /* n_rows x n_columns, row-major */
	size_t n_rows;
	size_t cap_rows;
	char **notes;           /* below the table: method, n, warnings */
	size_t n_notes;
	size_t cap_notes;
};

void table_init(struct table *t, const char *title);
void table_release(struct table *t);
/* Columns first, then rows. */
void table_column(struct table *t, const char *header,
		  enum table_align align, bool head);
/* Adds a row of empty cells; returns its index. */
size_t table_row(struct table *t);
void table_set(struct table *t, size_t row, size_t column, const char *text);
void table_note(struct table *t, const char *text);

/* Writers append to `out`. provenance may be NULL. `width` 0: not limited. */
void table_write_text(const struct table *t, int width, struct buf *out);
void table_write_markdown(const struct table *t, const struct provenance *p,
			  struct buf *out);
void table_write_html(const struct table *t, struct buf *out);

#endif
