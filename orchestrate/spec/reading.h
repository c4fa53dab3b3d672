#ifndef SPEC_READING_H
#define SPEC_READING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/localized.h"
#include "base/strlist.h"
#include "orchestrate/spec/problem.h"
#include "orchestrate/spec/yaml_doc.h"

struct experiment;
struct experiment_options;
struct key_table;
struct resolver;
struct variable;

/* What every reader needs at hand. */
struct reading {
	struct problems *problems;
	struct experiment *e;            /* NULL for a definition */
	const struct resolver *resolver; /* NULL for a definition */
	const struct experiment_options *options; /* may be NULL */
	const struct key_table *grammar; /* of the file's root: where else a
	                                  * misplaced key belongs; or NULL */
	size_t before;                   /* problems there already were */
	const struct yaml_node *root;    /* of the experiment, put together */
	struct yaml_doc *made;           /* owns what merging makes */
};

/* Mappings and lists of named things longer than this are refused. */
#define READING_MAX_ENTRIES 1024

/* The text of a scalar that is there, or NULL after reporting that `what`
 * expected text. */
const char *reading_text(struct reading *r, const struct yaml_node *node,
			 const char *what);
/* Whether the node has that shape; reports if not. */
bool reading_mapping(struct reading *r, const struct yaml_node *node,
		     const char *what);
/* The node's items, or the node itself when it is text: `n` things. */
const struct yaml_node *reading_item(const struct yaml_node *node, size_t i);
size_t reading_items(const struct yaml_node *node);

/* The entries of a mapping of `whats` worth reading: 0 if they are too many. */
size_t reading_entries(struct reading *r, const struct yaml_node *map,
		       const char *whats);
/* Whether the key is a legal name (variable name); reports if not. */
bool reading_name(struct reading *r, struct mark at, const char *what,
		  const char *name);
bool reading_variable(struct reading *r, struct mark at, const char *what,
		      const char *name);

/* Text of one line that is printed, or such texts by language. */
void reading_localized(struct reading *r, const struct yaml_node *node,
		       const char *what, struct localized *out);
/* The same, when it may have more than one line. */
void reading_paragraph(struct reading *r, const struct yaml_node *node,
		       const char *what, struct localized *out);
void reading_texts(struct reading *r, const struct yaml_node *node,
		   const char *what, struct strlist *out);

void reading_warn(struct reading *r, struct mark at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
