#ifndef SPEC_SOURCE_H
#define SPEC_SOURCE_H

#include <stddef.h>

#include "orchestrate/spec/reading.h"

struct buf;
struct error;

/*
 * Files that an experiment names (what it includes, lists): found beside the
 * file that names them, read through the source that the options give.
 */

/* The path of a file that the file `from` names; caller frees. */
char *source_path(const char *from, const char *name);
/* Whether two paths are the same after "." and ".." are taken out of them. */
bool source_same(const char *a, const char *b);
/* At most `max` bytes. The error's text does not begin with the path. */
int source_read(struct reading *r, const char *path, size_t max,
		struct buf *out, struct error *err);
/* Adds the path to the experiment's files, once; returns what is kept. */
const char *source_keep(struct experiment *e, const char *path);

#endif
