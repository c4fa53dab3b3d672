#ifndef EXEC_ENVIRONMENT_H
#define EXEC_ENVIRONMENT_H

#include <stddef.h>

#include "orchestrate/spec/variable.h"

struct benchmark;
struct buf;
struct experiment;

/*
 * What a script sees as shell variables. A variable that is set again takes
 * the new value, so that layers are set from the farthest to the nearest.
 */
struct environment {
	struct variable *vars;
	size_t n;
	size_t cap;
};
#define ENVIRONMENT_INIT { .vars = NULL, .n = 0, .cap = 0 }

void environment_set(struct environment *e, const char *name,
		     const char *value);
void environment_release(struct environment *e);

/* `export name='value'` lines: values can never become code. */
void environment_write(const struct environment *e, struct buf *out);

/*
 * For a benchmark's script. Nearest wins: the definition's defaults, those of
 * the treatments (a treatment tells the benchmark where it acts: $work), host
 * variables, parameters given with the factors, factors ($factor = level name)
 * and what their levels set, `with:` of the benchmark. `levels` has a level
 * index for each factor.
 */
void environment_benchmark(struct environment *env,
			   const struct experiment *e, size_t host,
			   const size_t *levels, const struct benchmark *b);

/*
 * For a treatment's scripts: the definition's defaults, host variables,
 * parameters given with the factor, the factors below it in the stack with
 * what their levels set, its own $level, $<factor> and level variables.
 */
void environment_treatment(struct environment *env,
			   const struct experiment *e, size_t host,
			   const size_t *levels, size_t factor);

#endif
