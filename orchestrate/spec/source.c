#include "orchestrate/spec/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/spec/experiment.h"

char *source_path(const char *from, const char *name)
{
	char *dir = path_dir(from);
	char *path = strcmp(dir, ".") ? path_join(dir, name)
				      : mem_strdup(name);

	free(dir);
	return path;
}

/* Whether the last part of the path so far is a name that ".." takes back. */
static bool ends_in_name(const struct buf *path)
{
	const char *last = strrchr(path->data, '/');

	last = last ? last + 1 : path->data;
	return *last && strcmp(last, "..");
}

static void take_back(struct buf *path)
{
	char *slash = strrchr(path->data, '/');

	path->n = slash ? (size_t)(slash - path->data) : 0;
	path->data[path->n] = '\0';
}

/* Parts joined by one '/' each, in front of each when it is absolute. */
static char *normal(const char *path)
{
	struct buf out = BUF_INIT;
	bool absolute = *path == '/';

	while (*path) {
		size_t n = strcspn(path, "/");
		bool up = n == 2 && !strncmp(path, "..", 2);

		if (up && out.n && ends_in_name(&out)) {
			take_back(&out);
		} else if (n && !(n == 1 && *path == '.') &&
			   !(up && absolute)) {
			buf_adds(&out, out.n || absolute ? "/" : "");
			buf_add(&out, path, n);
		}
		path += n + (path[n] == '/');
	}
	return buf_detach(&out);
}

bool source_same(const char *a, const char *b)
{
	char *na = normal(a), *nb = normal(b);
	bool same = !strcmp(na, nb);

	free(na);
	free(nb);
	return same;
}

static void drop_path(struct error *err, const char *path)
{
	size_t n = strlen(path);

	if (!strncmp(err->text, path, n) && !strncmp(err->text + n, ": ", 2))
		memmove(err->text, err->text + n + 2,
			strlen(err->text + n + 2) + 1);
}

int source_read(struct reading *r, const char *path, size_t max,
		struct buf *out, struct error *err)
{
	const struct file_source *s = r->options ? r->options->files : NULL;
	int rc = s ? s->read(s->ctx, path, max, out, err)
		   : path_read(path, max, out, err);

	if (rc)
		drop_path(err, path);
	return rc;
}

const char *source_keep(struct experiment *e, const char *path)
{
	for (size_t i = 0; i < e->files.n; i++)
		if (!strcmp(e->files.items[i], path))
			return e->files.items[i];
	strlist_push(&e->files, path);
	return e->files.items[e->files.n - 1];
}
