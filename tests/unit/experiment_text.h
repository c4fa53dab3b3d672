#ifndef EXPERIMENT_TEXT_H
#define EXPERIMENT_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "orchestrate/library/library.h"
#include "orchestrate/spec/resolver.h"

/* Experiments whose files are texts in the test. */
struct text_file {
	const char *name; /* NULL ends a list */
	const char *text;
};

static inline int text_read(void *ctx, const char *path, size_t max,
			    struct buf *out, struct error *err)
{
	buf_clear(out);
	for (const struct text_file *f = ctx; f->name; f++) {
		if (strcmp(f->name, path))
			continue;
		if (strlen(f->text) > max)
			return error_set(err, ERROR_USAGE,
					 "%s: larger than %zu bytes", path,
					 max);
		buf_adds(out, f->text);
		return 0;
	}
	return error_set(err, ERROR_USAGE, "%s: No such file or directory",
			 path);
}

struct text_experiment {
	struct experiment e;
	struct problems p;
	int rc;
	char *messages; /* "line:column: text" of each problem; with the file
	                 * when it is not the first */
};

static inline char *text_messages(const struct problems *p, const char *first)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < p->n; i++) {
		const struct problem *x = &p->items[i];

		if (strcmp(x->file, first))
			buf_addf(&out, "%s:", x->file);
		buf_addf(&out, "%u:%u: %s\n", x->line, x->column, x->text);
	}
	return buf_detach(&out);
}

/* The first file is the experiment. The options' own files do not count. */
static inline void text_load(struct text_experiment *t,
			     const struct text_file *files,
			     const struct experiment_options *options)
{
	struct experiment_options o = { .files = NULL };
	const struct file_source source = { .read = text_read,
					    .ctx = (void *)files };
	struct resolver resolver;
	struct library l;

	if (options)
		o = *options;
	o.files = &source;
	t->p = (struct problems)PROBLEMS_INIT;
	library_init(&l, "tests/data/spec", NULL);
	resolver = library_resolver(&l);
	t->rc = experiment_parse(&t->e, files[0].name, files[0].text,
				 strlen(files[0].text), &resolver, &o, &t->p);
	t->messages = text_messages(&t->p, files[0].name);
	library_release(&l);
}

static inline void text_unload(struct text_experiment *t)
{
	free(t->messages);
	experiment_release(&t->e);
	problems_release(&t->p);
}

/* Returns whether the files get these messages; tells if not. */
static inline bool text_gets(const char *what, const struct text_file *files,
			     const struct experiment_options *options,
			     const char *messages)
{
	struct text_experiment t;
	bool same;

	text_load(&t, files, options);
	same = !strcmp(t.messages, messages) && t.rc == (*messages ? -1 : 0);
	if (!same)
		fprintf(stderr, "%s:\n--- wanted\n%s--- got (%d)\n%s", what,
			messages, t.rc, t.messages);
	text_unload(&t);
	return same;
}

#endif
