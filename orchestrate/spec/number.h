#ifndef SPEC_NUMBER_H
#define SPEC_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Numbers as files and expressions have them, the same in every locale:
 *
 *	8  0.5  1e-3  4k  64K  16G  4KiB  1.5MB
 *
 * A unit stands directly behind the digits: K (or k), M, G, T and KiB, MiB,
 * GiB, TiB are powers of 1024; kB, MB, GB, TB powers of 1000. A small "m" is
 * none: in other places it means minutes or milliseconds.
 */

/* How many bytes of `text` are a number, 0: it does not start with one.
 * No sign. A unit counts only when no letter or digit follows it. */
size_t number_scan(const char *text, double *out);
/* Whether the whole text is one; a "-" may stand in front. */
bool number_parse(const char *text, double *out);

/* The length of the unit at the start of `text`, 0 without one; `power` of
 * `base` is what it stands for (0 without one). */
size_t number_unit(const char *text, unsigned *base, unsigned *power);

/*
 * The shortest text that reads back as the same number: "8", "0.5", "1e+30".
 * Whole numbers that a shell can calculate with (below 2^63) have all their
 * digits. Returns `out`. `v` is finite.
 */
#define NUMBER_SIZE 32
const char *number_print(char out[NUMBER_SIZE], double v);

#endif
