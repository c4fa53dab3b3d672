#ifndef STATS_AXES_H
#define STATS_AXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct design_existence;
struct design_options;
struct error;

/* Factors that go through their levels together: linked ones, or one alone. */
struct axis {
	size_t *factors;
	size_t n;
	size_t n_levels;
	/* for each of the factors, when it exists; NULL: always */
	const struct design_existence **existences;
	bool conditional;    /* at least one does not always exist */
};

/*
 * The axes of a design in an order in which every existence depends on axes
 * before its own; as near to the factors' order as that allows.
 */
struct axes {
	struct axis *items;
	size_t n;
	bool sorted; /* rows made in this order are in the order of the
	              * levels' numbers */
};

/*
 * Of the factors that take part. ERROR_USAGE for zips that are none (unequal
 * lengths, a factor twice) and for existences that depend on themselves. Must
 * be released in both cases.
 */
int axes_make(struct axes *a, const struct design_options *o,
	      struct error *err);
void axes_release(struct axes *a);

/*
 * Puts an axis at a level: the level for those of its factors that exist,
 * DESIGN_ABSENT for the others. `levels` has those of the axes before it.
 * axis_exist() asks which exist, into exists[] (one for each of its factors);
 * returns how many do, or -1.
 */
int axis_exist(const struct axis *a, const struct design_options *o,
	       const uint16_t *levels, bool *exists, struct error *err);
void axis_put(const struct axis *a, const bool *exists, uint16_t level,
	      uint16_t *levels);

#endif
