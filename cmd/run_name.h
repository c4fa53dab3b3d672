#ifndef CMD_RUN_NAME_H
#define CMD_RUN_NAME_H

#include <stdbool.h>
#include <stddef.h>

struct error;
struct schedule;

/*
 * The run (an index) that a user means: its number or its key. Of a key the
 * benchmark, the replicate or both may be missing: then it is the first run
 * that fits. Factors may stand in any order. ERROR_USAGE suggests the nearest.
 */
int run_name_find(size_t *run, const struct schedule *s, const char *name,
		  struct error *err);

/* The name with its factors in the order of a key; caller frees. */
char *run_name_canonical(const char *name);
bool run_name_is_number(const char *name);

#endif
