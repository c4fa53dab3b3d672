#ifndef SPEC_KEYS_H
#define SPEC_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchestrate/spec/reading.h"
#include "orchestrate/spec/yaml_doc.h"

/*
 * The grammar as data: what keys a mapping may have, what each takes and what
 * it means. The reader is driven by these tables, and so is all that
 * describes the grammar (a JSON Schema, the format reference).
 */
enum value_kind {
	VALUE_TEXT,      /* char *: not empty */
	VALUE_SCRIPT,    /* char *: a POSIX shell script, not blank */
	VALUE_LOCALIZED, /* struct localized: a line, or {language: line} */
	VALUE_PARAGRAPH, /* the same, of one line or more */
	VALUE_BOOL,      /* bool */
	VALUE_COUNT,     /* uint32_t: min to max */
	VALUE_SEED,      /* uint64_t */
	VALUE_DURATION,  /* double: seconds, above 0 */
	VALUE_SHARE,     /* double: "1%" or 0.01, below 1 */
	VALUE_CHOICE,    /* an enum: one of `choices` */
	VALUE_TEXTS,     /* struct strlist: one text, or a list of them */
	VALUE_OBJECT,    /* a mapping after `table`, in the same target */
	VALUE_CUSTOM,    /* `shapes`, taken by read() */
	VALUE_LATER,     /* in the grammar, but not supported yet */
};

enum {
	SHAPE_TEXT = 1,
	SHAPE_LIST = 2,
	SHAPE_MAPPING = 4,
};

struct choice {
	const char *name; /* NULL ends the list */
	int value;        /* CHOICE_LATER: not supported yet */
};
#define CHOICE_LATER (-1)

/*
 * What a value may look like, for what describes the grammar. A key whose
 * kind says it already has none.
 */
enum form_kind {
	FORM_TEXT,    /* any scalar; `pattern` narrows it */
	FORM_SCRIPT,
	FORM_COUNT,   /* min to max */
	FORM_NUMBER,
	FORM_BOOL,
	FORM_DURATION,
	FORM_SHARE,
	FORM_CHOICE,  /* `choices` */
	FORM_LOCALIZED,
	FORM_LIST,    /* of `item`, at least min */
	FORM_MAP,     /* of names (`pattern`) to `item`, at least min */
	FORM_OBJECT,  /* a mapping after `table` */
	FORM_PARTIAL, /* the same, to be put over such a mapping: no key is
	               * required, and nothing behind a key removes it */
	FORM_ANY,     /* one of `any` */
};
struct form {
	enum form_kind kind;
	const char *pattern;            /* ECMA-262, whole; NULL: any */
	const char *what;               /* "a factor's name", or NULL */
	uint32_t min, max;
	const struct choice *choices;
	const struct form *item;
	const struct key_table *table;
	const struct form *const *any;  /* ends with NULL */
};

struct key {
	const char *name;
	const char *doc;
	const char *fallback; /* what is so when it is left out; NULL: see doc,
	                       * or required */
	const char *example;  /* YAML, one or two lines, with this key */
	enum value_kind kind;
	bool required;
	size_t offset;    /* of the member in the target */
	unsigned shapes;  /* VALUE_CUSTOM */
	uint32_t min, max; /* VALUE_COUNT */
	const struct choice *choices;
	const struct key_table *table; /* VALUE_OBJECT; for VALUE_CUSTOM the
	                                * grammar of the mappings in it */
	void (*read)(struct reading *r, void *into,
		     const struct yaml_node *value);
	/* In place of read() when the key is not there; may be NULL. */
	void (*absent)(struct reading *r, void *into);
	const struct form *form;       /* VALUE_CUSTOM: all that read() takes */
};

struct key_table {
	const char *what; /* "a chart": for messages */
	const struct key *keys;
	size_t n;
	/* Of these keys exactly one must be there; ends with NULL, or NULL:
	 * no such rule. */
	const char *const *exactly_one;
	/* These keys may also come from a file that this key names; NULL:
	 * required keys must stand in the mapping itself. */
	const char *elsewhere;
	/* The keys of this table may stand here too, to be put over such a
	 * mapping (other() takes them), but not those in `except`, which ends
	 * with NULL. */
	const struct key_table *over;
	const char *const *except;
	/* Takes a key that is not in the table; NULL: it is an error. */
	void (*other)(struct reading *r, void *into,
		      const struct yaml_pair *pair);
	const struct form *other_form; /* of its value */
};

#define KEY_TABLE(label, array)                                             \
	{ .what = (label), .keys = (array),                                 \
	  .n = sizeof(array) / sizeof(*(array)) }

/*
 * Reads a mapping into `into`, key by key in the table's order, so that a key
 * may build on those above it. `at` is where a missing key is reported.
 */
void keys_read(struct reading *r, const struct key_table *t, struct mark at,
	       const struct yaml_node *map, void *into);

/* The key of that name, or NULL. */
const struct key *keys_find(const struct key_table *t, const char *name);

/* For a VALUE_CUSTOM that may be a whole number, or one of some words. */
void keys_read_count(struct reading *r, const struct key *key,
		     const struct yaml_node *value, uint32_t *out);
void keys_read_choice(struct reading *r, const char *name,
		      const struct choice *choices,
		      const struct yaml_node *value, int *out);

/* For `other`: reports the key as unknown. `more` names are suggested too;
 * it may be NULL. */
void keys_unknown(struct reading *r, const struct key_table *t,
		  const struct yaml_pair *pair, const struct strlist *more);

#endif
