#ifndef LIBRARY_CATALOGUE_H
#define LIBRARY_CATALOGUE_H

#include "base/strlist.h"

/* Folders of definition files: DIR/FOLDER/NAME.yaml. */

/* DIR/NAME, without a "./" in front; caller frees. */
char *catalogue_path(const char *dir, const char *name);
/* The first that exists, or NULL; caller frees. */
char *catalogue_find(const struct strlist *dirs, const char *folder,
		     const char *name);
/* Adds the names that are there and not in the list yet, sorted; a folder
 * that cannot be read has none. */
void catalogue_names(const char *dir, const char *folder,
		     struct strlist *names);
void catalogue_sort(struct strlist *names);

#endif
