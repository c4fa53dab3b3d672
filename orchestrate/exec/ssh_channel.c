#include "orchestrate/exec/ssh_channel.h"

#include <libssh2.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/job.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/ssh_config.h"
#include "orchestrate/exec/ssh_session.h"

/* The login shell may be any; the scripts are for sh. */
#define COMMAND "exec sh -s"
#define READ_SIZE 32768
/* A flood must not keep the others waiting. */
#define READS_AT_ONCE 8
/* libssh2 takes no more than this in one call. */
#define WRITE_SIZE 32700
/* An idle channel may be read without offering the host a wider window. */
#define PARKED_WINDOW (LIBSSH2_CHANNEL_WINDOW_DEFAULT / 4 * 3 + 1)

enum channel_state {
	CHANNEL_QUEUED,
	CHANNEL_OPENING,
	CHANNEL_STARTING,
	CHANNEL_RUNNING,
	CHANNEL_FREEING,
	CHANNEL_PARKED, /* over, kept to read what the host says meanwhile */
};

enum op {
	OP_SEND,
	OP_EOF,
	OP_READ_OUT,
	OP_READ_ERR,
	OP_END,
	N_OPS,
};

struct ssh_channel {
	struct ssh_session *s;
	struct ssh_channel *next;
	enum channel_state state;
	enum op op;             /* the one to repeat, as the writer */
	LIBSSH2_CHANNEL *lib;
	struct job *job;        /* NULL: it was told the end */
	bool cancelled;
	bool idle;              /* made to listen only */
	struct timer *deadline;
	const char *script;     /* the job's */
	size_t n_script;
	struct buf more;        /* what was written after it */
	size_t sent;            /* of both */
	bool end_wanted, end_sent;
	bool deaf;              /* takes no more input */
	char *orphan;           /* the script's part that libssh2 still has to
	                         * send when the job is gone already */
};

static void tell_end(struct ssh_channel *c)
{
	struct job *job = c->job;

	timer_cancel(c->deadline);
	c->deadline = NULL;
	c->job = NULL;
	job->priv = NULL;
	job->done(job);
}

static void free_channel(struct ssh_channel *c)
{
	struct ssh_session *s = c->s;
	struct ssh_channel **p;

	for (p = &s->channels; *p != c; p = &(*p)->next)
		;
	*p = c->next;
	if (s->starter == c)
		s->starter = NULL;
	if (s->parked == c)
		s->parked = NULL;
	timer_cancel(c->deadline);
	buf_release(&c->more);
	free(c->orphan);
	free(c);
}

/* Whether the call has to be repeated; as the writer when it sent a part. */
static bool is_blocked(struct ssh_channel *c, int rc)
{
	struct ssh_session *s = c->s;

	if (rc != LIBSSH2_ERROR_EAGAIN)
		return false;
	if (libssh2_session_block_directions(s->lib) &
	    LIBSSH2_SESSION_BLOCK_OUTBOUND)
		s->writer = c;
	return true;
}

static void refuse(struct ssh_channel *c, const char *why)
{
	if (c->job)
		error_set(&c->job->error, ERROR_ENVIRONMENT, "%s: %s",
			  c->s->t->name, why);
}

static void set_state(struct ssh_channel *c, enum channel_state state)
{
	c->state = state;
	c->s->again = true;
}

static void step_opening(struct ssh_channel *c)
{
	struct ssh_session *s = c->s;
	int rc;

	s->writer = NULL;
	c->lib = libssh2_channel_open_session(s->lib);
	if (c->lib) {
		if (c->idle)
			s->starter = NULL;
		set_state(c, c->idle ? CHANNEL_FREEING : CHANNEL_STARTING);
		return;
	}
	rc = libssh2_session_last_errno(s->lib);
	if (is_blocked(c, rc))
		return;
	if (rc != LIBSSH2_ERROR_CHANNEL_FAILURE) {
		ssh_session_fail(s, "opening a channel");
		return;
	}
	s->starter = NULL;
	refuse(c, "sshd refuses another channel: too many commands run there "
		  "at once, or were left behind (MaxSessions in its "
		  "sshd_config)");
	set_state(c, CHANNEL_FREEING);
}

static void step_starting(struct ssh_channel *c)
{
	struct ssh_session *s = c->s;
	int rc;

	s->writer = NULL;
	rc = libssh2_channel_exec(c->lib, COMMAND);
	if (is_blocked(c, rc))
		return;
	s->starter = NULL;
	if (rc == 0) {
		set_state(c, CHANNEL_RUNNING);
	} else if (rc == LIBSSH2_ERROR_CHANNEL_REQUEST_DENIED) {
		refuse(c, "sshd refuses to start a command: look at the "
			  "account's authorized_keys and sshd's log");
		set_state(c, CHANNEL_FREEING);
	} else {
		ssh_session_fail(s, "starting a command");
	}
}

/* The next part of the input that lies in one piece. */
static size_t next_input(const struct ssh_channel *c, const char **data)
{
	size_t n;

	if (c->sent < c->n_script) {
		*data = c->script + c->sent;
		n = c->n_script - c->sent;
	} else {
		*data = c->more.data + (c->sent - c->n_script);
		n = c->n_script + c->more.n - c->sent;
	}
	return n < WRITE_SIZE ? n : WRITE_SIZE;
}

