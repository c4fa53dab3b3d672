#ifndef SPEC_BINDER_H
#define SPEC_BINDER_H

#include <stdbool.h>
#include <stddef.h>

#include "orchestrate/spec/formula.h"
#include "orchestrate/spec/vocabulary.h"

struct error;
struct experiment;

/*
 * What the bindings of all runs of an experiment have in common: the names,
 * and the formulas, each compiled when it is first needed. An experiment that
 * has been read owns one, and does not change any more.
 */
struct binder;

struct binder *binder_new(const struct experiment *e); /* borrowed */
void binder_free(struct binder *b); /* NULL-safe */

const struct vocabulary *binder_words(struct binder *b);

/* Whether any level sets the variable: it may be absent then. */
bool binder_is_set(struct binder *b, const char *name);

/* A text compiled, with ids of the vocabulary; the caller frees it. NULL with
 * file:line:column in the error. */
struct formula *binder_compile(struct binder *b,
			       const struct expr_source *source,
			       struct error *err);
/* The same for a text of the experiment, kept by the binder from then on: it
 * is known by where it lies. */
const struct formula *binder_formula(struct binder *b,
				     const struct expr_source *source,
				     struct error *err);

#endif
