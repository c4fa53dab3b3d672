#ifndef CMD_PROGRESS_H
#define CMD_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strlist.h"

struct error;
struct pool_event;

/*
 * Tells on standard error how the runs go. On a terminal one line that is redrawn
 * at events only, never by a timer: nothing wakes up while a command is measured.
 * Elsewhere a line for each event.
 */
struct progress {
	bool terminal;
	bool quiet;          /* only what needs attention */
	int64_t started;     /* monotonic */
	size_t ended, bad;   /* by this assay run */
	size_t done, total;
	struct progress_host {
		char *name;
		char *run;   /* under way, or NULL */
	} *hosts;
	size_t n_hosts, cap_hosts;
	struct strlist connected, unreached;
	size_t n_faults;     /* warnings that are not of unreached hosts */
};

void progress_init(struct progress *p, bool quiet);
void progress_event(void *progress, const struct pool_event *event);
/* When the error is only that hosts were not reached, and all about that has been
 * said, a short line takes its place. */
void progress_conclude(const struct progress *p, struct error *err);
/* Leaves the terminal with a clean line. */
void progress_release(struct progress *p);

#endif
