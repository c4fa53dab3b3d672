#ifndef CMD_PROBLEMS_PRINT_H
#define CMD_PROBLEMS_PRINT_H

struct problems;

/* "file:line:column: text" for each on standard error, then "N problems".
 * Sorts them first. */
void problems_print(struct problems *p);

#endif
