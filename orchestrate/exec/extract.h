#ifndef EXEC_EXTRACT_H
#define EXEC_EXTRACT_H

#include <stddef.h>

#include "orchestrate/spec/experiment.h"

struct error;

/* The numbers one response yields from a command's output. */
struct extracted {
	double *values;
	size_t n;
	size_t cap;
};
void extracted_release(struct extracted *x);

/* Compiles the pattern only: for `assay check`. ERROR_USAGE with the library's message. */
int extract_check(enum extract_kind kind, const char *pattern,
		  struct error *err);

/*
 * Every number the pattern finds in `text` (n bytes, any bytes). ERROR_NEGATIVE when there
 * is none, when something found is no finite number (the text is quoted,
 * cut), when the output is not JSON (with the place), or when a match limit
 * was hit. Output limits: at most 1,000,000 values.
 */
int extract_values(enum extract_kind kind, const char *pattern,
		   const char *text, size_t n, struct extracted *out,
		   struct error *err);

#endif