static void op_send(struct ssh_channel *c)
{
	const char *data;
	size_t n;

	while (!c->deaf && (n = next_input(c, &data)) > 0) {
		ssize_t rc = libssh2_channel_write(c->lib, data, n);

		if (rc > 0) {
			c->sent += (size_t)rc;
			continue;
		}
		if (rc == 0 || is_blocked(c, (int)rc))
			return;
		/* It ended before it had read all: that is its affair. */
		if (rc == LIBSSH2_ERROR_CHANNEL_CLOSED ||
		    rc == LIBSSH2_ERROR_CHANNEL_EOF_SENT)
			c->deaf = true;
		else
			ssh_session_fail(c->s, "sending a script");
		return;
	}
}

static void op_eof(struct ssh_channel *c)
{
	const char *data;
	int rc;

	if (c->end_sent || !c->end_wanted || next_input(c, &data))
		return;
	rc = libssh2_channel_send_eof(c->lib);
	if (is_blocked(c, rc))
		return;
	if (rc)
		ssh_session_fail(c->s, "sending a script");
	c->end_sent = true;
}

static void read_stream(struct ssh_channel *c, int stream)
{
	char data[READ_SIZE];
	ssize_t n = 0;

	for (int i = 0; i < READS_AT_ONCE; i++) {
		n = libssh2_channel_read_ex(c->lib, stream, data,
					    sizeof(data));
		if (n <= 0)
			break;
		c->s->again = true;
		if (c->job && !c->cancelled)
			job_keep(c->job, stream == SSH_EXTENDED_DATA_STDERR,
				 data, (size_t)n);
	}
	if (n >= 0 || is_blocked(c, (int)n))
		return;
	if (n != LIBSSH2_ERROR_CHANNEL_CLOSED)
		ssh_session_fail(c->s, "running a command");
}

static void op_read_out(struct ssh_channel *c)
{
	read_stream(c, 0);
}

static void op_read_err(struct ssh_channel *c)
{
	read_stream(c, SSH_EXTENDED_DATA_STDERR);
}

static int signal_number(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} signals[] = {
		{ "ABRT", SIGABRT }, { "ALRM", SIGALRM }, { "FPE", SIGFPE },
		{ "HUP", SIGHUP },   { "ILL", SIGILL },	  { "INT", SIGINT },
		{ "KILL", SIGKILL }, { "PIPE", SIGPIPE }, { "QUIT", SIGQUIT },
		{ "SEGV", SIGSEGV }, { "TERM", SIGTERM }, { "USR1", SIGUSR1 },
		{ "USR2", SIGUSR2 },
	};

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (!strcmp(signals[i].name, name))
			return signals[i].number;
	return 0;
}

static int exit_status(struct ssh_channel *c)
{
	char *name = NULL;
	int status = libssh2_channel_get_exit_status(c->lib);

	libssh2_channel_get_exit_signal(c->lib, &name, NULL, NULL, NULL, NULL,
					NULL);
	if (name)
		status = 128 + signal_number(name);
	libssh2_free(c->s->lib, name);
	return status;
}

static void op_end(struct ssh_channel *c)
{
	int rc;

	if (!libssh2_channel_eof(c->lib))
		return;
	rc = libssh2_channel_wait_closed(c->lib);
	if (is_blocked(c, rc))
		return;
	if (rc) {
		ssh_session_fail(c->s, "running a command");
		return;
	}
	if (c->job && !c->cancelled)
		c->job->exit_status = exit_status(c);
	set_state(c, CHANNEL_FREEING);
}

static void step_running(struct ssh_channel *c)
{
	static void (*const ops[N_OPS])(struct ssh_channel *) = {
		[OP_SEND] = op_send,	     [OP_EOF] = op_eof,
		[OP_READ_OUT] = op_read_out, [OP_READ_ERR] = op_read_err,
		[OP_END] = op_end,
	};
	struct ssh_session *s = c->s;
	enum op op = s->writer == c ? c->op : OP_SEND;

	if (s->writer != c && c->cancelled) {
		set_state(c, CHANNEL_FREEING);
		return;
	}
	s->writer = NULL;
	for (; op < N_OPS; op++) {
		c->op = op;
		ops[op](c);
		if (s->writer || s->state == SESSION_LOST ||
		    c->state != CHANNEL_RUNNING)
			return;
	}
}

/*
 * libssh2 answers the host's keep-alive questions only while some channel is
 * read. Between jobs this one is, though it is closed on both sides.
 */
static bool park(struct ssh_channel *c)
{
	int rc;

	if (c->s->parked || c->cancelled || !c->lib ||
	    libssh2_channel_window_read(c->lib) <= PARKED_WINDOW)
		return false;
	c->s->writer = NULL;
	rc = libssh2_channel_close(c->lib);
	if (is_blocked(c, rc))
		return true;
	set_state(c, CHANNEL_PARKED);
	c->s->parked = c;
	return true;
}

