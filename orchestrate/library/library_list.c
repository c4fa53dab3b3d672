#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/library/catalogue.h"
#include "orchestrate/library/kind.h"
#include "orchestrate/library/library.h"
#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/monitor_def.h"
#include "orchestrate/spec/treatment_def.h"

typedef void add_definition(struct library_list *list, void *def);

static void list_one(struct library_list *list, const struct library *l,
		     const struct kind *kind, const char *name,
		     add_definition *add, struct problems *p)
{
	char *path = catalogue_find(&l->dirs, kind->folder, name);
	struct yaml_cache once = YAML_CACHE_INIT;
	void *def = NULL;

	if (path)
		def = kind_load(kind, path, name, &once, &list->files, p);
	if (def)
		add(list, def);
	yaml_cache_release(&once);
	free(path);
}

static void list_kind(struct library_list *list, const struct library *l,
		      const struct kind *kind, add_definition *add,
		      struct problems *p)
{
	struct strlist names = STRLIST_INIT;

	for (size_t i = 0; i < l->dirs.n; i++)
		catalogue_names(l->dirs.items[i], kind->folder, &names);
	for (size_t i = 0; i < names.n; i++)
		list_one(list, l, kind, names.items[i], add, p);
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

static void add_monitor(struct library_list *list, void *def)
{
	MEM_GROW(list->monitors, list->n_monitors, list->cap_monitors);
	list->monitors[list->n_monitors++] = def;
}

static void list_family(struct library_list *list, const struct library *l,
			const char *family, struct problems *p)
{
	struct strlist levels = STRLIST_INIT;

	strlist_push(&list->families, family);
	catalogue_levels(&l->dirs, kind_treatment.folder, family, &levels);
	for (size_t i = 0; i < levels.n; i++) {
		char *name = path_join(family, levels.items[i]);

		list_one(list, l, &kind_treatment, name, add_treatment, p);
		free(name);
	}
	strlist_release(&levels);
}

/* A name is a treatment or a family, whichever comes first. */
static void list_treatments(struct library_list *list, const struct library *l,
			    struct problems *p)
{
	struct strlist names = STRLIST_INIT;

	for (size_t i = 0; i < l->dirs.n; i++) {
		catalogue_names(l->dirs.items[i], kind_treatment.folder,
				&names);
		catalogue_families(l->dirs.items[i], kind_treatment.folder,
				   &names);
	}
	for (size_t i = 0; i < names.n; i++) {
		const char *name = names.items[i];

		if (catalogue_is_family(&l->dirs, kind_treatment.folder, name))
			list_family(list, l, name, p);
		else
			list_one(list, l, &kind_treatment, name,
				 add_treatment, p);
	}
	strlist_release(&names);
}

int library_list(struct library_list *list, const struct library *l,
		 struct problems *p)
{
	size_t before = p->total;

	*list = (struct library_list){ .files = STRLIST_INIT };
	list_treatments(list, l, p);
	list_kind(list, l, &kind_benchmark, add_benchmark, p);
	list_kind(list, l, &kind_monitor, add_monitor, p);
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
	for (size_t i = 0; i < list->n_monitors; i++)
		monitor_def_free(list->monitors[i]);
	free(list->monitors);
	strlist_release(&list->families);
	strlist_release(&list->files);
	*list = (struct library_list){ .files = STRLIST_INIT };
}
