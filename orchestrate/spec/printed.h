#ifndef SPEC_PRINTED_H
#define SPEC_PRINTED_H

#include <stdbool.h>

/*
 * What a text that stands in sentences, charts and tables must not hold, as
 * "a line break"; NULL when it is fit. Tabs and newlines are fine unless it
 * is one line. Of control characters, YAML documents have no others.
 */
const char *printed_fault(const char *text, bool one_line);

#endif
