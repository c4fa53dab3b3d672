#include "orchestrate/library/library.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/library/catalogue.h"
#include "orchestrate/library/kind.h"
#include "orchestrate/spec/resolver.h"

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
	yaml_cache_release(&l->own);
}

/* 'there is no treatment "x" in DIRS', with those that there are. */
static void not_found(const struct library *l, const struct kind *kind,
		      const char *name, struct mark use, struct problems *p)
{
	struct strlist names = STRLIST_INIT;
	struct buf searched = BUF_INIT;

	for (size_t i = 0; i < l->dirs.n; i++) {
		catalogue_names(l->dirs.items[i], kind->folder, &names);
		if (kind == &kind_treatment)
			catalogue_families(l->dirs.items[i], kind->folder,
					   &names);
		buf_addf(&searched, "%s%s", i ? ", " : "", l->dirs.items[i]);
	}
	problems_add_undefined(p, use, kind->noun, name, searched.data,
			       &names);
	buf_release(&searched);
	strlist_release(&names);
}

/* The same for FAMILY/LEVEL. */
static void level_not_found(const struct library *l, const char *name,
			    struct mark use, struct problems *p)
{
	const char *level = strchr(name, '/') + 1;
	char *family = mem_strndup(name, (size_t)(level - name - 1));
	char *of = mem_printf("family %s", family);
	struct strlist levels = STRLIST_INIT;

	catalogue_levels(&l->dirs, kind_treatment.folder, family, &levels);
	if (levels.n)
		problems_add_undefined(p, use, "level", level, of, &levels);
	else
		not_found(l, &kind_treatment, name, use, p);
	strlist_release(&levels);
	free(of);
	free(family);
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

static void *resolve(struct library *l, const struct kind *kind,
		     const char *name, struct mark use, struct strlist *files,
		     struct problems *p)
{
	char *path = catalogue_find(&l->dirs, kind->folder, name);
	struct problems own = PROBLEMS_INIT;
	void *def = NULL;

	if (!path && kind == &kind_treatment && strchr(name, '/'))
		level_not_found(l, name, use, p);
	else if (!path)
		not_found(l, kind, name, use, p);
	if (!path)
		return NULL;
	if (!strlist_has(&l->faulty, path)) {
		def = kind_load(kind, path, name,
				l->cache ? l->cache : &l->own, files, &own);
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
	return resolve(ctx, &kind_treatment, name, use, files, p);
}

static struct benchmark_def *resolve_benchmark(void *ctx, const char *name,
					       struct mark use,
					       struct strlist *files,
					       struct problems *p)
{
	return resolve(ctx, &kind_benchmark, name, use, files, p);
}

static struct monitor_def *resolve_monitor(void *ctx, const char *name,
					   struct mark use,
					   struct strlist *files,
					   struct problems *p)
{
	return resolve(ctx, &kind_monitor, name, use, files, p);
}

static bool resolve_family(void *ctx, const char *name,
			   struct strlist *levels)
{
	const struct library *l = ctx;

	if (!catalogue_is_family(&l->dirs, kind_treatment.folder, name))
		return false;
	catalogue_levels(&l->dirs, kind_treatment.folder, name, levels);
	return true;
}

struct resolver library_resolver(struct library *l)
{
	return (struct resolver){ .treatment = resolve_treatment,
				  .family = resolve_family,
				  .benchmark = resolve_benchmark,
				  .monitor = resolve_monitor,
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
	l.cache = options ? options->cache : NULL;
	resolver = library_resolver(&l);
	rc = experiment_read(e, path, &resolver, options, p);
	library_release(&l);
	free(dir);
	return rc;
}
