#ifndef SPEC_RESOLVER_H
#define SPEC_RESOLVER_H

#include "orchestrate/spec/problem.h"

struct benchmark_def;
struct strlist;
struct treatment_def;

/*
 * How an experiment gets at definitions; they live in a folder above this
 * one. Both return a definition that the caller owns, or NULL after reporting
 * why, at `use` when it is not found. Every file that was read is added to
 * `files` once; marks in the definition point to the name kept there.
 */
struct resolver {
	struct treatment_def *(*treatment)(void *ctx, const char *name,
					   struct mark use,
					   struct strlist *files,
					   struct problems *p);
	struct benchmark_def *(*benchmark)(void *ctx, const char *name,
					   struct mark use,
					   struct strlist *files,
					   struct problems *p);
	void *ctx;
};

#endif
