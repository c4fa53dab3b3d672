#include "orchestrate/vcs/tracked.h"

#include <errno.h>
#include <git2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strlist.h"
#include "orchestrate/vcs/repo.h"

#define EXTERNAL ".assay/external"
#define FILE_MAX (256u << 20)
#define LINKS_MAX 40

/* The absolute path with the directory's links resolved, not the file's. */
static char *canonical(const char *path)
{
	char *dir = path_dir(path);
	char *real = realpath(dir, NULL);
	char *full = real ? path_join(real, path_base(path)) : NULL;

	free(dir);
	free(real);
	return full;
}

/* Names no tree may hold: they would be taken for a repository's own. */
static bool is_git_name(const char *s, size_t n)
{
	return (n == 4 && strncasecmp(s, ".git", 4) == 0) ||
	       (n == 5 && strncasecmp(s, "git~1", 5) == 0);
}

/* Whether a directory between the root and the file is another repository. */
static bool is_nested(const struct repo *r, const char *rel)
{
	for (const char *p = strchr(rel, '/'); p; p = strchr(p + 1, '/')) {
		char *git = mem_printf("%s/%.*s/.git", r->root,
				       (int)(p - rel), rel);
		bool found = path_exists(git);

		free(git);
		if (found)
			return true;
	}
	return false;
}

static bool has_git_name(const char *rel)
{
	for (const char *p = rel;; p += strcspn(p, "/") + 1) {
		size_t n = strcspn(p, "/");

		if (is_git_name(p, n))
			return true;
		if (!p[n])
			return false;
	}
}

/* The path in the work tree, or NULL for a file that is not of it. */
static const char *relative(const struct repo *r, const char *full)
{
	size_t n = strlen(r->root);
	const char *rel = full + n + 1;

	if (strncmp(full, r->root, n) != 0 || full[n] != '/')
		return NULL;
	return has_git_name(rel) || is_nested(r, rel) ? NULL : rel;
}

static char *external_path(const char *full)
{
	struct buf out = BUF_INIT;

	buf_adds(&out, EXTERNAL);
	for (const char *p = full; *p;) {
		size_t n = strcspn(++p, "/");

		buf_addc(&out, '/');
		if (is_git_name(p, n))
			buf_addc(&out, '_');
		buf_add(&out, p, n);
		p += n;
	}
	return buf_detach(&out);
}

static bool has_path(const struct tracked *t, const char *path)
{
	for (size_t i = 0; i < t->n; i++) {
		if (strcmp(t->files[i].path, path) == 0)
			return true;
	}
	return false;
}

/* Takes path and bytes. */
static int add(struct tracked *t, const struct repo *r, char *path,
	       git_filemode_t mode, struct buf *bytes, struct error *err)
{
	struct tracked_file *f;

	MEM_GROW(t->files, t->n, t->cap);
	f = &t->files[t->n++];
	f->path = path;
	f->mode = mode;
	f->bytes = *bytes;
	if (git_odb_hash(&f->id, f->bytes.data, f->bytes.n,
			 GIT_OBJECT_BLOB) < 0)
		return repo_fault(r, "hash a file", err);
	return 0;
}

/* As `git add` would: line ends and the like by .gitattributes. */
static int filter(const struct repo *r, const char *rel, struct buf *bytes,
		  struct error *err)
{
	git_filter_list *filters = NULL;
	git_buf out = { 0 };
	int rc = git_filter_list_load(&filters, r->git, NULL, rel,
				      GIT_FILTER_TO_ODB,
				      GIT_FILTER_ALLOW_UNSAFE);

	if (!rc && filters)
		rc = git_filter_list_apply_to_buffer(&out, filters,
						     bytes->data, bytes->n);
	if (rc < 0) {
		rc = repo_fault(r, "apply .gitattributes", err);
	} else if (filters) {
		buf_clear(bytes);
		buf_add(bytes, out.ptr, out.size);
	}
	git_buf_dispose(&out);
	git_filter_list_free(filters);
	return rc;
}

