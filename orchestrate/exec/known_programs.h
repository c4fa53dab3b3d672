#ifndef EXEC_KNOWN_PROGRAMS_H
#define EXEC_KNOWN_PROGRAMS_H

#include <stdbool.h>

/*
 * jq programs that have compiled before, remembered by their digests in
 * $XDG_CACHE_HOME/assay/jq-programs (~/.cache when unset): compiling one only
 * to see whether it can be takes 15 ms. A cache: it may be missing, cut,
 * unreadable or deleted at any time, and then nothing is known.
 */
bool known_programs_has(const char *program);
void known_programs_add(const char *program);

#endif
