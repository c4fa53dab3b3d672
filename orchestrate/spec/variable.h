#ifndef SPEC_VARIABLE_H
#define SPEC_VARIABLE_H

#include <stddef.h>

#include "orchestrate/spec/problem.h"

/*
 * A name and its value as the file has it. What a script sees of it is
 * computed for a run (binding.h):
 *
 *	4              text, as it stands
 *	= threads * 2  the value of an expression (expr.h)
 *	/mnt/${disk}   text with other variables in it; "$${" is "${"
 *	{by: platform, values: {docker: 5002}, else: 5000}    a look-up
 *
 * Nothing is computed in scripts: they find variables in their environment.
 */
struct variable {
	char *name;
	char *value;           /* NULL: a look-up, or nothing (required) */
	struct mark mark;      /* of the value; line 0: of no file */
	int text_at;           /* as in a yaml_node: where the text stands */
	struct lookup *lookup; /* owned; NULL: text */
};

/* The value by the level of a factor (or by the host: `by` is "host"). */
struct lookup {
	char *by;
	struct mark mark;      /* of `by` */
	struct variable *cases; /* named by level (or host) */
	size_t n_cases;
	char *otherwise;       /* NULL: every level has a case */
	struct mark otherwise_mark;
	int otherwise_at;      /* as text_at */
};

void lookup_free(struct lookup *l); /* NULL-safe */
struct lookup *lookup_copy(const struct lookup *l); /* NULL gives NULL */
/* The case's text, or `otherwise`; NULL when there is neither. */
const char *lookup_text(const struct lookup *l, const char *level,
			struct mark *mark);

/* The same, also with where the text stands. */
const char *lookup_find(const struct lookup *l, const char *level,
			struct mark *mark, int *text_at);

void variables_release(struct variable *items, size_t n);
const struct variable *variables_find(const struct variable *items, size_t n,
				      const char *name);
/* Frees what one variable holds. */
void variable_release(struct variable *v);
/* A copy with texts and look-up of its own. */
void variable_copy(struct variable *out, const struct variable *v);

#endif
