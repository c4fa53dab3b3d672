#ifndef SPEC_INCLUDES_H
#define SPEC_INCLUDES_H

#include "orchestrate/spec/reading.h"

/*
 * An experiment file and what it includes, as one tree: a file goes over what
 * it includes, and of those each goes over the ones before it (yaml_merge.h). A
 * file that is reached twice is read once, at its first place.
 */
struct includes {
	const struct yaml_node *root;
	struct yaml_doc made;   /* what merging makes */
	struct yaml_doc *docs;  /* the included files */
	size_t n, cap;
};

#define INCLUDES_MAX 64 /* files */

/*
 * Reads what the file with this tree includes. `file` is its name, as kept by
 * the experiment; the names of the others are added there. Returns -1 after
 * reporting files that cannot be taken in: without them the rest makes no
 * sense. Must be released in both cases; the tree `root` must outlive it.
 */
int includes_read(struct includes *in, struct reading *r, const char *file,
		  const struct yaml_node *root);
void includes_release(struct includes *in);

/* The key `include` of the tree, which is done by then. */
void include_section_read(struct reading *r, void *into,
			  const struct yaml_node *value);

#endif