/* Where permissions mean nothing (core.filemode = false) HEAD's word counts,
 * as for `git add`. */
static bool is_executable(const struct repo *r, git_tree *head,
			  const char *path, const struct stat *st)
{
	git_config *config = NULL;
	git_tree_entry *entry = NULL;
	int trusted = 1;
	bool executable;

	if (git_repository_config_snapshot(&config, r->git) < 0 ||
	    git_config_get_bool(&trusted, config, "core.filemode") < 0)
		trusted = 1;
	git_config_free(config);
	if (trusted)
		return st->st_mode & S_IXUSR;
	executable = head && !git_tree_entry_bypath(&entry, head, path) &&
		     git_tree_entry_filemode(entry) ==
			     GIT_FILEMODE_BLOB_EXECUTABLE;
	git_tree_entry_free(entry);
	return executable;
}

static int read_file(struct tracked *t, const struct repo *r, git_tree *head,
		     const char *full, struct error *err)
{
	const char *rel = relative(r, full);
	char *path = rel ? mem_strdup(rel) : external_path(full);
	struct buf bytes = BUF_INIT;
	struct stat st;

	if (has_path(t, path)) {
		free(path);
		return 0;
	}
	if (path_read(full, FILE_MAX, &bytes, err) < 0 ||
	    (rel && filter(r, rel, &bytes, err) < 0))
		goto fail;
	if (stat(full, &st) < 0) {
		error_set(err, ERROR_USAGE, "%s: %s", full, strerror(errno));
		goto fail;
	}
	return add(t, r, path,
		   is_executable(r, head, path, &st) ?
			   GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB,
		   &bytes, err);
fail:
	free(path);
	buf_release(&bytes);
	return -1;
}

/* Adds the link and makes *full what it leads to. */
static int read_link(struct tracked *t, const struct repo *r, char **full,
		     struct error *err)
{
	const char *rel = relative(r, *full);
	struct buf target = BUF_INIT;
	char *dir, *next;
	ssize_t n;

	buf_reserve(&target, 4096);
	n = readlink(*full, target.data, 4096);
	if (n < 0) {
		buf_release(&target);
		return error_set(err, ERROR_USAGE, "%s: %s", *full,
				 strerror(errno));
	}
	target.n = (size_t)n;
	target.data[n] = '\0';
	dir = path_dir(*full);
	next = path_join(dir, target.data);
	free(dir);
	if (rel && !has_path(t, rel)) {
		if (add(t, r, mem_strdup(rel), GIT_FILEMODE_LINK, &target,
			err) < 0) {
			free(next);
			return -1;
		}
	} else {
		buf_release(&target);
	}
	free(*full);
	*full = canonical(next);
	free(next);
	return 0;
}

static int read_path(struct tracked *t, const struct repo *r, git_tree *head,
		     const char *path, struct error *err)
{
	char *full = canonical(path);
	struct stat st;
	int rc = 0;

	for (int i = 0; !rc; i++) {
		if (!full || lstat(full, &st) < 0)
			rc = error_set(err, ERROR_USAGE,
				       "%s: %s: was it removed meanwhile?",
				       path, strerror(errno));
		else if (i > LINKS_MAX)
			rc = error_set(err, ERROR_USAGE, "%s: %s", path,
				       strerror(ELOOP));
		else if (!S_ISLNK(st.st_mode) || !relative(r, full))
			break; /* what an outer link leads to takes its name */
		else
			rc = read_link(t, r, &full, err);
	}
	if (!rc)
		rc = read_file(t, r, head, full, err);
	free(full);
	return rc;
}

int tracked_read(struct tracked *t, const struct repo *r, git_tree *head,
		 const struct strlist *paths, struct error *err)
{
	for (size_t i = 0; i < paths->n; i++) {
		if (read_path(t, r, head, paths->items[i], err) < 0)
			return -1;
	}
	return 0;
}

void tracked_release(struct tracked *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->files[i].path);
		buf_release(&t->files[i].bytes);
	}
	free(t->files);
	memset(t, 0, sizeof(*t));
}
