#ifndef PLOT_TABLE_TABLE_H
#define PLOT_TABLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "plot/provenance.h"

struct buf;

enum table_align {
	TABLE_LEFT,
	TABLE_RIGHT, /* numbers; lined up at the decimal point */
};

/*
 * One model, several writers. Owns its text. Every text is put on one line
 * and made printable as it comes in: what is not UTF-8 becomes U+FFFD, and no
 * control character reaches a terminal.
 */
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

/*
 * Writers append to `out`; the same table gives the same bytes in every
 * locale.
 *
 * Text for a terminal or a file: no colours, nothing asked of the terminal.
 * `width` in columns, 0: not limited. Where it is too narrow, labels and
 * headers are wrapped between words; a number is never cut or broken, so a
 * line may be longer than `width`.
 */
void table_write_text(const struct table *t, int width, struct buf *out);
/* GitHub's Markdown (a pipe table). provenance may be NULL. */
void table_write_markdown(const struct table *t, const struct provenance *p,
			  struct buf *out);
/*
 * A fragment: div.table around a scrollable table with caption, thead and
 * row headers, and ul.notes. Cells of numbers have the class "num" and want
 * tabular numerals.
 */
void table_write_html(const struct table *t, struct buf *out);

#endif
