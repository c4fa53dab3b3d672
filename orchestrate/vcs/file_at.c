#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "orchestrate/vcs/repo.h"
#include "orchestrate/vcs/snapshot.h"

static int find_tree(const struct repo *r, const char *commit, git_tree **out,
		     struct error *err)
{
	git_commit *found = NULL;
	git_oid id;
	int rc = -1;

	if (strlen(commit) == GIT_OID_HEXSZ &&
	    git_oid_fromstr(&id, commit) == 0 &&
	    git_commit_lookup(&found, r->git, &id) == 0)
		rc = git_commit_tree(out, found);
	git_commit_free(found);
	if (rc < 0)
		return error_set(err, ERROR_ENVIRONMENT,
				 "git repository %s has no commit %s: fetch it "
				 "(`git fetch origin 'refs/assay/*:refs/assay/*'`)",
				 r->root, commit);
	return 0;
}

static int read_entry(const struct repo *r, git_tree *tree, const char *commit,
		      const char *path, struct buf *out, struct error *err)
{
	git_tree_entry *entry = NULL;
	git_blob *blob = NULL;
	int rc = 0;

	if (git_tree_entry_bypath(&entry, tree, path) < 0)
		rc = error_set(err, ERROR_USAGE, "commit %.12s has no file %s",
			       commit, path);
	else if (git_tree_entry_type(entry) != GIT_OBJECT_BLOB)
		rc = error_set(err, ERROR_USAGE,
			       "%s of commit %.12s is not a file", path,
			       commit);
	else if (git_blob_lookup(&blob, r->git, git_tree_entry_id(entry)) < 0)
		rc = repo_fault(r, "read an object", err);
	if (!rc) {
		buf_clear(out);
		buf_add(out, git_blob_rawcontent(blob),
			(size_t)git_blob_rawsize(blob));
	}
	git_blob_free(blob);
	git_tree_entry_free(entry);
	return rc;
}

int vcs_file_at(const char *dir, const char *commit, const char *path,
		struct buf *out, struct error *err)
{
	struct repo r = REPO_INIT;
	git_tree *tree = NULL;
	int rc = repo_open(&r, dir, err);

	if (rc > 0)
		rc = error_set(err, ERROR_ENVIRONMENT,
			       "%s is not in a git repository", dir);
	if (!rc)
		rc = find_tree(&r, commit, &tree, err);
	if (!rc)
		rc = read_entry(&r, tree, commit, path, out, err);
	git_tree_free(tree);
	repo_release(&r);
	return rc;
}
