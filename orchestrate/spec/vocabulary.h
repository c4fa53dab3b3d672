#ifndef SPEC_VOCABULARY_H
#define SPEC_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "base/strlist.h"

struct experiment;
struct variable;

/*
 * All names that the values of an experiment can use: what any layer of
 * binding.h sets, for whatever run, and the names of levels.
 */
struct vocabulary {
	struct strlist variables; /* each once */
	struct map indexes;       /* name to 1 + its index there */
	struct map levels;        /* names of levels */
	const struct experiment *e;
};

/* Borrows the experiment. */
void vocabulary_init(struct vocabulary *v, const struct experiment *e);
void vocabulary_release(struct vocabulary *v);

/* Index of the variable, or -1. */
int vocabulary_variable(const struct vocabulary *v, const char *name);
bool vocabulary_is_level(const struct vocabulary *v, const char *name);
/* All of them, to suggest from. */
void vocabulary_names(const struct vocabulary *v, struct strlist *out);

/* Calls `each` for every variable that has a value somewhere in the
 * experiment, also for the `count` of roles. */
void variables_each(const struct experiment *e,
		    void (*each)(void *ctx, const struct variable *v),
		    void *ctx);

#endif
