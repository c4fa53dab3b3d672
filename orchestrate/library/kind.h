#ifndef LIBRARY_KIND_H
#define LIBRARY_KIND_H

#include "base/strlist.h"
#include "orchestrate/spec/problem.h"
#include "orchestrate/spec/yaml_cache.h"
#include "orchestrate/spec/yaml_doc.h"

/* A kind of definition: where they are, and how to make one of a document. */
struct kind {
	const char *noun;    /* "treatment" */
	const char *folder;  /* "treatments" */
	void *(*read)(const struct yaml_doc *doc, const char *file,
		      const char *name, struct problems *p);
};
extern const struct kind kind_treatment, kind_benchmark, kind_monitor;

/* Reads the file, whose name is added to `files` once; marks in the
 * definition borrow it from there. NULL with problems. */
void *kind_load(const struct kind *kind, const char *file, const char *name,
		struct yaml_cache *cache, struct strlist *files,
		struct problems *p);

#endif
