#ifndef SCHEDULE_SQUARE_H
#define SCHEDULE_SQUARE_H

#include <stddef.h>
#include <stdint.h>

struct random;

/*
 * A Latin square of k x k: every letter once in each row and once in each
 * column. The cyclic square, letter = row + column mod k, with its rows,
 * columns and letters shuffled (Fisher and Yates, Statistical Tables, XV).
 */
struct square {
	size_t k;
	uint32_t *row;     /* the row that stands at a place of the cyclic
	                    * square */
	uint32_t *column;  /* the place of a column in it */
	uint32_t *letter;  /* the place of a letter in it */
};

/* The cyclic square. */
void square_init(struct square *s, size_t k);
void square_release(struct square *s);
/* Shuffles rows, then columns, then letters of the cyclic square: what it was
 * before does not matter. */
void square_draw(struct square *s, struct random *r);

/* The row in which the column has the letter. */
size_t square_row(const struct square *s, size_t column, size_t letter);

#endif
