#ifndef SCHEDULE_OCCURRENCE_H
#define SCHEDULE_OCCURRENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct condition;
struct design;

/*
 * The combinations of some factors' levels that treatments have: what a chart
 * or a table has places for. Sorted by level, the first factor slowest; absent
 * (DESIGN_ABSENT) comes last.
 */
struct occurrences {
	uint16_t *levels; /* n rows of `width` */
	size_t width;
	size_t n;
};

/*
 * Of the treatments that `measured` says (NULL: all) and that have all n_where
 * conditions. Of no factor: one empty combination, when there is any such
 * treatment. Must be released.
 */
void occurrences_make(struct occurrences *o, const struct design *d,
		      const bool *measured, const size_t *factors,
		      size_t n_factors, const struct condition *where,
		      size_t n_where);
void occurrences_release(struct occurrences *o);

const uint16_t *occurrences_at(const struct occurrences *o, size_t i);
bool occurrences_has(const struct occurrences *o, const uint16_t *levels);

#endif
