#ifndef CMD_STATUS_TEXT_H
#define CMD_STATUS_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "orchestrate/store/store_subset.h"

struct buf;
struct campaign_row;
struct saved_state;
struct strlist;
struct subject;
struct tally;

/* What `assay status` shows. */
struct status {
	const struct subject *subject;
	const struct tally *tally;
	const struct strlist *subsets; /* subset_lines() */
	struct subset subset;          /* that is asked about */
	size_t n_runs, n_planned;      /* in it, and in the whole plan */
	const size_t *times_lost; /* for each row of the tally */
	struct saved_state *pending;
	size_t n_pending;
	const struct campaign_row *campaigns; /* of the store */
	size_t n_campaigns;
	bool same_recipe;  /* the file still says what was measured */
};

void status_text(struct buf *out, const struct status *s);
/* At most `limit` of the runs that gave no result or were lost, with
 * reasons. */
void status_failed(struct buf *out, const struct status *s, size_t limit);
void status_json(struct buf *out, const struct status *s);

#endif
