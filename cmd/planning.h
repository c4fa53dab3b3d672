#ifndef CMD_PLANNING_H
#define CMD_PLANNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/opt.h"
#include "orchestrate/schedule/schedule.h"

struct error;
struct subset;
struct store;
struct subject;

/* Where a seed comes from, for people. */
enum seed_origin {
	SEED_OPTION,   /* --seed */
	SEED_FILE,
	SEED_CAMPAIGN, /* of what is recorded */
	SEED_DRAWN,
};
const char *seed_origin_text(enum seed_origin o);

/*
 * The seed of the order: --seed, else the file's, else the campaign's that goes
 * on, else one drawn now.
 */
uint64_t planning_seed(const struct subject *s,
		       const struct opt_integer *option, bool resumes,
		       enum seed_origin *origin);

/*
 * The order of the runs, and of those what the command line and the profiles
 * in force leave; ERROR_USAGE when they leave none. *subset says what they are
 * narrowed to (NULL: nobody wants to know).
 */
int planning_schedule(struct schedule *schedule, const struct subject *s,
		      uint64_t seed, struct subset *subset, struct error *err);

/* Records the schedule's runs that are not recorded yet as planned. */
int planning_record(struct store *store, int64_t campaign,
		    const struct schedule *schedule, struct error *err);

/* "2 factors, 4 treatments, 2 benchmarks, 40 runs on 2 hosts", and of a part
 * "3 of 40 runs"; appended. */
struct buf;
void planning_counts(struct buf *out, const struct subject *s,
		     const struct schedule *schedule);
/* For each treatment whether the schedule has a run of it; caller frees. */
bool *planning_treatments(const struct schedule *schedule, size_t *n);

/* Hosts of the roles that run benchmarks, services and monitors. */
size_t planning_hosts(const struct experiment *e);

#endif
