#ifndef EXEC_HOSTFACTS_H
#define EXEC_HOSTFACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strlist.h"

struct buf;
struct error;
struct experiment;

/* What one script finds out about a host after connecting. */
struct hostfacts {
	struct strlist keys;    /* "kernel", "cpu", ... */
	struct strlist values;
	struct strlist missing; /* programs that are not there */
	bool root;
};

/* The script; it also looks for every program that the experiment needs. */
void hostfacts_script(struct buf *out, const struct experiment *e,
		      size_t host);
/* Reads what it printed. ERROR_ENVIRONMENT when that is not its output. */
int hostfacts_parse(struct hostfacts *f, const char *text, size_t n,
		    struct error *err);
void hostfacts_release(struct hostfacts *f);

#endif
