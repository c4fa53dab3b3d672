#ifndef VCS_TRACKED_H
#define VCS_TRACKED_H

#include <git2/oid.h>
#include <git2/types.h>
#include <stddef.h>

#include "base/buf.h"

struct error;
struct repo;
struct strlist;

/* Files as git would keep them: path in the tree, mode, filtered bytes. */
struct tracked {
	struct tracked_file {
		char *path;
		git_filemode_t mode;
		git_oid id;       /* of the bytes as a blob; not written yet */
		struct buf bytes;
	} *files;
	size_t n;
	size_t cap;
};

#define TRACKED_INIT { .files = NULL }

/*
 * Reads the files. One outside the work tree, or inside another repository
 * in it, gets a path under .assay/external/. A symbolic link in the work tree
 * is kept as a link, and what it leads to is kept too. `head` is NULL before
 * the first commit.
 */
int tracked_read(struct tracked *t, const struct repo *r, git_tree *head,
		 const struct strlist *paths, struct error *err);
void tracked_release(struct tracked *t);

#endif
