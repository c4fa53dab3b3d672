#ifndef SPEC_ABSENCE_H
#define SPEC_ABSENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct experiment;
struct matrix;

/* What a factor's absence is called where a level is asked for, unless a level
 * has that name. */
#define ABSENT_NAME "-"

/*
 * Whether a factor may be absent from treatments: a matrix does not vary it,
 * its axis exists under some levels only, or a list leaves it out somewhere.
 */
bool may_be_absent(const struct experiment *e, const struct matrix *m,
		   size_t factor);
/* In some matrix that makes the benchmark. */
#define ANY_BENCHMARK SIZE_MAX
bool may_be_absent_for(const struct experiment *e, size_t benchmark,
		       size_t factor);

#endif
