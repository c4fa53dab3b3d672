#ifndef SPEC_MATRIX_TAGS_H
#define SPEC_MATRIX_TAGS_H

#include "orchestrate/spec/reading.h"

/* Whether the text is an expression (tags.h) over tags that a benchmark or a
 * matrix has; reports at the place if not. `what` it is, for messages. */
bool tags_known(struct reading *r, struct mark at, const char *what,
		const char *text);

/*
 * Leaves out of every matrix the benchmarks for which one of the expressions
 * in force does not hold, with their own tags and the matrix's, and matrices
 * without benchmarks. That nothing is left is reported.
 */
void matrices_narrow(struct reading *r);

#endif
