#include "orchestrate/vcs/snapshot.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strlist.h"
#include "orchestrate/vcs/repo.h"
#include "orchestrate/vcs/tracked.h"
#include "orchestrate/vcs/tree.h"

/* What the snapshot is made from; NULL where there is none. */
struct places {
	char *ref;            /* refs/assay/<name> */
	git_commit *head;
	git_tree *head_tree;
	git_commit *previous; /* what the ref holds */
};

static void places_release(struct places *p)
{
	free(p->ref);
	git_commit_free(p->head);
	git_tree_free(p->head_tree);
	git_commit_free(p->previous);
}

/* Names of experiments are nearly refs: "a..b" and "a.lock" are not. */
static char *ref_name(const char *name)
{
	char *ref = mem_printf("refs/assay/%s", name);
	int valid = 0;

	if (git_reference_name_is_valid(&valid, ref) < 0 || !valid) {
		for (char *p = ref + strlen("refs/assay/"); *p; p++) {
			if (strchr("./~^:?*[\\ @{", *p) || *p < ' ')
				*p = '_';
		}
	}
	return ref;
}

static int peel(git_reference *ref, git_commit **out)
{
	int rc = git_reference_peel((git_object **)out, ref,
				    GIT_OBJECT_COMMIT);

	git_reference_free(ref);
	return rc;
}

static int find_places(const struct repo *r, const char *name,
		       struct places *p, struct error *err)
{
	git_reference *ref = NULL;
	int rc = git_repository_head(&ref, r->git);

	p->ref = ref_name(name);
	if (rc != GIT_EUNBORNBRANCH &&
	    (rc < 0 || peel(ref, &p->head) < 0 ||
	     git_commit_tree(&p->head_tree, p->head) < 0))
		return repo_fault(r, "read HEAD", err);
	rc = git_reference_lookup(&ref, r->git, p->ref);
	if (rc != GIT_ENOTFOUND && (rc < 0 || peel(ref, &p->previous) < 0))
		return repo_fault(r, "read refs/assay", err);
	return 0;
}

static bool commit_holds(const git_commit *commit, const struct tracked *files)
{
	git_tree *tree = NULL;
	bool holds = commit && git_commit_tree(&tree, commit) == 0 &&
		     tree_holds(tree, files);

	git_tree_free(tree);
	return holds;
}

static bool prefer_holds(const struct repo *r, const char *prefer,
			 const struct tracked *files)
{
	git_commit *commit = NULL;
	git_oid id;
	bool holds = prefer && strlen(prefer) == GIT_OID_HEXSZ &&
		     git_oid_fromstr(&id, prefer) == 0 &&
		     git_commit_lookup(&commit, r->git, &id) == 0 &&
		     commit_holds(commit, files);

	git_commit_free(commit);
	return holds;
}

static int author(const struct repo *r, git_signature **out, struct error *err)
{
	if (git_signature_default(out, r->git) == 0 ||
	    git_signature_now(out, "assay", "assay@localhost") == 0)
		return 0;
	return repo_fault(r, "name an author", err);
}

/*
 * The previous snapshot becomes a second parent unless HEAD has it already:
 * commits that results name stay reachable, and git never prunes them.
 */
static int write_commit(git_oid *out, const struct repo *r,
			const struct places *p, const git_oid *tree_id,
			const char *name, struct error *err)
{
	char *message = mem_printf("assay: snapshot of %s\n", name);
	const git_commit *parents[2];
	git_signature *who = NULL;
	git_tree *tree = NULL;
	size_t n = 0;
	int rc;

	if (p->head)
		parents[n++] = p->head;
	if (p->previous &&
	    (!p->head ||
	     (!git_oid_equal(git_commit_id(p->head),
			     git_commit_id(p->previous)) &&
	      git_graph_descendant_of(r->git, git_commit_id(p->head),
				      git_commit_id(p->previous)) != 1)))
		parents[n++] = p->previous;
	rc = author(r, &who, err);
	if (!rc && (git_tree_lookup(&tree, r->git, tree_id) < 0 ||
		    git_commit_create(out, r->git, NULL, who, who, NULL,
				      message, tree, n, parents) < 0))
		rc = repo_fault(r, "write a commit", err);
	git_tree_free(tree);
	git_signature_free(who);
	free(message);
	return rc;
}

static int move_ref(const struct repo *r, const struct places *p,
		    const git_oid *id, struct error *err)
{
	git_reference *ref = NULL;
	int rc;

	if (p->previous)
		rc = git_reference_create_matching(
			&ref, r->git, p->ref, id, 1,
			git_commit_id(p->previous), "assay: snapshot");
	else
		rc = git_reference_create(&ref, r->git, p->ref, id, 0,
					  "assay: snapshot");
	git_reference_free(ref);
	if (rc == GIT_ELOCKED)
		return error_set(err, ERROR_ENVIRONMENT,
				 "git repository %s: %s is locked by another "
				 "git program: when none is at work, remove "
				 "%s%s.lock", r->root, p->ref,
				 git_repository_commondir(r->git), p->ref);
	if (rc == GIT_EMODIFIED || rc == GIT_EEXISTS)
		return error_set(err, ERROR_ENVIRONMENT,
				 "git repository %s: %s was moved meanwhile: "
				 "run again", r->root, p->ref);
	return rc < 0 ? repo_fault(r, "write refs/assay", err) : 0;
}

static int make_commit(const struct repo *r, const struct places *p,
		       const struct tracked *files, const char *name,
		       struct snapshot *out, struct error *err)
{
	git_oid tree, id;

	if (tree_write(&tree, r, p->head_tree, files, err) < 0 ||
	    write_commit(&id, r, p, &tree, name, err) < 0 ||
	    move_ref(r, p, &id, err) < 0)
		return -1;
	git_oid_tostr(out->commit, sizeof(out->commit), &id);
	out->made = true;
	return 0;
}

static int choose(const struct repo *r, const struct places *p,
		  const struct tracked *files, const char *name,
		  const char *prefer, struct snapshot *out, struct error *err)
{
	out->dirty = !p->head_tree || !tree_holds(p->head_tree, files);
	if (prefer_holds(r, prefer, files)) {
		for (size_t i = 0; i < GIT_OID_HEXSZ; i++)
			out->commit[i] = (char)(prefer[i] | 0x20);
	} else if (!out->dirty) {
		git_oid_tostr(out->commit, sizeof(out->commit),
			      git_commit_id(p->head));
	} else if (commit_holds(p->previous, files)) {
		git_oid_tostr(out->commit, sizeof(out->commit),
			      git_commit_id(p->previous));
	} else {
		return make_commit(r, p, files, name, out, err);
	}
	return 0;
}

int vcs_snapshot(const struct strlist *files, const char *name,
		 const char *prefer, struct snapshot *out, struct error *err)
{
	struct tracked tracked = TRACKED_INIT;
	struct places places = { .ref = NULL };
	struct repo r = REPO_INIT;
	char *dir = path_dir(files->n ? files->items[0] : "");
	struct snapshot made = { .commit = "" };
	int rc = repo_open(&r, dir, err);

	if (!rc)
		rc = find_places(&r, name, &places, err);
	if (!rc)
		rc = tracked_read(&tracked, &r, places.head_tree, files, err);
	if (!rc)
		rc = choose(&r, &places, &tracked, name, prefer, &made, err);
	if (rc >= 0)
		*out = made;
	tracked_release(&tracked);
	places_release(&places);
	repo_release(&r);
	free(dir);
	return rc < 0 ? -1 : 0;
}
