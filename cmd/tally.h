#ifndef CMD_TALLY_H
#define CMD_TALLY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"
#include "orchestrate/store/store_query.h"

struct error;
struct schedule;
struct subject;

#define TALLY_OUTCOMES (OUTCOME_STOPPED + 1)

/* How far the scheduled runs are. */
struct tally {
	struct run_status_row *rows; /* everything planned in the campaign */
	size_t n_rows;
	bool *scheduled;             /* for each row: it is asked for */
	bool narrowed;               /* a part of the plan is asked for */
	struct map by_key;
	struct tally_counts {
		size_t planned;
		size_t by_outcome[TALLY_OUTCOMES]; /* of settled runs */
		size_t n_again;                    /* settled twice or more */
		size_t missing;                    /* not settled yet */
		size_t lost; /* of the missing: the last try had no end */
	} *benchmarks, total;        /* of the schedule */
	/* recorded rows that the file no longer asks for (not looked for when
	 * narrowed): */
	size_t n_foreign;            /* their treatment is gone */
	size_t n_beyond;             /* more replicates of a treatment */
};

/* Without a campaign, everything is missing. */
int tally_make(struct tally *t, const struct subject *s,
	       const struct schedule *schedule, struct error *err);
void tally_release(struct tally *t);

/* Whether the run of that key is settled; NULL when it is not recorded. */
const struct run_status_row *tally_row(const struct tally *t, const char *key);
bool tally_is_settled(const struct run_status_row *row);
bool tally_is_lost(const struct run_status_row *row);

/* failed, timed out or invalid */
size_t tally_bad(const struct tally_counts *c);
/* "39 ok, 1 failed", "none"; appended. */
struct buf;
void tally_outcomes(struct buf *out, const struct tally_counts *c);

/* A sentence for each kind of surplus that there is, without full stop: what
 * the file, or the part of it that profiles and tags chose, does not ask for. */
struct strlist;
void tally_surplus(struct strlist *out, const struct subject *s,
		   size_t n_foreign, size_t n_beyond);

/* That so many runs were made again: a sentence without full stop. */
char *tally_again(size_t n);

/* The outcome in the words of a sentence: "timed out". */
const char *tally_outcome_text(enum outcome o);

#endif
