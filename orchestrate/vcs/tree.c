#include "orchestrate/vcs/tree.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "orchestrate/vcs/repo.h"
#include "orchestrate/vcs/tracked.h"

bool tree_holds(const git_tree *tree, const struct tracked *files)
{
	for (size_t i = 0; i < files->n; i++) {
		const struct tracked_file *f = &files->files[i];
		git_tree_entry *entry = NULL;
		bool same = git_tree_entry_bypath(&entry, tree, f->path) == 0 &&
			    git_tree_entry_filemode(entry) == f->mode &&
			    git_oid_equal(git_tree_entry_id(entry), &f->id);

		git_tree_entry_free(entry);
		if (!same)
			return false;
	}
	return true;
}

static void note_obstacle(git_tree *base, const char *path,
			  git_object_t wanted, struct strlist *out)
{
	git_tree_entry *entry = NULL;

	if (git_tree_entry_bypath(&entry, base, path) == 0 &&
	    git_tree_entry_type(entry) != wanted && !strlist_has(out, path))
		strlist_push(out, path);
	git_tree_entry_free(entry);
}

/* What was a file and is now a directory, or the other way round. */
static void find_obstacles(git_tree *base, const struct tracked *files,
			   struct strlist *out)
{
	for (size_t i = 0; i < files->n; i++) {
		const char *path = files->files[i].path;

		for (const char *p = strchr(path, '/'); p;
		     p = strchr(p + 1, '/')) {
			char *dir = mem_strndup(path, (size_t)(p - path));

			note_obstacle(base, dir, GIT_OBJECT_TREE, out);
			free(dir);
		}
		note_obstacle(base, path, GIT_OBJECT_BLOB, out);
	}
}

/* Replaces *base (owned) by a tree without the obstacles. */
static int clear_way(const struct repo *r, git_tree **base,
		     const struct tracked *files, struct error *err)
{
	struct strlist obstacles = STRLIST_INIT;
	git_tree_update *updates = NULL;
	git_oid id;
	int rc = 0;

	find_obstacles(*base, files, &obstacles);
	if (obstacles.n) {
		updates = mem_zalloc(obstacles.n, sizeof(*updates));
		for (size_t i = 0; i < obstacles.n; i++) {
			updates[i].action = GIT_TREE_UPDATE_REMOVE;
			updates[i].path = obstacles.items[i];
		}
		rc = git_tree_create_updated(&id, r->git, *base, obstacles.n,
					     updates);
		if (!rc) {
			git_tree_free(*base);
			*base = NULL;
			rc = git_tree_lookup(base, r->git, &id);
		}
	}
	free(updates);
	strlist_release(&obstacles);
	return rc < 0 ? repo_fault(r, "write a tree", err) : 0;
}

static int write_blobs(const struct repo *r, const struct tracked *files,
		       git_tree_update *updates, struct error *err)
{
	for (size_t i = 0; i < files->n; i++) {
		const struct tracked_file *f = &files->files[i];

		if (git_blob_create_from_buffer(&updates[i].id, r->git,
						f->bytes.data,
						f->bytes.n) < 0)
			return repo_fault(r, "write an object", err);
		updates[i].action = GIT_TREE_UPDATE_UPSERT;
		updates[i].filemode = f->mode;
		updates[i].path = f->path;
	}
	return 0;
}

int tree_write(git_oid *out, const struct repo *r, git_tree *base,
	       const struct tracked *files, struct error *err)
{
	git_tree_update *updates = mem_zalloc(files->n, sizeof(*updates));
	git_tree *start = NULL;
	int rc = 0;

	if (base) {
		git_tree_dup(&start, base);
		rc = clear_way(r, &start, files, err);
	}
	if (!rc)
		rc = write_blobs(r, files, updates, err);
	if (!rc && git_tree_create_updated(out, r->git, start, files->n,
					   updates) < 0)
		rc = repo_fault(r, "write a tree", err);
	git_tree_free(start);
	free(updates);
	return rc;
}
