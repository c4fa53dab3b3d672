#ifndef SPEC_YAML_CACHE_H
#define SPEC_YAML_CACHE_H

#include "base/map.h"

struct problems;
struct yaml_doc;

/*
 * Files that were read, kept as trees, so that an experiment with its
 * definitions can be read several times (once for each profile) and each file
 * is parsed once. What changes on disk meanwhile is not seen.
 */
struct yaml_cache {
	struct map docs; /* by file name; owned */
	struct yaml_doc **items;
	size_t n, cap;
};
#define YAML_CACHE_INIT { .docs = MAP_INIT, .items = NULL, .n = 0, .cap = 0 }
void yaml_cache_release(struct yaml_cache *c);

/*
 * As yaml_doc_load(), but the document is the cache's, until that is released.
 * All its marks borrow `file` from now on, those of earlier readings of the
 * same file no more. NULL when there is no tree to look at. A file with any
 * fault is read anew, so that it is reported every time.
 */
const struct yaml_doc *yaml_cache_load(struct yaml_cache *c, const char *file,
				       const char *what, struct problems *p);

#endif
