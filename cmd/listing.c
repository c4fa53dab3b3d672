#include "cmd/listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strlist.h"
#include "cmd/origin.h"
#include "cmd/subject.h"
#include "orchestrate/vcs/repo.h"
#include "orchestrate/vcs/snapshot.h"
#include "plot/report/document.h"

#define LISTING_MAX (1 << 20)

/* "treatments/work-dir.yaml": where a definition lies, wherever its library
 * is on this machine. */
static const char *short_name(const char *path)
{
	const char *name = path_base(path);

	for (const char *p = name - 1; p > path; p--)
		if (p[-1] == '/')
			return p;
	return name;
}

static void add(struct document *d, const struct strlist *files, size_t i,
		const struct buf *text)
{
	document_listing(d, i ? short_name(files->items[i])
			      : path_base(files->items[i]),
			 text->data);
}

static int add_present(struct document *d, const struct strlist *files,
		       struct error *err)
{
	struct buf text = BUF_INIT;
	int rc = 0;

	for (size_t i = 0; i < files->n && !rc; i++) {
		rc = path_read(files->items[i], LISTING_MAX, &text, err);
		if (!rc)
			add(d, files, i, &text);
	}
	buf_release(&text);
	return rc;
}

/* Where a commit keeps the file; the caller's, NULL when it cannot. */
static char *path_in_commit(const char *root, const char *file)
{
	char *full = realpath(file, NULL), *path = NULL;
	size_t n = strlen(root);

	if (full && !strncmp(full, root, n) && full[n] == '/')
		path = mem_strdup(full + n + 1);
	else if (full)
		path = mem_printf(".assay/external%s", full);
	free(full);
	return path;
}

static bool read_past(const char *dir, const char *root, const char *commit,
		      const char *file, struct buf *text)
{
	char *path = path_in_commit(root, file);
	struct error ignored = ERROR_INIT;
	bool found = path &&
		     !vcs_file_at(dir, commit, path, text, &ignored);

	free(path);
	return found;
}

static void say_missing(struct document *d, const char *file,
			const char *commit)
{
	char *text = mem_printf("%s has changed since, and commit %.12s "
				"cannot be read here: it is left out.",
				path_base(file), commit);

	document_paragraph(d, text);
	free(text);
}

static void add_past(struct document *d, const struct subject *s,
		     const char *commit)
{
	const struct strlist *files = &s->experiment.files;
	struct error ignored = ERROR_INIT;
	struct repo repo = REPO_INIT;
	struct buf text = BUF_INIT;
	bool opened = !repo_open(&repo, s->experiment.dir, &ignored);

	for (size_t i = 0; i < files->n; i++) {
		if (opened && read_past(s->experiment.dir, repo.root, commit,
					files->items[i], &text))
			add(d, files, i, &text);
		else
			say_missing(d, files->items[i], commit);
	}
	repo_release(&repo);
	buf_release(&text);
}

int listing_add_all(struct document *d, const struct subject *s,
		    const struct origin *o, struct error *err)
{
	if (o->same_recipe)
		return add_present(d, &s->experiment.files, err);
	if (s->campaign.commit)
		add_past(d, s, s->campaign.commit);
	else
		document_paragraph(d, "The file has changed since, and the "
				      "campaign is not tied to a commit that "
				      "has it as it was: it is left out.");
	return 0;
}
