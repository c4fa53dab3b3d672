#ifndef EXEC_EXTRACT_CHILD_H
#define EXEC_EXTRACT_CHILD_H

#include <stddef.h>

struct error;
struct extracted;

struct extract_limits {
	unsigned cpu;    /* s */
	unsigned wall;   /* s */
	size_t memory;   /* bytes beyond what this process has already */
};

/*
 * Calls run() of a kind whose library cannot be stopped, in a copy of this
 * process that can: see extract_ops.run() for the arguments. ERROR_NEGATIVE
 * when it went past a limit or crashed, as "the `what` did not end ...".
 * ERROR_ENVIRONMENT when it cannot be started. Blocks until then. Under
 * AddressSanitizer the memory is not limited.
 */
int extract_in_child(const struct extract_limits *limits, const char *what,
		     int (*run)(void *compiled, const char *text, size_t n,
				struct extracted *out, struct error *err),
		     void *compiled, const char *text, size_t n,
		     struct extracted *out, struct error *err);

#endif
