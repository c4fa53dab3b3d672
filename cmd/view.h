#ifndef CMD_VIEW_H
#define CMD_VIEW_H

#include <stdbool.h>
#include <stddef.h>

struct benchmark_def;
struct buf;
struct library_list;
struct monitor_def;
struct parameter;
struct response;
struct strlist;
struct treatment_def;

/* What all kinds of definitions have in common, to be shown. Borrows the
 * definition. */
#define VIEW_MAX_SCRIPTS 6
struct view {
	const char *kind; /* "treatment", "benchmark", "monitor" */
	const char *name;
	const char *file;
	const char *doc;
	const struct parameter *params;
	size_t n_params;
	const struct strlist *needs;
	const struct response *responses;
	size_t n_responses;
	struct view_script {
		const char *key; /* "apply" */
		const char *text;
	} scripts[VIEW_MAX_SCRIPTS];
	size_t n_scripts;
	/* the one that it is of */
	const struct treatment_def *treatment;
	const struct benchmark_def *benchmark;
	const struct monitor_def *monitor;
};

/* All of the list, or those with that name: a definition's, or a family's for
 * all that is in it. Caller frees *views. */
void views_make(struct view **views, size_t *n, const struct library_list *l,
		const char *name);

/* The folder of the library it was found in. Appended. */
void view_folder(const struct view *v, struct buf *out);

/* A part of an experiment that uses it, each line after `indent` blanks. What
 * must be given has a value of its type, or its name in capitals. */
void view_example(const struct view *v, int indent, struct buf *out);

#endif
