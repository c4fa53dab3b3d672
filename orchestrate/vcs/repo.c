#include "orchestrate/vcs/repo.h"

#include <git2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/path.h"

static const char *reason(void)
{
	const git_error *e = git_error_last();

	return e && e->message ? e->message : "no reason given";
}

int repo_fault(const struct repo *r, const char *tried, struct error *err)
{
	return error_set(err, ERROR_ENVIRONMENT,
			 "git repository %s: cannot %s: %s",
			 r->root ? r->root : "", tried, reason());
}

/* The nearest directory upwards that has a .git, or NULL; as git, not beyond
 * the file system of the first. */
static char *find_top(const char *dir)
{
	char *at = realpath(dir, NULL);
	struct stat first, st;

	if (!at || stat(at, &first) < 0) {
		free(at);
		return NULL;
	}
	while (stat(at, &st) == 0 && st.st_dev == first.st_dev) {
		char *git = path_join(at, ".git");
		bool found = path_exists(git);

		free(git);
		if (found)
			return at;
		if (strcmp(at, "/") == 0)
			break;
		git = path_dir(at);
		free(at);
		at = git;
	}
	free(at);
	return NULL;
}

static bool is_anothers(const char *top)
{
	struct stat st;
	char *git = path_join(top, ".git");
	bool other = (stat(top, &st) == 0 && st.st_uid != geteuid()) ||
		     (stat(git, &st) == 0 && st.st_uid != geteuid());

	free(git);
	return other;
}

static int owned_by_another(const char *top, struct error *err)
{
	return error_set(err, ERROR_ENVIRONMENT,
			 "git repository %s belongs to another user, so git "
			 "does not trust it: when you do, say `git config "
			 "--global --add safe.directory %s`", top, top);
}

/* libgit2 1.5 also says "not found" when it is safe.directory that it did
 * not find: whether there is a repository is for us to see. */
static int open_fault(const char *dir, int code, struct error *err)
{
	char *top = find_top(dir);
	int rc;

	if (code == GIT_EOWNER || (top && is_anothers(top)))
		rc = owned_by_another(top ? top : dir, err);
	else if (code == GIT_ENOTFOUND)
		rc = 1;
	else
		rc = error_set(err, ERROR_ENVIRONMENT,
			       "cannot open the git repository around %s: %s",
			       dir, reason());
	free(top);
	return rc;
}

static int set_root(struct repo *r, struct error *err)
{
	const char *workdir = git_repository_workdir(r->git);
	size_t n;

	if (!workdir)
		return 1;
	r->root = realpath(workdir, NULL);
	if (!r->root)
		return error_set(err, ERROR_ENVIRONMENT,
				 "git repository %s: its work tree is gone",
				 workdir);
	n = strlen(r->root);
	if (n && r->root[n - 1] == '/')
		r->root[n - 1] = '\0';
	return 0;
}

int repo_open(struct repo *r, const char *dir, struct error *err)
{
	int rc;

	memset(r, 0, sizeof(*r));
	if (git_libgit2_init() < 0)
		return error_set(err, ERROR_ENVIRONMENT,
				 "libgit2 does not start: %s", reason());
	rc = git_repository_open_ext(&r->git, dir, 0, NULL);
	return rc < 0 ? open_fault(dir, rc, err) : set_root(r, err);
}

void repo_release(struct repo *r)
{
	git_repository_free(r->git);
	free(r->root);
	memset(r, 0, sizeof(*r));
	git_libgit2_shutdown();
}
