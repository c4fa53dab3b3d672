#ifndef SPEC_PROBLEM_H
#define SPEC_PROBLEM_H

#include <stddef.h>

struct strlist;

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
	size_t n;     /* items kept */
	size_t cap;
	size_t total; /* all that were found */
};

#define PROBLEMS_INIT { .items = NULL, .n = 0, .cap = 0, .total = 0 }

/* Adds one; always returns -1. A million problems help nobody: after
 * PROBLEMS_MAX items only `total` grows. */
#define PROBLEMS_MAX 100
int problems_add(struct problems *p, struct mark at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* `s` fit to be quoted in a message: one line, printable, cut after 48
 * characters. Returns `out`. */
#define PROBLEM_QUOTE_SIZE 256
const char *problem_quote(char out[PROBLEM_QUOTE_SIZE], const char *s);

/* 'there is no WHAT "word" [in OF]', with the nearest known name and, when
 * they are few, all of them. `of` may be NULL. */
void problems_add_undefined(struct problems *p, struct mark at,
			    const char *what, const char *word, const char *of,
			    const struct strlist *known);

/*
 * What follows "FILE:LINE:COLUMN: " in a text that begins so with the mark's
 * file; its line and column are taken then. Any other text is returned whole.
 */
const char *problem_place(const char *text, struct mark *at);

void problems_sort(struct problems *p); /* by file, line, column; stable */
/* After sorting: the same text at the same place is kept once. What is read
 * more than once (a design that matrices share) is wrong only once. */
void problems_unique(struct problems *p);
void problems_release(struct problems *p);

#endif
