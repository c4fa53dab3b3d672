#ifndef SPEC_GRAMMAR_H
#define SPEC_GRAMMAR_H

#include <stddef.h>

#include "orchestrate/spec/keys.h"

struct buf;

/*
 * The grammar seen as data: the key tables that the reader follows, for
 * whatever describes them.
 */

/* All tables that can be reached from one, it first, each once, in the order
 * in which the keys mention them. */
struct grammar {
	const struct key_table **tables;
	size_t n;
	size_t cap;
};
void grammar_collect(struct grammar *g, const struct key_table *root);
void grammar_release(struct grammar *g);

/* Appends "host" for "a host", "treatment-definition" for "a treatment
 * definition": unique among the tables of a grammar. */
void grammar_name(const struct key_table *t, struct buf *out);

/* The key's form: its own, or the one its kind stands for. NULL when the key
 * itself says more (VALUE_COUNT, VALUE_CHOICE, VALUE_OBJECT), or is not
 * supported yet. */
const struct form *key_form(const struct key *key);

#endif
