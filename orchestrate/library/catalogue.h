#ifndef LIBRARY_CATALOGUE_H
#define LIBRARY_CATALOGUE_H

#include <stdbool.h>

#include "base/strlist.h"

/* Folders of definition files: DIR/FOLDER/NAME.yaml, and of families:
 * DIR/FOLDER/FAMILY/LEVEL.yaml. */

/* DIR/NAME, without a "./" in front; caller frees. */
char *catalogue_path(const char *dir, const char *name);
/* The first that exists, or NULL; caller frees. `name` may be FAMILY/LEVEL. */
char *catalogue_find(const struct strlist *dirs, const char *folder,
		     const char *name);
/* Adds the names that are there and not in the list yet, sorted; a folder
 * that cannot be read has none. */
void catalogue_names(const char *dir, const char *folder,
		     struct strlist *names);
/* The same for families: folders with a definition in them. */
void catalogue_families(const char *dir, const char *folder,
			struct strlist *names);
/*
 * Whether the name is a family: the first folder that has one or the other
 * decides between FOLDER/NAME.yaml and FOLDER/NAME/. Where a folder has both
 * it is the file.
 */
bool catalogue_is_family(const struct strlist *dirs, const char *folder,
			 const char *name);
/* Adds the levels that all folders together have of a family, sorted. */
void catalogue_levels(const struct strlist *dirs, const char *folder,
		      const char *family, struct strlist *levels);
void catalogue_sort(struct strlist *names);

#endif
