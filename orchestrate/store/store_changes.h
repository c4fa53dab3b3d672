#ifndef STORE_CHANGES_H
#define STORE_CHANGES_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct store;

/*
 * What it took to put a factor's (or set-up's) level into effect, read back
 * what was found included, and to put it back, as recorded: medians over all
 * levels and hosts of a campaign.
 */
struct change_time {
	char *factor;
	double apply;    /* s */
	size_t n_apply;
	double revert;   /* s; 0 without a record */
	size_t n_revert;
};

/*
 * By name of factor, those with at least one n_apply. Only what one
 * controller did in one go counts: the time between an event of a host and
 * the next is the setting's when that is all that happened in between.
 */
int store_change_times(struct store *s, int64_t campaign,
		       struct change_time **out, size_t *n,
		       struct error *err);
void change_times_free(struct change_time *times, size_t n);

#endif
