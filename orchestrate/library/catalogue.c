#include "orchestrate/library/catalogue.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "orchestrate/spec/names.h"

static const char suffix[] = ".yaml";

char *catalogue_path(const char *dir, const char *name)
{
	return path_join(strcmp(dir, ".") ? dir : "", name);
}

char *catalogue_find(const struct strlist *dirs, const char *folder,
		     const char *name)
{
	char *file = mem_printf("%s/%s%s", folder, name, suffix);
	char *path = NULL;

	for (size_t i = 0; i < dirs->n && !path; i++) {
		path = catalogue_path(dirs->items[i], file);
		if (!path_exists(path)) {
			free(path);
			path = NULL;
		}
	}
	free(file);
	return path;
}

/* "fio.yaml" to "fio"; NULL when it is no definition. Caller frees. */
static char *definition_name(const char *file)
{
	size_t n = strlen(file), n_suffix = strlen(suffix);
	char *name;

	if (n <= n_suffix || strcmp(file + n - n_suffix, suffix))
		return NULL;
	name = mem_strndup(file, n - n_suffix);
	if (name_fault(name)) {
		free(name);
		return NULL;
	}
	return name;
}

/* Adds what name_of() makes of the entries of DIR/FOLDER, if anything. */
static void add_entries(const char *dir, const char *folder,
			char *(*name_of)(const char *path, const char *entry),
			struct strlist *names)
{
	char *path = catalogue_path(dir, folder);
	DIR *d = opendir(path);
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		char *name = name_of(path, entry->d_name);

		if (name && !strlist_has(names, name))
			strlist_push(names, name);
		free(name);
	}
	if (d)
		closedir(d);
	free(path);
	catalogue_sort(names);
}

static char *file_name(const char *path, const char *entry)
{
	(void)path;
	return definition_name(entry);
}

void catalogue_names(const char *dir, const char *folder,
		     struct strlist *names)
{
	add_entries(dir, folder, file_name, names);
}

static char *family_name(const char *path, const char *entry)
{
	struct strlist levels = STRLIST_INIT;
	char *name = NULL;

	if (!name_fault(entry))
		catalogue_names(path, entry, &levels);
	if (levels.n)
		name = mem_strdup(entry);
	strlist_release(&levels);
	return name;
}

void catalogue_families(const char *dir, const char *folder,
			struct strlist *names)
{
	add_entries(dir, folder, family_name, names);
}

bool catalogue_is_family(const struct strlist *dirs, const char *folder,
			 const char *name)
{
	bool file = false, family = false;

	for (size_t i = 0; i < dirs->n && !file && !family; i++) {
		struct strlist one = STRLIST_INIT, levels = STRLIST_INIT;
		char *path;

		strlist_push(&one, dirs->items[i]);
		path = catalogue_find(&one, folder, name);
		catalogue_levels(&one, folder, name, &levels);
		file = path;
		family = levels.n;
		free(path);
		strlist_release(&one);
		strlist_release(&levels);
	}
	return family && !file;
}

void catalogue_levels(const struct strlist *dirs, const char *folder,
		      const char *family, struct strlist *levels)
{
	char *path = path_join(folder, family);

	for (size_t i = 0; i < dirs->n; i++)
		catalogue_names(dirs->items[i], path, levels);
	free(path);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void catalogue_sort(struct strlist *names)
{
	if (names->n)
		qsort(names->items, names->n, sizeof(*names->items), compare);
}
