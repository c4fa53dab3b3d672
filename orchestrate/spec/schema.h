#ifndef SPEC_SCHEMA_H
#define SPEC_SCHEMA_H

struct buf;
struct key_table;

/*
 * A JSON Schema (draft 2020-12) of the files whose root follows the table, for
 * editors and for checking without assay. It is as strict as a grammar of
 * keys and shapes can be: names that do not exist, or a duration that is too
 * long, only `assay check` finds. Scalars may be written as YAML numbers and
 * booleans wherever text is meant.
 */
void schema_json(struct buf *out, const struct key_table *root,
		 const char *title);

#endif
