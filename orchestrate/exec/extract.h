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
#define EXTRACTED_INIT { .values = NULL, .n = 0, .cap = 0 }
void extracted_release(struct extracted *x);

/* One command's output gives at most this many values of one response. */
#define EXTRACT_MAX_VALUES 1000000

/*
 * A compiled pattern. Compiling a jq program takes 15 ms (libjq reads its own
 * library each time), so that a pattern is compiled once and used for every run.
 */
struct extractor;

/* NULL when the pattern does not compile: ERROR_USAGE with the library's message. */
struct extractor *extractor_new(enum extract_kind kind, const char *pattern,
				struct error *err);
void extractor_free(struct extractor *x); /* NULL-safe */

/*
 * Every number the pattern finds in `text` (n bytes, any bytes), added to `out`.
 * ERROR_NEGATIVE when there is none, when something found is no finite
 * number (the text is quoted, cut), when the output is not JSON (with the
 * place), or when a limit was hit. What a number is: an optional sign, digits with
 * at most one point, an optional exponent, blanks around it; no thousands
 * separators, no units, no hexadecimal, no nan or inf.
 *
 * In a regular expression ^ and $ match at every line. The number is the group
 * named "value", else group 1, else the whole match. It runs under PCRE2's match, depth and heap limits. A jq
 * program runs in a process of its own (extract_child.h) with 10 s of CPU time, 30 s
 * in all and 2 GiB of memory. It reads only the text: input, stderr, debug and
 * import are disarmed; $ENV and a file ~/.jq are still seen by it.
 */
int extractor_run(struct extractor *x, const char *text, size_t n,
		  struct extracted *out, struct error *err);

/* Compiles the pattern only: for `assay check`. What has compiled before is
 * remembered (known_programs.h). */
int extract_check(enum extract_kind kind, const char *pattern,
		  struct error *err);

/* extractor_new, extractor_run, extractor_free. */
int extract_values(enum extract_kind kind, const char *pattern,
		   const char *text, size_t n, struct extracted *out,
		   struct error *err);

/*
 * For the kinds: one file and one row in extract.c each.
 */
struct extract_ops {
	const char *name;
	void *(*compile)(const char *pattern, struct error *err);
	int (*run)(void *compiled, const char *text, size_t n,
		   struct extracted *out, struct error *err);
	void (*release)(void *compiled);
};
extern const struct extract_ops extract_json_ops;
extern const struct extract_ops extract_regex_ops;

/* Adds a number found; ERROR_NEGATIVE when it is not finite or one too many. */
int extracted_add(struct extracted *x, double value, struct error *err);
/* Adds the number that the text (n bytes) is, see above; else quotes it. */
int extracted_add_text(struct extracted *x, const char *text, size_t n,
		       struct error *err);

#endif
