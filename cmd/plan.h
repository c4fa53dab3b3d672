#ifndef CMD_PLAN_H
#define CMD_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/forecast.h"
#include "cmd/planning.h"
#include "cmd/tally.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/store/store_subset.h"

struct error;
struct opt_integer;
struct subject;

/* What `assay plan` and `assay run --dry-run` show. */
struct plan {
	struct subject *subject;
	struct schedule schedule; /* narrowed */
	struct subset subset;
	enum seed_origin origin;
	bool resumes;         /* the newest campaign goes on */
	bool recorded_other;  /* there is one, but of another recipe */
	/* by plan_count() */
	struct tally tally;
	struct forecast forecast;
};

/* The runs in their order: all that the first line needs. The subject's store
 * is open, if there is one. 2 when a role's `count` is wrong: it is told then. To
 * be released in every case. */
int plan_begin(struct plan *p, struct subject *s,
	       const struct opt_integer *seed, bool fresh, struct error *err);
/* How far they are, and what the rest takes. */
int plan_count(struct plan *p, struct error *err);
void plan_release(struct plan *p);

#endif
