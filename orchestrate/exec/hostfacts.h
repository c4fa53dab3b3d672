#ifndef EXEC_HOSTFACTS_H
#define EXEC_HOSTFACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strlist.h"

struct buf;
struct error;
struct experiment;
struct host;

/* What one script finds out about a host after connecting. */
struct hostfacts {
	struct strlist keys;    /* "kernel", "cpu", ... */
	struct strlist values;
	struct strlist missing; /* programs that are not there */
	bool root;
};

/* The script, which only reads; it also looks for these programs. */
void hostfacts_script(struct buf *out, const struct host *host,
		      const struct strlist *programs);
/* Reads what it printed. ERROR_ENVIRONMENT when that is not its output. */
int hostfacts_parse(struct hostfacts *f, const char *text, size_t n,
		    struct error *err);
void hostfacts_release(struct hostfacts *f);

/* By key, as it was reported; NULL: the host does not know. */
const char *hostfacts_get(const struct hostfacts *f, const char *key);

/*
 * Connects to the host (an index), runs the script and leaves: for a plan that
 * depends on what the host is. Blocks, for at most a minute and a half. Of
 * the experiment only hosts and directory are looked at: the rest need not be
 * in order yet. ERROR_ENVIRONMENT when there is no answer. Release `out` only
 * on 0.
 */
int hostfacts_ask(const struct experiment *e, size_t host,
		  struct hostfacts *out, struct error *err);

#endif
