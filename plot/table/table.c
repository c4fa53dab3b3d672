#include "plot/table/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

/*
 * Text comes from files and programs of all kinds. It is made printable and
 * put on one line here, at the door, so that no writer has to.
 */
static char *one_line(const char *text)
{
	struct buf b = BUF_INIT;
	char *line;

	utf8_add_printable(&b, text, strlen(text));
	line = buf_detach(&b);
	for (char *p = line; *p; p++)
		if (*p == '\n' || *p == '\t')
			*p = ' ';
	return line;
}

void table_init(struct table *t, const char *title)
{
	*t = (struct table){ .title = title ? one_line(title) : NULL };
}

void table_release(struct table *t)
{
	for (size_t i = 0; i < t->n_columns; i++)
		free(t->columns[i].header);
	for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
		free(t->cells[i]);
	for (size_t i = 0; i < t->n_notes; i++)
		free(t->notes[i]);
	free(t->title);
	free(t->columns);
	free(t->cells);
	free(t->notes);
	*t = (struct table){ .title = NULL };
}

void table_column(struct table *t, const char *header, enum table_align align,
		  bool head)
{
	assert(!t->n_rows);
	t->columns = mem_realloc(t->columns, t->n_columns + 1,
				 sizeof(*t->columns));
	t->columns[t->n_columns++] = (struct table_column){
		.header = one_line(header),
		.align = align,
		.head = head,
	};
}

size_t table_row(struct table *t)
{
	char **cells;

	if (t->n_rows + 1 > t->cap_rows) {
		t->cap_rows = t->cap_rows ? 2 * t->cap_rows : 8;
		t->cells = mem_realloc(t->cells, t->cap_rows,
				       sizeof(*t->cells) *
					       (t->n_columns ? t->n_columns
							     : 1));
	}
	cells = t->cells + t->n_rows * t->n_columns;
	for (size_t i = 0; i < t->n_columns; i++)
		cells[i] = mem_strdup("");
	return t->n_rows++;
}

void table_set(struct table *t, size_t row, size_t column, const char *text)
{
	char **cell;

	assert(row < t->n_rows && column < t->n_columns);
	cell = &t->cells[row * t->n_columns + column];
	free(*cell);
	*cell = one_line(text);
}

void table_note(struct table *t, const char *text)
{
	MEM_GROW(t->notes, t->n_notes, t->cap_notes);
	t->notes[t->n_notes++] = one_line(text);
}
