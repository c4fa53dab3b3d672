#ifndef VCS_TREE_H
#define VCS_TREE_H

#include <git2/oid.h>
#include <git2/types.h>
#include <stdbool.h>

struct error;
struct repo;
struct tracked;

/* Whether the tree holds every file, byte for byte, with its mode. */
bool tree_holds(const git_tree *tree, const struct tracked *files);

/* Writes the tree that is `base` (NULL = empty) with these files in it. */
int tree_write(git_oid *out, const struct repo *r, git_tree *base,
	       const struct tracked *files, struct error *err);

#endif
