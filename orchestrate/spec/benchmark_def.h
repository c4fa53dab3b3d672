#ifndef SPEC_BENCHMARK_DEF_H
#define SPEC_BENCHMARK_DEF_H

#include <stddef.h>

#include "base/localized.h"
#include "base/strlist.h"
#include "orchestrate/spec/parameter.h"
#include "orchestrate/spec/problem.h"

struct response;

/*
 * A benchmark definition: a POSIX shell script that finds its parameters, the
 * factors and the host variables in the environment, and what to read from
 * its output.
 */
struct benchmark_def {
	char *name;
	char *file;              /* where it was found */
	struct mark mark;
	char *doc;               /* "" when there is none */
	struct localized label;  /* may be empty */
	char *script;
	struct mark script_mark;
	double timeout;          /* seconds; 0 = unsaid */
	struct mark timeout_mark;
	struct strlist needs;    /* programs */
	struct parameter *params;
	size_t n_params;
	struct response *responses;
	size_t n_responses;
};

void benchmark_def_free(struct benchmark_def *d);

#endif
