#ifndef PLOT_TABLE_PROSE_H
#define PLOT_TABLE_PROSE_H

/*
 * A copy of `text` in which no line can end inside a number's expression:
 * "95 %", "n = 5", "3 ± 1" and "2 × 10⁹" get no-break spaces (U+00A0). For
 * running text on a page, not for cells or terminals. Caller frees.
 */
char *prose_bind(const char *text);

#endif
