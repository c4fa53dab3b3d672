#ifndef CMD_PLAN_TEXT_H
#define CMD_PLAN_TEXT_H

#include <stddef.h>

#include "cmd/planning.h"
#include "orchestrate/schedule/schedule.h"

struct buf;
struct subject;
struct tally;

/* What `assay plan` and `assay run --dry-run` show. */
struct plan {
	const struct subject *subject;
	struct schedule schedule;
	enum seed_origin origin;
	bool resumes;         /* the newest campaign goes on */
	bool recorded_other;  /* there is one, but of another recipe */
	const struct tally *tally;
};

void plan_text(struct buf *out, const struct plan *p, size_t limit);
void plan_json(struct buf *out, const struct plan *p);

#endif
