#ifndef SPEC_YAML_MERGE_H
#define SPEC_YAML_MERGE_H

#include "orchestrate/spec/yaml_doc.h"

/*
 * One rule for all that is put over something else (an experiment over what
 * it includes, a profile over the file, a matrix's design over that of all):
 * two mappings are merged key by key, and so are the values of a key that is
 * in both; anything else is replaced by the nearer. A key with nothing behind
 * it removes what stood there; where nothing stood it stays, for the reader to
 * complain about. Keys keep the farther mapping's order, new ones follow.
 *
 * Nodes are shared with both trees, which must outlive the result; mappings
 * that are made go to `made`, which also owns their keys. Every node and every
 * key keeps the mark of the file it came from.
 */
const struct yaml_node *yaml_merge(struct yaml_doc *made,
				   const struct yaml_node *far,
				   const struct yaml_node *near);

/* The mapping without those keys; the list ends with NULL. */
const struct yaml_node *yaml_without(struct yaml_doc *made,
				     const struct yaml_node *map,
				     const char *const *keys);

/* Whether a tree that was merged is within the bounds of one file; if not,
 * reports that `what` ("the experiment") is too large, at `at`. Depth needs no
 * look: merging makes nothing deeper. */
bool yaml_merge_fits(const struct yaml_node *root, struct mark at,
		     const char *what, struct problems *p);

#endif
