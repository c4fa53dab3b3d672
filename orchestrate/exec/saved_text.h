#ifndef EXEC_SAVED_TEXT_H
#define EXEC_SAVED_TEXT_H

#include <stddef.h>

struct buf;

/* Appends what `save` printed in double quotes, for a message: on one line,
 * fit for a terminal and cut to a readable length. */
void saved_text_add(struct buf *out, const char *text, size_t n);

#endif
