#ifndef CMD_PLAN_DIFF_H
#define CMD_PLAN_DIFF_H

#include <stddef.h>

#include "base/map.h"
#include "base/strlist.h"

struct buf;
struct error;
struct plan;

/* Of runs, by what the record knows of them. */
struct diff_counts {
	size_t recorded; /* asked for, and there */
	size_t missing;  /* planned before as well, and not there yet */
	size_t added;    /* asked for now */
	size_t gone;     /* there, and no longer asked for */
};

/* A plan beside what is recorded. */
struct diff {
	const struct plan *plan;
	struct diff_counts total;
	struct diff_level {
		char *factor, *level;
		struct diff_counts counts;
	} *levels; /* in the file's order; then those it no longer has, by
		    * number */
	size_t n_levels, cap_levels;
	struct strlist missing, added, gone; /* keys */
	struct map by_name;      /* "factor=level" -> 1 + its number */
};

/* After plan_count(). A campaign of another recipe is looked at all the
 * same, although none of its runs would be used. */
int diff_make(struct diff *d, const struct plan *p, struct error *err);
void diff_release(struct diff *d);

/* At most `limit` runs of each kind. */
void diff_text(struct buf *out, const struct diff *d, size_t limit);
void diff_json(struct buf *out, const struct diff *d);

#endif
