#ifndef CMD_CHOSEN_H
#define CMD_CHOSEN_H

#include <stdbool.h>
#include <stddef.h>

struct error;
struct experiment;
struct operands;

/*
 * Which of the experiment's charts (or tables) the operands after FILE name; all when
 * they name none. ERROR_USAGE with a suggestion when one does not exist, or
 * when the file has none at all. `chosen` is the caller's to free.
 */
int chosen_charts(bool **chosen, const struct experiment *e,
		  const struct operands *operands, struct error *err);
int chosen_tables(bool **chosen, const struct experiment *e,
		  const struct operands *operands, struct error *err);

#endif
