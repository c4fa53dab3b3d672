#ifndef SPEC_PROBLEM_H
#define SPEC_PROBLEM_H

#include <stddef.h>

/* A place in a YAML file; line and column start at 1, 0 = whole file. The
 * file name is borrowed from the document (or experiment) it came from. */
struct mark {
	const char *file;
	unsigned line;
	unsigned column; /* in characters, not bytes */
};

/* All that is wrong with a file (and what it uses), found in one pass. */
struct problems {
	struct problem {
		char *file;
		unsigned line;
		unsigned column;
		char *text; /* one line: what, and what to do */
	} *items;
	size_t n;
	size_t cap;
};

#define PROBLEMS_INIT { .items = NULL, .n = 0, .cap = 0 }

/* Adds one; always returns -1. A million problems help nobody: after
 * PROBLEMS_MAX only the count grows. */
#define PROBLEMS_MAX 100
int problems_add(struct problems *p, struct mark at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void problems_sort(struct problems *p); /* by file, line, column; stable */
void problems_release(struct problems *p);

#endif
