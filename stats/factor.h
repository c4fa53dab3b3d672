#ifndef STATS_FACTOR_H
#define STATS_FACTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/localized.h"

/* One value of a factor. */
struct level {
	char *name;              /* canonical text, unique in its factor */
	struct localized label;  /* may be empty: then the name is shown */
};

/* A variable we set. */
struct factor {
	char *name;             /* [A-Za-z_][A-Za-z0-9_]*: a shell variable */
	struct localized label;
	struct level *levels;   /* at least one, in declared order */
	size_t n_levels;
	bool hard;              /* hard to change: forms whole plots */
};

void factor_release(struct factor *f);
void level_release(struct level *l);

/* The level's index, or -1. */
int factor_level(const struct factor *f, const char *name);
/* The factor's index, or -1. */
int factor_find(const struct factor *factors, size_t n, const char *name);

const char *factor_label(const struct factor *f, const char *language);
const char *level_label(const struct level *l, const char *language);

#endif
