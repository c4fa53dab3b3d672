#ifndef EXEC_REMOTE_H
#define EXEC_REMOTE_H

#include <stdbool.h>

struct buf;
struct executor;
struct job;
struct remote;

/*
 * One script that runs on a host to its end. done() gets the finished job
 * for the time of the call: job->error or job->timed_out tell that the host
 * was lost.
 */
typedef void remote_done(void *ctx, const struct job *job);

/*
 * Takes the script out of the buffer. `limit` s for the channel as a whole. The
 * handle is good until done() returns.
 */
struct remote *remote_start(struct executor *x, struct buf *script,
			    double limit, remote_done *done, void *ctx);
/* The same, with a mark (struct job), borrowed until done(). */
struct remote *remote_start_marked(struct executor *x, struct buf *script,
				   const char *mark, double limit,
				   remote_done *done, void *ctx);
/* done() follows, from the loop, with an error. */
void remote_cancel(struct remote *r);

/* Whether the host did not answer; then `err` (may be NULL) says how. */
struct error;
bool remote_lost(const struct executor *x, const struct job *job,
		 struct error *err);

/* What a channel may take beyond the limit that the host itself enforces. */
#define REMOTE_GRACE 15.0

#endif
