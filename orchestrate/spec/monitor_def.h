#ifndef SPEC_MONITOR_DEF_H
#define SPEC_MONITOR_DEF_H

#include <stddef.h>

#include "base/strlist.h"
#include "orchestrate/spec/parameter.h"
#include "orchestrate/spec/problem.h"

struct response;

/*
 * A monitor definition: a POSIX shell script that watches a host while a
 * command is measured. It runs until it is ended, and prints something every
 * $interval seconds; its responses are series.
 */
struct monitor_def {
	char *name;
	char *file;               /* where it was found */
	struct mark mark;
	char *doc;                /* "" when there is none */
	char *script;
	struct mark script_mark;
	double interval;          /* seconds, in $interval; 1 by default */
	struct strlist needs;     /* programs */
	struct parameter *params;
	size_t n_params;
	struct response *responses;
	size_t n_responses;
};

void monitor_def_free(struct monitor_def *d); /* NULL-safe */

#endif
