#ifndef EXEC_EXECUTOR_H
#define EXEC_EXECUTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"

struct executor;
struct host;
struct loop;

/*
 * One script sent to a host in one channel: `sh -s` with `script` on standard
 * input. The caller owns the job, fills the first part, and keeps it alive
 * until done() is called: exactly once, from the loop, never from within
 * start().
 */
struct job {
	/* set by the caller */
	const char *script;     /* bytes for standard input */
	size_t n_script;
	const char *mark;       /* argument of the shell, a plain word by which
	                         * others find it on the host; NULL = none */
	bool hold;              /* keep standard input open after the script;
	                         * job_write() may send more; job_eof() ends */
	size_t limit;           /* bytes of stdout (and of stderr) kept; more is
	                         * read and dropped, with a flag */
	double timeout;         /* s for the channel as a whole; 0 = none */
	void (*on_output)(struct job *job); /* may be NULL: out grew */
	void (*done)(struct job *job);
	void *ctx;
	/* the result */
	struct buf out, err;
	bool out_truncated, err_truncated;
	int exit_status;        /* 128 + signal; -1 when there is none */
	bool timed_out;         /* then error stays NONE, exit_status -1 */
	struct error error;     /* kind != NONE: the channel or host failed
	                         * (ERROR_ENVIRONMENT), result incomplete */
	/* the executor's own */
	void *priv;
};

void job_init(struct job *job);
void job_release(struct job *job);

struct executor_ops {
	const char *name;
	/* Connects; connected(ctx, err) is called once, err->kind NONE =
	 * ready. Closing before that calls it with an error, from within
	 * close. After a lost connection it may be called again. */
	void (*connect)(struct executor *x,
			void (*connected)(void *ctx, const struct error *err),
			void *ctx);
	/* Starts a job; several may be under way at once. */
	void (*start)(struct executor *x, struct job *job);
	void (*write)(struct executor *x, struct job *job, const void *data,
		      size_t n);
	void (*eof)(struct executor *x, struct job *job);
	/* Gives up waiting: the channel is closed and done() called with an
	 * error, from the loop. Nothing when the job is over. Locally the
	 * process group is killed; over SSH what runs there only loses its
	 * standard input and output. */
	void (*cancel)(struct executor *x, struct job *job);
	/* Ends all jobs with an error, closes, frees; closed(ctx) from the
	 * loop, may be NULL. */
	void (*close)(struct executor *x, void (*closed)(void *ctx), void *ctx);
};

struct executor {
	const struct executor_ops *ops;
	struct loop *loop;
	const struct host *host; /* borrowed */
};

/*
 * The executor for a host: "local" when host->local, else "ssh". `dir` is the
 * experiment's directory: relative key, known_hosts and config paths start
 * there. An open session keeps the loop running: close it, or loop_stop().
 */
struct executor *executor_new(struct loop *loop, const struct host *host,
			      const char *dir);

extern const struct executor_ops executor_local_ops;
extern const struct executor_ops executor_ssh_ops;
struct executor *executor_local_new(struct loop *loop,
				    const struct host *host, const char *dir);
struct executor *executor_ssh_new(struct loop *loop, const struct host *host,
				  const char *dir);

#endif
