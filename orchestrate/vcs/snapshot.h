#ifndef VCS_SNAPSHOT_H
#define VCS_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct error;
struct strlist;

#define COMMIT_HEX_SIZE 41

struct snapshot {
	char commit[COMMIT_HEX_SIZE]; /* "" when outside a git repository */
	bool dirty;  /* the files differ from HEAD: committed under refs/assay/ */
	bool made;   /* a new commit object was written */
};

/*
 * Ties the given files (paths, all in one repository; a file outside its
 * work tree is stored under .assay/external/) to a commit without touching
 * branch, index or work tree.
 *
 * Files equal to HEAD: HEAD's commit. Otherwise a commit on top of HEAD whose
 * tree is HEAD's with these files replaced, on refs/assay/<name>; if that ref
 * already holds the same files, its commit is used again, so that the call is
 * idempotent. Earlier snapshots stay reachable from that ref. When `prefer` (a
 * commit id, may be NULL) holds the same contents, it wins. Outside a
 * repository: commit = "" and 0. ERROR_USAGE when a file cannot be read,
 * ERROR_ENVIRONMENT when the repository cannot be read or written.
 */
int vcs_snapshot(const struct strlist *files, const char *name,
		 const char *prefer, struct snapshot *out, struct error *err);

/*
 * Reads a file back out of a commit (40 hex digits) of the repository around
 * `dir`; `path` starts at the top of the work tree. `out` is cleared first; a
 * symbolic link gives where it leads. ERROR_USAGE when the commit has no such
 * file, ERROR_ENVIRONMENT when there is no such commit or repository.
 */
int vcs_file_at(const char *dir, const char *commit, const char *path,
		struct buf *out, struct error *err);

#endif
