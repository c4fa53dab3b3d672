#ifndef SPEC_FORMAT_VERSION_H
#define SPEC_FORMAT_VERSION_H

#include <stdbool.h>

#include "orchestrate/spec/reading.h"

/* The key `assay`: the version of the file format. */
void format_version_read(struct reading *r, void *into,
			 const struct yaml_node *value);

/* Whether the file says that a newer format follows, which is reported: then
 * what else is wrong with it in our eyes does not matter. */
bool format_is_newer(struct reading *r, const struct yaml_node *root);

#endif
