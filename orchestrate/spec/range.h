#ifndef SPEC_RANGE_H
#define SPEC_RANGE_H

#include "orchestrate/spec/reading.h"

struct strlist;

/*
 * The levels of a factor that is a range:
 *
 *	range: [1, 9]      step: 2        1 3 5 7 9
 *	range: [1, 16]     step: "*2"     1 2 4 8 16
 *	range: [16, 1]     step: "/2"     16 8 4 2 1
 *	range: [1, 1000]   points: 4      1 10 100 1000
 *	range: [4k, 1M]    step: "*4"     4k 16k 64k 256k 1M
 *	range: [1, = sut.cpus]  step: "*2"
 *
 * The first end is a level always, the last one when a step hits it. Down goes
 * a range with a negative step, or with "/2". Arithmetic is exact, with
 * 9 decimals: 0.1, 0.2, 0.3. Points are the same factor apart (geometric):
 * whole numbers when both ends are, those that meet are one level; else six
 * significant digits.
 *
 * Units are those of expr.h. A level has the greatest of the units that the
 * ends have in which it is whole, else the least: [512, 2k] "*2" is 512 1k 2k.
 * Zeros at the end of decimals are not kept: [1.0, 2.0] 0.5 is 1 1.5 2.
 */
#define RANGE_MAX_LEVELS 10000

/* The keys as they are in the file; `step` and `points` NULL when unsaid. */
struct range {
	const struct yaml_node *ends;
	const struct yaml_node *step;
	const struct yaml_node *points;
};

/*
 * Appends the levels. Returns -1 after reporting what is wrong. When an end
 * needs a fact that is not known yet (facts.h), the other end, or else 1, is
 * the one level.
 */
int range_levels(struct reading *r, const struct range *range,
		 struct strlist *out);

#endif
