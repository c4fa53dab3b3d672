#ifndef SPEC_RANGE_AMOUNT_H
#define SPEC_RANGE_AMOUNT_H

#include <stdbool.h>
#include <stddef.h>

struct buf;

/*
 * Exact numbers with a unit, for ranges: counted in 10^-9. 15 digits of the
 * largest unit are below 10^15 * 10^9 * 1024^4 < 2^121: there is room for
 * sums.
 */
#define AMOUNT_DECIMALS 9
#define AMOUNT_ONE 1000000000
#define AMOUNT_DIGITS 15

struct unit {
	char name[4];
	__int128 size;    /* in ones */
};

/* Units that levels may have, greatest first. */
struct units {
	struct unit items[2];
	size_t n;
};

/* Whether the text is a number with a unit, or none (number.h). */
bool amount_read(const char *text, __int128 *out, struct unit *unit);
/* Adds one of at most two, unless it is there. */
void units_add(struct units *u, const struct unit *unit);
/* Appends the amount in the greatest unit in which it is whole, else in the
 * least. False when it has more decimals then than there are. */
bool amount_print(const struct units *u, __int128 v, struct buf *out);

#endif
