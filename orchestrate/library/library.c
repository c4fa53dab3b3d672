#include "orchestrate/library/library.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/library/catalogue.h"
#include "orchestrate/library/definition.h"
#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/resolver.h"
#include "orchestrate/spec/treatment_def.h"

void library_init(struct library *l, const char *experiment_dir,
		  const struct strlist *dirs)
{
	*l = (struct library){ .dirs = STRLIST_INIT };
	if (experiment_dir) {
		strlist_push_nodup(&l->dirs,
				   catalogue_path(experiment_dir, "library"));
		strlist_push(&l->dirs, experiment_dir);
	}
	for (size_t i = 0; dirs && i < dirs->n; i++)
		strlist_push(&l->dirs, dirs->items[i]);
}

void library_release(struct library *l)
{
	strlist_release(&l->dirs);
	strlist_release(&l->faulty);
}

/* "treatment", its folder, and how to make one of a document. */
struct kind {
	const char *noun;
	const char *folder;
	void *(*read)(const struct yaml_doc *doc, const char *file,
		      const char *name, struct problems *p);
};

static void *read_treatment(const struct yaml_doc *doc, const char *file,
			    const char *name, struct problems *p)
{
	return treatment_read(doc, file, name, p);
}

static void *read_benchmark(const struct yaml_doc *doc, const char *file,
			    const char *name, struct problems *p)
{
	return benchmark_read(doc, file, name, p);
}

static const struct kind treatments = { "treatment", "treatments",
					read_treatment };
static const struct kind benchmarks = { "benchmark", "benchmarks",
					read_benchmark };

static void not_found(const struct library *l, const struct kind *kind,
		      const char *name, struct mark use, struct problems *p)
{
	struct strlist names = STRLIST_INIT;
	struct buf searched = BUF_INIT;

	for (size_t i = 0; i < l->dirs.n; i++) {
		catalogue_names(l->dirs.items[i], kind->folder, &names);
		buf_addf(&searched, "%s%s", i ? ", " : "", l->dirs.items[i]);
	}
	problems_add_undefined(p, use, kind->noun, name, searched.data,
			       &names);
	buf_release(&searched);
	strlist_release(&names);
}

/* The name that marks may borrow for as long as the list lives. */
static const char *keep(struct strlist *files, const char *file)
{
	for (size_t i = 0; i < files->n; i++)
		if (!strcmp(files->items[i], file))
			return files->items[i];
	strlist_push(files, file);
	return files->items[files->n - 1];
}

static void move_problems(struct problems *to, const struct problems *from,
			  struct mark use)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct problem *item = &from->items[i];
		struct mark at = { .file = item->file, .line = item->line,
				   .column = item->column };

		problems_add(to, at, "%s (used at %s:%u:%u)", item->text,
			     use.file, use.line, use.column);
	}
	to->total += from->total - from->n;
}

static void *load(const struct kind *kind, const char *file, const char *name,
		  struct problems *p)
{
	struct yaml_doc doc;
	void *def = NULL;

	if (yaml_doc_load(&doc, file, "a definition", p) == 0)
		def = kind->read(&doc, file, name, p);
	yaml_doc_release(&doc);
	return def;
}

static void *resolve(struct library *l, const struct kind *kind,
		     const char *name, struct mark use, struct strlist *files,
		     struct problems *p)
{
	char *path = catalogue_find(&l->dirs, kind->folder, name);
	struct problems own = PROBLEMS_INIT;
	void *def = NULL;

	if (!path) {
		not_found(l, kind, name, use, p);
		return NULL;
	}
	if (!strlist_has(&l->faulty, path)) {
		def = load(kind, keep(files, path), name, &own);
		move_problems(p, &own, use);
		if (!def)
			strlist_push(&l->faulty, path);
	}
	problems_release(&own);
	free(path);
	return def;
}

static struct treatment_def *resolve_treatment(void *ctx, const char *name,
					       struct mark use,
					       struct strlist *files,
					       struct problems *p)
{
	return resolve(ctx, &treatments, name, use, files, p);
}

static struct benchmark_def *resolve_benchmark(void *ctx, const char *name,
					       struct mark use,
					       struct strlist *files,
					       struct problems *p)
{
	return resolve(ctx, &benchmarks, name, use, files, p);
}

struct resolver library_resolver(struct library *l)
{
	return (struct resolver){ .treatment = resolve_treatment,
				  .benchmark = resolve_benchmark,
				  .ctx = l };
}

int experiment_load(struct experiment *e, const char *path,
		    const struct strlist *library,
		    const struct experiment_options *options,
		    struct problems *p)
{
	char *dir = path_dir(path);
	struct resolver resolver;
	struct library l;
	int rc;

	library_init(&l, dir, library);
	resolver = library_resolver(&l);
	rc = experiment_read(e, path, &resolver, options, p);
	library_release(&l);
	free(dir);
	return rc;
}

/* Calls add(list, definition) for each of that kind. */
static void list_kind(struct library_list *list, const struct library *l,
		      const struct kind *kind,
		      void (*add)(struct library_list *list, void *def),
		      struct problems *p)
{
	struct strlist names = STRLIST_INIT;

	for (size_t i = 0; i < l->dirs.n; i++)
		catalogue_names(l->dirs.items[i], kind->folder, &names);
	catalogue_sort(&names);
	for (size_t i = 0; i < names.n; i++) {
		char *path = catalogue_find(&l->dirs, kind->folder,
					    names.items[i]);
		void *def = NULL;

		if (path)
			def = load(kind, keep(&list->files, path),
				   names.items[i], p);
		if (def)
			add(list, def);
		free(path);
	}
	strlist_release(&names);
}

static void add_treatment(struct library_list *list, void *def)
{
	MEM_GROW(list->treatments, list->n_treatments, list->cap_treatments);
	list->treatments[list->n_treatments++] = def;
}

static void add_benchmark(struct library_list *list, void *def)
{
	MEM_GROW(list->benchmarks, list->n_benchmarks, list->cap_benchmarks);
	list->benchmarks[list->n_benchmarks++] = def;
}

int library_list(struct library_list *list, const struct library *l,
		 struct problems *p)
{
	size_t before = p->total;

	*list = (struct library_list){ .files = STRLIST_INIT };
	list_kind(list, l, &treatments, add_treatment, p);
	list_kind(list, l, &benchmarks, add_benchmark, p);
	return p->total > before ? -1 : 0;
}
void library_list_release(struct library_list *list)
{
	for (size_t i = 0; i < list->n_treatments; i++)
		treatment_def_free(list->treatments[i]);
	free(list->treatments);
	for (size_t i = 0; i < list->n_benchmarks; i++)
		benchmark_def_free(list->benchmarks[i]);
	free(list->benchmarks);
	strlist_release(&list->files);
	*list = (struct library_list){ .files = STRLIST_INIT };
}
