#ifndef SPEC_RECIPE_FEED_H
#define SPEC_RECIPE_FEED_H

#include <stddef.h>

#include "base/hash.h"
#include "orchestrate/spec/variable.h"

/*
 * What the recipe is fed with. Every part is a tagged list of texts, each with
 * its end, and every list starts with its length: no two experiments feed the
 * same bytes. A tag is a word, a space and a number, so that it is no name.
 * What the file says in any order (hosts, benchmarks, responses, variables)
 * is fed by name; what stands on each other (factors, set-ups, services) as
 * it is written. What a file does not use feeds nothing, so that campaigns
 * go on when the grammar grows.
 */
void feed_tag(struct hash *h, const char *tag, size_t n);
void feed_number(struct hash *h, double v); /* to the microsecond */
void feed_variables(struct hash *h, const struct variable *items, size_t n);
void feed_lookup(struct hash *h, const struct lookup *l); /* NULL: nothing */
/* Nothing when there is no text, else with the tag in front. */
void feed_optional(struct hash *h, const char *tag, const char *text);

/* Pointers to the items, each of which starts with its name, ordered by it;
 * caller frees. */
const void **feed_order(const void *items, size_t n, size_t size);

#endif
