#ifndef EXEC_HOSTNEEDS_H
#define EXEC_HOSTNEEDS_H

#include <stddef.h>

struct error;
struct experiment;
struct hostfacts;
struct strlist;

/* Every program that the experiment, or assay itself, needs on some host; each
 * once, appended. */
void hostneeds_all(struct strlist *programs, const struct experiment *e);

/* What the host lacks for any run at all: our own programs.
 * ERROR_ENVIRONMENT, one line with the remedy; so below. */
int hostneeds_check(const struct hostfacts *f, const struct experiment *e,
		    size_t host, struct error *err);
/* What it lacks for a run of the benchmark at these levels (layers.h):
 * programs of the definitions, or root. */
int hostneeds_check_run(const struct hostfacts *f, const struct experiment *e,
			size_t host, const size_t *levels, size_t benchmark,
			struct error *err);

#endif
