#include "cmd/places.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strlist.h"
#include "orchestrate/spec/experiment.h"

#define TEMPLATE_MAX (1 << 20)

/* Joins, without a "./" in front that says nothing. */
static char *beside(const char *dir, const char *name)
{
	return strcmp(dir, ".") ? path_join(dir, name) : mem_strdup(name);
}

static void push_if_there(struct strlist *out, const char *dir,
			  const char *name)
{
	char *path = beside(dir, name);

	if (path_exists(path) && !strlist_has(out, path))
		strlist_push(out, path);
	free(path);
}

static bool find_self(char self[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", self, PATH_MAX - 1);

	if (n > 0)
		self[n] = '\0';
	return n > 0;
}

/* The source tree when this program still lies in its build folder. */
static void push_source_tree(struct strlist *out)
{
	char self[PATH_MAX];
	char *build = NULL;

	if (!find_self(self))
		return;
	for (char *p = self; (p = strstr(p, "/build/")); p++)
		build = p;
	if (build)
		strlist_push_nodup(out, mem_strndup(self,
						    (size_t)(build - self)));
}

/* PREFIX/share/assay for PREFIX/bin/assay: an installation may be moved. */
static void push_installed(struct strlist *out)
{
	char self[PATH_MAX];
	char *bin, *prefix;

	if (!find_self(self))
		return;
	bin = path_dir(self);
	prefix = path_dir(bin);
	if (!strcmp(path_base(bin), "bin"))
		push_if_there(out, prefix, "share/assay");
	free(prefix);
	free(bin);
}

/* The roots under which installed data may lie, most telling first. */
static void data_roots(struct strlist *out)
{
	const char *named = getenv("ASSAY_DATADIR");

	if (named && *named) {
		strlist_push(out, named);
		return;
	}
	push_source_tree(out);
	push_installed(out);
	strlist_push(out, ASSAY_DATADIR);
}

void places_library(struct strlist *out)
{
	const char *named = getenv("ASSAY_LIBRARY");
	struct strlist roots = STRLIST_INIT;

	for (const char *p = named; p && *p;) {
		size_t n = strcspn(p, ":");

		if (n)
			strlist_push_nodup(out, mem_strndup(p, n));
		p += n + (p[n] == ':');
	}
	data_roots(&roots);
	for (size_t i = 0; i < roots.n; i++) {
		push_if_there(out, roots.items[i], "experiments/library");
		push_if_there(out, roots.items[i], "library");
	}
	strlist_release(&roots);
}

char *places_results(const struct experiment *e)
{
	return beside(e->dir, "results");
}

char *places_store(const struct experiment *e)
{
	char *results = places_results(e);
	char *path = mem_printf("%s/%s.db", results, e->name);

	free(results);
	return path;
}

static char *find_template(const struct experiment *e, const char *name,
			   struct buf *searched)
{
	struct strlist roots = STRLIST_INIT;
	char *file = mem_printf("report-templates/%s.html", name);
	char *found = NULL;

	strlist_push(&roots, e->dir);
	data_roots(&roots);
	for (size_t i = 0; i < roots.n && !found; i++) {
		char *path = beside(roots.items[i], file);

		if (path_exists(path))
			found = mem_strdup(path);
		buf_addf(searched, "%s%s", searched->n ? ", " : "", path);
		free(path);
	}
	strlist_release(&roots);
	free(file);
	return found;
}

int places_template(const struct experiment *e, const char *name, char **path,
		    struct buf *text, struct error *err)
{
	struct buf searched = BUF_INIT;

	*path = strchr(name, '/') ? mem_strdup(name)
				  : find_template(e, name, &searched);
	if (!*path)
		error_set(err, ERROR_USAGE,
			  "there is no report template '%s' (looked for %s)",
			  name, searched.data);
	buf_release(&searched);
	return *path ? path_read(*path, TEMPLATE_MAX, text, err) : -1;
}
