#ifndef SPEC_YAML_DOC_H
#define SPEC_YAML_DOC_H

#include <stdbool.h>
#include <stddef.h>

#include "orchestrate/spec/problem.h"

/*
 * A YAML file as a tree of nodes that know where they stand. Scalars keep
 * their text as written: nothing is taken for a number or a boolean here.
 * A value under an alias is the anchor's node itself: the tree may be shared,
 * so it is read-only.
 */
enum yaml_kind {
	YAML_SCALAR,
	YAML_SEQUENCE,
	YAML_MAPPING,
};

struct yaml_pair {
	char *key;
	struct mark mark;
	const struct yaml_node *value;
};

struct yaml_node {
	enum yaml_kind kind;
	struct mark mark;
	bool plain;               /* a scalar without quotes, not a block */
	char *text;               /* of a scalar; never holds a NUL */
	int text_at;              /* characters from `mark` to the text, when
	                           * it stands on one line as it is; else -1 */
	const struct yaml_node **items; /* of a sequence */
	size_t n_items, cap_items;
	struct yaml_pair *pairs;  /* of a mapping, in order, keys distinct */
	size_t n_pairs, cap_pairs;
	/* the parser's: what a copy of this node would cost */
	bool open;
	unsigned height;
	size_t values, bytes;
};

struct yaml_doc {
	const struct yaml_node *root; /* NULL: there is nothing in the file */
	struct yaml_node **nodes;
	size_t n_nodes, cap_nodes;
};

/* Bounds; values and bytes count with all aliases expanded. */
#define YAML_DOC_MAX_MIB 1
#define YAML_DOC_MAX_FILE (YAML_DOC_MAX_MIB * 1024 * 1024)
#define YAML_DOC_MAX_DEPTH 32
#define YAML_DOC_MAX_VALUES 100000
#define YAML_DOC_MAX_TEXT (4 * 1024 * 1024)

/*
 * `file` is borrowed by all marks. Returns -1 when there is no tree to look
 * at; faults that leave one (a duplicate key) are in `p` with 0 returned.
 * The document must be released in both cases.
 */
int yaml_doc_parse(struct yaml_doc *d, const char *file, const char *data,
		   size_t n, struct problems *p);
/* Reads the file first; `what` it is, for messages: "an experiment file". */
int yaml_doc_load(struct yaml_doc *d, const char *file, const char *what,
		  struct problems *p);
void yaml_doc_release(struct yaml_doc *d);

/* The pair with that key, or NULL; also when the node is no mapping, or NULL. */
const struct yaml_pair *yaml_get(const struct yaml_node *map, const char *key);

/* A scalar that is not there at all: `title:` and nothing behind it. */
bool yaml_is_nothing(const struct yaml_node *node);

/* "text", "nothing", "a list", "a mapping" */
const char *yaml_shape(const struct yaml_node *node);

#endif
