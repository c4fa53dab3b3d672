#ifndef SPEC_PARAMETER_H
#define SPEC_PARAMETER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strlist.h"
#include "orchestrate/spec/variable.h"

struct buf;
struct reading;

/*
 * What a definition takes: a variable with a type. Scripts get the value as
 * it is written ("64M" stays "64M"); the type is there to refuse what cannot
 * be one where it is given, before anything runs. A value that is computed
 * is not known then, and is not checked.
 */
enum parameter_type {
	PARAMETER_TEXT,     /* anything */
	PARAMETER_INTEGER,  /* 12, -3 */
	PARAMETER_NUMBER,   /* 12, 0.5, 1e6 */
	PARAMETER_SIZE,     /* 4096, 64K, 1.5G, 1GiB: bytes, powers of 1024 */
	PARAMETER_DURATION, /* 90, 90s, 5m, 1.5h, 250ms */
	PARAMETER_BOOLEAN,  /* true or false */
	PARAMETER_PATH,     /* absolute, without ".." in it */
	PARAMETER_CHOICE,   /* one of `choices` */
};

struct parameter {
	struct variable var;   /* its name and default; neither value nor
	                        * look-up: one must be given */
	char *doc;             /* NULL: none */
	enum parameter_type type;
	struct strlist choices;
	char *min, *max;       /* as written; NULL: no bound */
};

void parameter_release(struct parameter *p);
bool parameter_is_required(const struct parameter *p);
void parameters_release(struct parameter *items, size_t n);
const struct parameter *parameters_find(const struct parameter *items,
					size_t n, const char *name);
/* The names, added to the list. */
void parameters_names(const struct parameter *items, size_t n,
		      struct strlist *out);

/* "text", "integer" ... */
const char *parameter_type_name(enum parameter_type type);
/* Whether the type has a size, so that `min` and `max` mean something. */
bool parameter_type_is_ordered(enum parameter_type type);
/* What it takes: "a whole number from 1 to 1024". Appended. */
void parameter_expects(const struct parameter *p, struct buf *out);

/* Whether the text is one, or is computed and so not known yet. */
bool parameter_fits(const struct parameter *p, const char *text);
/* Reports at the value's place if not; `of` is "benchmark fio", or NULL for
 * the parameter's own default. */
void parameter_check(struct reading *r, const char *of,
		     const struct parameter *p, const struct variable *given);

#endif
