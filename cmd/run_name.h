#ifndef CMD_RUN_NAME_H
#define CMD_RUN_NAME_H

#include <stddef.h>

struct error;
struct schedule;

/*
 * The run (an index) that a user means: its number, its key, or the key of a
 * treatment, of which it is the first run. ERROR_USAGE suggests the nearest.
 */
int run_name_find(size_t *run, const struct schedule *s, const char *name,
		  struct error *err);

#endif
