#ifndef EXEC_ENVIRONMENT_H
#define EXEC_ENVIRONMENT_H

#include <stddef.h>

#include "orchestrate/spec/variable.h"

struct binding_run;
struct buf;
struct error;
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
 * What a benchmark's script sees (spec/binding.h), and $repeat = 1. ERROR_USAGE,
 * with the place in the file, when a value cannot be computed.
 */
int environment_benchmark(struct environment *env, const struct experiment *e,
			  const struct binding_run *run, struct error *err);

/* What the scripts of a layer of the stack see. */
int environment_layer(struct environment *env, const struct experiment *e,
		      const struct binding_run *run, size_t layer,
		      struct error *err);

#endif
