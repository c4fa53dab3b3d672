#ifndef EXEC_REASON_H
#define EXEC_REASON_H

#include <stddef.h>

struct buf;

/*
 * Appends ": " and the last line of a program's output that is not empty, fit
 * for a terminal and cut to a readable length; nothing when there is none.
 */
void reason_add_last_line(struct buf *out, const char *text, size_t n);

#endif
