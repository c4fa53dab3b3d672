#ifndef CMD_WORDS_H
#define CMD_WORDS_H

#include <stddef.h>

#include "cmd/opt.h"

struct strlist;
struct subject_options;

/* What only the experiment file knows, for completion. */

/* "levels"; NULL for FROM_NOWHERE. */
const char *words_source_name(enum opt_source source);
/* FROM_NOWHERE when there is none of that name. */
enum opt_source words_source(const char *name);

/*
 * The words of that kind in the file that may stand where `current` has been
 * begun, in the file's order. A file that is wrong has what is right in it;
 * what cannot be read has none. `file` may be NULL: a library is there without
 * one. Variables are those of the first of `runs` that names one.
 */
void words_find(struct strlist *out, enum opt_source source, const char *file,
		const struct subject_options *options,
		const struct strlist *runs, const char *current);

#endif
