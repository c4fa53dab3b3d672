#ifndef SPEC_RESOLVER_H
#define SPEC_RESOLVER_H

#include <stdbool.h>

#include "orchestrate/spec/problem.h"

struct benchmark_def;
struct monitor_def;
struct strlist;
struct treatment_def;

/*
 * How an experiment gets at definitions; they live in a folder above this
 * one. All return a definition that the caller owns, or NULL after reporting
 * why, at `use` when it is not found. Every file that was read is added to
 * `files` once; marks in the definition point to the name kept there.
 */
struct resolver {
	/* NAME, or FAMILY/LEVEL: one of a family */
	struct treatment_def *(*treatment)(void *ctx, const char *name,
					   struct mark use,
					   struct strlist *files,
					   struct problems *p);
	/* Whether the name is a family of treatments, one for each level. Then
	 * the names of its levels are added, sorted. NULL: there are none. */
	bool (*family)(void *ctx, const char *name, struct strlist *levels);
	struct benchmark_def *(*benchmark)(void *ctx, const char *name,
					   struct mark use,
					   struct strlist *files,
					   struct problems *p);
	/* NULL: there are none. */
	struct monitor_def *(*monitor)(void *ctx, const char *name,
				       struct mark use, struct strlist *files,
				       struct problems *p);
	void *ctx;
};

#endif