static void step_freeing(struct ssh_channel *c)
{
	struct ssh_session *s = c->s;
	bool parks = park(c);

	if (!parks) {
		s->writer = NULL;
		if (c->lib && !is_blocked(c, libssh2_channel_free(c->lib)))
			c->lib = NULL;
	}
	if (c->job && !c->cancelled)
		tell_end(c);
	if (!parks && !c->lib) {
		s->again = true;
		free_channel(c);
	}
}

static void step_parked(struct ssh_channel *c)
{
	struct ssh_session *s = c->s;
	char byte;
	ssize_t rc;

	s->writer = NULL;
	rc = libssh2_channel_read(c->lib, &byte, 1);
	if (rc < 0 && !is_blocked(c, (int)rc) &&
	    rc != LIBSSH2_ERROR_CHANNEL_CLOSED)
		ssh_session_fail(s, "waiting for work");
}

static void step(struct ssh_channel *c)
{
	struct ssh_session *s = c->s;

	switch (c->state) {
	case CHANNEL_QUEUED:
		if (c->cancelled) {
			set_state(c, CHANNEL_FREEING);
			return;
		}
		if (s->starter)
			return;
		s->starter = c;
		c->state = CHANNEL_OPENING;
		/* fall through */
	case CHANNEL_OPENING:
		step_opening(c);
		break;
	case CHANNEL_STARTING:
		step_starting(c);
		break;
	case CHANNEL_RUNNING:
		step_running(c);
		break;
	case CHANNEL_FREEING:
		step_freeing(c);
		break;
	case CHANNEL_PARKED:
		step_parked(c);
		break;
	}
}

/* Tells the cancelled jobs, whoever is the writer. */
static void tell_cancelled(struct ssh_session *s)
{
	struct ssh_channel *c, *next;

	for (c = s->channels; c; c = next) {
		const char *data;
		size_t n;

		next = c->next;
		if (!c->cancelled || !c->job)
			continue;
		if (s->writer == c && c->state == CHANNEL_RUNNING &&
		    (n = next_input(c, &data)) > 0) {
			c->orphan = mem_alloc(n);
			memcpy(c->orphan, data, n);
			c->script = c->orphan;
			c->n_script = n;
			c->sent = 0;
			buf_clear(&c->more);
		}
		tell_end(c);
		/* the list may have grown at its end */
		next = c->next;
	}
}

void ssh_channels_step(struct ssh_session *s)
{
	struct ssh_channel *c, *next;

	tell_cancelled(s);
	if (s->writer) {
		step(s->writer);
		/* on with the others, unless it is still at it */
		s->again |= !s->writer;
		return;
	}
	for (c = s->channels; c && !s->writer && s->state != SESSION_LOST;
	     c = next) {
		next = c->next;
		step(c);
	}
}

void ssh_channels_end(struct ssh_session *s)
{
	size_t n = 0;

	/* those that the callers bring while they are told come next time */
	for (const struct ssh_channel *c = s->channels; c; c = c->next)
		n++;
	while (n--) {
		struct ssh_channel *c = s->channels;
		struct job *job = c->job;

		if (job && !job->timed_out && job->error.kind == ERROR_NONE)
			job->error = s->error;
		if (job)
			job->exit_status = -1;
		if (c->lib)
			libssh2_channel_free(c->lib);
		c->lib = NULL;
		if (job)
			tell_end(c);
		free_channel(c);
	}
}

static void on_deadline(void *ctx)
{
	struct ssh_channel *c = ctx;

	c->deadline = NULL;
	if (c->cancelled)
		return;
	c->cancelled = true;
	c->job->timed_out = true;
	ssh_session_kick(c->s);
}

static struct ssh_channel *add_channel(struct ssh_session *s)
{
	struct ssh_channel *c = mem_zalloc(1, sizeof(*c));
	struct ssh_channel **p;

	c->s = s;
	buf_init(&c->more);
	for (p = &s->channels; *p; p = &(*p)->next)
		;
	*p = c;
	return c;
}

void ssh_channels_listen(struct ssh_session *s)
{
	if (!s->channels)
		add_channel(s)->idle = true;
}

void ssh_channel_start(struct ssh_session *s, struct job *job)
{
	struct ssh_channel *c = add_channel(s);

	job_begin(job);
	job->priv = c;
	c->job = job;
	c->script = job->script;
	c->n_script = job->n_script;
	c->end_wanted = !job->hold;
	if (job->timeout > 0)
		c->deadline = timer_start(s->loop, job->timeout, on_deadline,
					  c);
	ssh_session_kick(s);
}

void ssh_channel_write(struct ssh_channel *c, const void *data, size_t n)
{
	if (c->end_wanted || c->cancelled)
		return;
	buf_add(&c->more, data, n);
	ssh_session_kick(c->s);
}

void ssh_channel_eof(struct ssh_channel *c)
{
	c->end_wanted = true;
	ssh_session_kick(c->s);
}

void ssh_channel_cancel(struct ssh_channel *c)
{
	if (c->cancelled)
		return;
	c->cancelled = true;
	refuse(c, "the command was cancelled");
	ssh_session_kick(c->s);
}
