#ifndef LIBRARY_DEFINITION_H
#define LIBRARY_DEFINITION_H

#include "orchestrate/spec/keys.h"
#include "orchestrate/spec/yaml_doc.h"

struct benchmark_def;
struct monitor_def;
struct parameter;
struct treatment_def;

/*
 * A definition from its document. `name` is what the file is called. Returns
 * NULL with at least one problem; else the caller frees it. Marks borrow the
 * document's file name.
 */
struct treatment_def *treatment_read(const struct yaml_doc *doc,
				     const char *file, const char *name,
				     struct problems *p);
struct benchmark_def *benchmark_read(const struct yaml_doc *doc,
				     const char *file, const char *name,
				     struct problems *p);
struct monitor_def *monitor_read(const struct yaml_doc *doc, const char *file,
				 const char *name, struct problems *p);

extern const struct key_table treatment_keys, benchmark_def_keys,
	monitor_def_keys, param_keys;

/* `params`: a mapping of variable names to what they take. */
void declarations_read(struct reading *r, const struct yaml_node *map,
		       struct parameter **params, size_t *n);

/* What their keys take. */
extern const struct form definition_name_form, declarations_form,
	definition_responses_form;

/* What all kinds have in common: a mapping that starts with its kind and the
 * file's name. Returns NULL with a problem. */
const struct yaml_node *definition_root(struct reading *r,
					const struct yaml_doc *doc,
					const char *file, const char *kind);
void definition_check_name(struct reading *r, const struct yaml_node *value,
			   const char *file_name);

/* Where the key's value stands; the mapping's own place when it has none. */
struct mark definition_mark(const struct yaml_node *root, const char *key);

#endif
