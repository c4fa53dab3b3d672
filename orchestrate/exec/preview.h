#ifndef EXEC_PREVIEW_H
#define EXEC_PREVIEW_H

#include <stddef.h>

struct buf;
struct error;
struct experiment;
struct schedule;

/* What stands in for what is known only when the run is made. */
#define PREVIEW_CAMPAIGN "CAMPAIGN"
#define PREVIEW_TOKEN "TOKEN"
#define PREVIEW_SAVED "SAVED"

/*
 * The very scripts that a run (an index into the schedule) sends when nothing
 * is in effect yet, in order, each under a line such as
 *
 *	# host sut: apply storage=zvol
 *
 * For each layer of the stack save, apply and verify (with show); the measured
 * run; verify again; then from the top revert, and save once more, which has to
 * print what it printed before. What other hosts have to do at the same time,
 * and no run can do yet, is a line without a script. The three words above stand in the place of the
 * campaign's directory, the run's token and what `save` printed. Between other
 * runs of a campaign only what differs is sent. ERROR_USAGE when a value cannot
 * be computed.
 */
int preview_run(struct buf *out, const struct experiment *e,
		const struct schedule *s, size_t run, struct error *err);

#endif
