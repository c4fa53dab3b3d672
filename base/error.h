#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdbool.h>

/*
 * One fault, told once: what, where, what to do. Set at the source; a caller
 * may put context in front (error_context) but never replaces it.
 *
 * Functions that can fail return 0 or -1 and take `struct error *err` last.
 * `err` may not be NULL. On 0 it is untouched.
 */
enum error_kind {
	ERROR_NONE = 0,
	ERROR_NEGATIVE,    /* a negative answer: runs failed, a check differs; exit 1 */
	ERROR_USAGE,       /* the command line or a file is wrong; exit 2 */
	ERROR_ENVIRONMENT, /* host, disk, network, lock, library; exit 3 */
	ERROR_INTERRUPTED, /* stopped by the user; exit 130 */
};

struct error {
	enum error_kind kind;
	char text[1024]; /* UTF-8, no trailing newline, cut with "..." */
};

#define ERROR_INIT { .kind = ERROR_NONE, .text = "" }

/* Always returns -1, so that `return error_set(...)` reads well. */
int error_set(struct error *err, enum error_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts "context: " in front of the text; the kind stays. Returns -1. */
int error_context(struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The exit status of DESIGN section 9 for this kind. */
int error_exit_status(const struct error *err);

#endif
