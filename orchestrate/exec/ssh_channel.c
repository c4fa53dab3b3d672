#include "orchestrate/exec/ssh_channel.h"

#include <libssh2.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/job.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/exec/ssh_config.h"
#include "orchestrate/exec/ssh_exit.h"
#include "orchestrate/exec/ssh_input.h"
#include "orchestrate/exec/ssh_session.h"

/* The login shell may be any; the scripts are for sh. */
#define COMMAND "exec sh -s"
#define READ_SIZE 32768
/* A flood must not keep the others waiting. */
#define READS_AT_ONCE 8
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

struct ssh_channel {
	struct ssh_session *s;
	struct ssh_channel *next;
	enum channel_state state;
	LIBSSH2_CHANNEL *lib;
	struct job *job;        /* NULL: it was told the end */
	struct buf command;
	bool cancelled;
	bool idle;              /* made to listen only */
	struct timer *deadline;
	struct ssh_input input;
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
	buf_release(&c->input.more);
	buf_release(&c->command);
	free(c);
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

	c->lib = libssh2_channel_open_session(s->lib);
	if (c->lib) {
		if (c->idle)
			s->starter = NULL;
		set_state(c, c->idle ? CHANNEL_FREEING : CHANNEL_STARTING);
		return;
	}
	rc = libssh2_session_last_errno(s->lib);
	if (rc == LIBSSH2_ERROR_EAGAIN)
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

	rc = libssh2_channel_exec(c->lib, c->command.data);
	if (rc == LIBSSH2_ERROR_EAGAIN)
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
	if (n >= 0 || n == LIBSSH2_ERROR_EAGAIN)
		return;
	if (n != LIBSSH2_ERROR_CHANNEL_CLOSED)
		ssh_session_fail(c->s, "running a command");
}

static void look_for_end(struct ssh_channel *c)
{
	int rc;

	if (!libssh2_channel_eof(c->lib))
		return;
	rc = libssh2_channel_wait_closed(c->lib);
	if (rc == LIBSSH2_ERROR_EAGAIN)
		return;
	if (rc) {
		ssh_session_fail(c->s, "running a command");
		return;
	}
	if (c->job && !c->cancelled)
		c->job->exit_status = ssh_exit_status(c->s->lib, c->lib);
	set_state(c, CHANNEL_FREEING);
}

static void step_running(struct ssh_channel *c)
{
	if (c->cancelled) {
		set_state(c, CHANNEL_FREEING);
		return;
	}
	if (ssh_input_send(&c->input, c->s, c->lib))
		ssh_session_fail(c->s, "sending a script");
	read_stream(c, 0);
	read_stream(c, SSH_EXTENDED_DATA_STDERR);
	if (c->s->state != SESSION_LOST)
		look_for_end(c);
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
	rc = libssh2_channel_close(c->lib);
	if (rc == LIBSSH2_ERROR_EAGAIN)
		return true;
	set_state(c, CHANNEL_PARKED);
	c->s->parked = c;
	return true;
}

static void step_freeing(struct ssh_channel *c)
{
	struct ssh_session *s = c->s;
	bool parks = park(c);

	if (!parks && c->lib &&
	    libssh2_channel_free(c->lib) != LIBSSH2_ERROR_EAGAIN)
		c->lib = NULL;
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

	rc = libssh2_channel_read(c->lib, &byte, 1);
	if (rc < 0 && rc != LIBSSH2_ERROR_EAGAIN &&
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

void ssh_channels_step(struct ssh_session *s)
{
	struct ssh_channel *c, *next;

	for (c = s->channels; c && s->state != SESSION_LOST; c = next) {
		if (c->cancelled && c->job)
			tell_end(c);
		/* what was told may have added channels at the end */
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
	buf_init(&c->input.more);
	buf_init(&c->command);
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
	buf_adds(&c->command, COMMAND);
	if (job->mark)
		buf_addf(&c->command, " %s", job->mark);
	c->job = job;
	c->input.script = job->script;
	c->input.n_script = job->n_script;
	c->input.end_wanted = !job->hold;
	if (job->timeout > 0)
		c->deadline = timer_start(s->loop, job->timeout, on_deadline,
					  c);
	ssh_session_kick(s);
}

void ssh_channel_write(struct ssh_channel *c, const void *data, size_t n)
{
	if (c->input.end_wanted || c->cancelled)
		return;
	buf_add(&c->input.more, data, n);
	ssh_session_kick(c->s);
}

void ssh_channel_eof(struct ssh_channel *c)
{
	c->input.end_wanted = true;
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
