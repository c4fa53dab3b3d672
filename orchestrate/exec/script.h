#ifndef EXEC_SCRIPT_H
#define EXEC_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct environment;

/*
 * The POSIX shell text sent to a host on standard input. Needs sh, setsid,
 * grep, sed and coreutils there. A text that is cut off on its way does nothing.
 *
 * A measured run lives in $XDG_CACHE_HOME/assay/<place>/<token> on the
 * host (~/.cache when unset), and talks over its channel so:
 *
 *	host:       "\nassay TOKEN ready\n"
 *	controller: "go\n"        (end of input: nothing is started or left)
 *	host:       "\nassay TOKEN result\n", sizes, files, "\nassay TOKEN end\n"
 *	controller: "forget\n", or "keep ok\n" or "keep REASON\n" when it could not
 *	            record the result: whether the settings were still in effect
 *	            then, for who collects it (end of input: the directory stays)
 *
 * After "go" a detached runner (a session of its own) takes over; the channel
 * blocks on the named pipe `live` that only the runner holds open for
 * writing. That is the run's lock: its reader sees the end when the runner is
 * gone, however it went, without polling and without a process. "go" is sent
 * only by a controller that is alive, so that a script delivered late never
 * starts a command nobody waits for.
 */
struct run_script {
	const char *place;     /* names a directory: letters, digits, dots */
	const char *token;     /* 32 hex digits */
	const struct environment *env;
	const char *body;      /* the benchmark's script */
	double timeout;        /* s, of each execution */
	/* what it is executed inside of, outermost first */
	const struct script_enter *enter;
	size_t n_enter;
	uint32_t warmup;       /* executions before those that are measured */
	uint32_t repeats;      /* measured executions; 0 is 1 */
};

/*
 * How to get inside: a script that runs on the host (in the run's `work`
 * directory), or inside of what was entered before, and gives its standard
 * input to a shell where it leads to. That shell finds there, quoted: the
 * exports of the body's environment and the body, which has an empty standard
 * input as ever. The directory is the one that the shell is started in: what
 * the body writes does not get into `work` unless that is the same.
 */
struct script_enter {
	const struct environment *env;
	const char *body;
};

/* Whether the body is executed once: no warm-up, no repeats. */
bool script_is_single(const struct run_script *run);

/*
 * Starts the run, or waits for it when its directory is already there. $repeat
 * counts the measured executions; it is 0 in a warm-up.
 */
void script_run(struct buf *out, const struct run_script *run);

/*
 * Waits for a run that an earlier controller started, and sends its result:
 * "\nassay TOKEN none\n" when it was never started.
 */
void script_collect(struct buf *out, const char *place, const char *token);

/* Ends a running command (TERM, then KILL after 2 s) and waits for its runner. */
void script_stop(struct buf *out, const char *place, const char *token);

/*
 * Removes what is left of the runs of that place, except the ones
 * that still run.
 */
void script_sweep(struct buf *out, const char *place);

/*
 * One of a treatment's scripts, under a time limit on the host: exit 124 when it
 * did not end in time. $saved is not among its variables: script_with_saved().
 */
void script_treatment(struct buf *out, const struct environment *env,
		      const char *body, double timeout);

/* The verify script with its output on standard error, then, if it succeeds,
 * the show script (may be NULL). */
void script_check(struct buf *out, const struct environment *env,
		  const char *verify, const char *show, double timeout);

/* A script from script_treatment() with $saved set. */
void script_with_saved(struct buf *out, const char *script,
		       const char *saved);

/* Bytes of a command's output kept: first and last. */
#define SCRIPT_OUT_HEAD (1024 * 1024)
#define SCRIPT_ERR_HEAD (64 * 1024)
#define SCRIPT_TAIL (64 * 1024)
/* Enough for all of a result, and for what a login shell says in front. */
#define SCRIPT_RESULT_LIMIT (2 * 1024 * 1024)

#endif
