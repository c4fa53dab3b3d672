#ifndef SPEC_TREATMENT_DEF_H
#define SPEC_TREATMENT_DEF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strlist.h"
#include "orchestrate/spec/parameter.h"
#include "orchestrate/spec/problem.h"
#include "orchestrate/spec/variable.h"

/*
 * A treatment definition (DESIGN section 5): POSIX shell scripts that get
 * the level in the environment as $level and $<factor>, the variables a level
 * sets, the definition's parameters, host variables, and for `revert` also
 * $saved. C knows no tool: all knowledge of the system is in here.
 */
struct treatment_def {
	char *name;         /* of one of a family: "platform/docker" */
	char *file;         /* where it was found */
	struct mark mark;
	char *doc;          /* one paragraph; "" when there is none */
	char *save;         /* prints the present state; NULL: none to save */
	char *apply;        /* required */
	char *verify;       /* required; exit 0 = in effect */
	char *show;         /* evidence; NULL: none */
	char *revert;       /* gets $saved; required */
	char *enter;        /* how to get inside what `apply` made: reads a
	                     * script on standard input and runs it there;
	                     * NULL: nothing to enter */
	bool reboot;        /* apply and revert take effect after a restart */
	char *applies_to;   /* the role whose hosts it is for; NULL: the
	                     * one that runs the benchmark */
	struct variable *set; /* what the level gives the layers above it and
	                       * the benchmark: values as in variable.h */
	size_t n_set;
	double cost;        /* seconds a change takes, for planning; 0 unsaid */
	double timeout;     /* seconds for each script, 60 by default */
	struct strlist needs; /* programs */
	bool needs_root;
	struct parameter *params;
	size_t n_params;
	struct strlist levels;   /* allowed level names; empty = any. One of
	                          * a family has none: it is a level */
};

void treatment_def_free(struct treatment_def *d);

#endif
