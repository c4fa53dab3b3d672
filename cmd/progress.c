#include "cmd/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "cmd/print.h"
#include "cmd/tally.h"
#include "orchestrate/exec/pool.h"

#define BAR_WIDTH 20

void progress_init(struct progress *p, bool quiet)
{
	const char *term = getenv("TERM");

	*p = (struct progress){ .quiet = quiet };
	p->terminal = !quiet && isatty(STDERR_FILENO) && term &&
		      strcmp(term, "dumb") != 0;
	p->started = clock_monotonic_ns();
}

static struct progress_host *host_of(struct progress *p, const char *name)
{
	for (size_t i = 0; i < p->n_hosts; i++)
		if (!strcmp(p->hosts[i].name, name))
			return &p->hosts[i];
	MEM_GROW(p->hosts, p->n_hosts, p->cap_hosts);
	p->hosts[p->n_hosts] =
		(struct progress_host){ .name = mem_strdup(name) };
	return &p->hosts[p->n_hosts++];
}

static void set_run(struct progress *p, const char *host, const char *run)
{
	struct progress_host *h = host_of(p, host);

	free(h->run);
	h->run = mem_strdup(run);
}

/* Nothing is known until a run has ended. */
static void add_eta(const struct progress *p, struct buf *out)
{
	char text[CLOCK_TEXT_SIZE];
	int64_t passed = clock_monotonic_ns() - p->started;

	if (!p->ended || p->done >= p->total)
		return;
	buf_addf(out, "  about %s left",
		 clock_duration((int64_t)((double)passed / (double)p->ended *
					  (double)(p->total - p->done)),
				text));
}

static void add_bar(const struct progress *p, struct buf *out)
{
	size_t filled = p->total ? p->done * BAR_WIDTH / p->total : 0;

	buf_addc(out, '[');
	for (size_t i = 0; i < BAR_WIDTH; i++)
		buf_addc(out, i < filled ? '#' : '.');
	buf_addf(out, "] %zu/%zu", p->done, p->total);
	if (p->bad)
		buf_addf(out, "  %zu bad", p->bad);
	add_eta(p, out);
	for (size_t i = 0; i < p->n_hosts; i++)
		if (p->hosts[i].run)
			buf_addf(out, "  %s: %s", p->hosts[i].name,
				 p->hosts[i].run);
}

static void clear_line(const struct progress *p)
{
	if (p->terminal)
		fputs("\r\033[K", stderr);
}

/* Keys are ASCII and host names short: bytes are columns but for the label. */
static void draw(const struct progress *p)
{
	struct buf line = BUF_INIT;
	int width = print_width(STDERR_FILENO);

	if (!p->terminal)
		return;
	add_bar(p, &line);
	if (width > 1 && line.n >= (size_t)width)
		line.n = (size_t)width - 1;
	fprintf(stderr, "\r\033[K%.*s", (int)line.n, line.data);
	fflush(stderr);
	buf_release(&line);
}

static void say(const struct progress *p, const char *host, const char *what,
		const char *text)
{
	clear_line(p);
	print_note("%s%s%s%s%s", host ? host : "", host ? ": " : "", what,
		   text && *what ? ": " : "", text ? text : "");
}

static void say_run_end(struct progress *p, const struct pool_event *e)
{
	bool bad = e->outcome != OUTCOME_OK;

	p->ended++;
	p->bad += bad;
	set_run(p, e->host, NULL);
	if (!bad && (p->terminal || p->quiet))
		return;
	clear_line(p);
	print_note("%zu/%zu %s: %s: %s%s%s", e->done, e->total, e->host,
		   e->run_key, tally_outcome_text(e->outcome),
		   e->text ? ": " : "", e->text ? e->text : "");
}

/* What a session that was killed has left of a run. */
static void say_collected(const struct progress *p, const struct pool_event *e)
{
	clear_line(p);
	if (outcome_settles(e->outcome))
		print_note("%s: %s: collected from an earlier session: %s%s%s",
			   e->host, e->run_key, tally_outcome_text(e->outcome),
			   e->text ? ": " : "", e->text ? e->text : "");
	else
		print_note("%s: %s: begun by an earlier session, but its "
			   "result is gone%s%s%s; made again", e->host,
			   e->run_key, e->text ? " (" : "",
			   e->text ? e->text : "", e->text ? ")" : "");
}

/* Most faults name their host. */
static bool names_host(const char *text, const char *host)
{
	size_t n = strlen(host);

	if (!strncmp(text, "host ", 5))
		text += 5;
	return !strncmp(text, host, n) && strchr(": ", text[n]);
}

static void say_warning(struct progress *p, const struct pool_event *e)
{
	const char *host = e->host;

	if (!host || strlist_has(&p->connected, host))
		p->n_faults++;
	else if (!strlist_has(&p->unreached, host))
		strlist_push(&p->unreached, host);
	say(p, host && !names_host(e->text, host) ? host : NULL, "warning",
	    e->text);
}

void progress_conclude(const struct progress *p, struct error *err)
{
	struct buf names = BUF_INIT;
	size_t n = p->unreached.n;

	/* what else went wrong is more than that */
	if (!n || p->n_faults || err->kind != ERROR_ENVIRONMENT)
		return;
	for (size_t i = 0; i < n; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", p->unreached.items[i]);
	error_set(err, ERROR_ENVIRONMENT,
		  "%zu host%s could not be reached (%s): see above", n,
		  n == 1 ? "" : "s", names.data);
	buf_release(&names);
}

static void say_run_start(struct progress *p, const struct pool_event *e)
{
	set_run(p, e->host, e->run_key);
	if (!p->terminal && !p->quiet)
		print_note("%zu/%zu %s: %s: started", e->done, e->total,
			   e->host, e->run_key);
}

void progress_event(void *progress, const struct pool_event *e)
{
	struct progress *p = progress;

	p->done = e->total ? e->done : p->done;
	p->total = e->total ? e->total : p->total;
	switch (e->kind) {
	case POOL_CONNECTED:
		strlist_push(&p->connected, e->host);
		if (!p->terminal && !p->quiet)
			say(p, e->host, "connected", NULL);
		break;
	case POOL_RESTORED:
		say(p, e->host, "put back", e->text);
		break;
	case POOL_COLLECTED:
		say_collected(p, e);
		break;
	case POOL_RUN_START:
		say_run_start(p, e);
		break;
	case POOL_RUN_END:
		say_run_end(p, e);
		break;
	case POOL_STOPPING:
		say(p, NULL, "", e->text);
		break;
	case POOL_WARNING:
		say_warning(p, e);
		break;
	}
	draw(p);
}

void progress_release(struct progress *p)
{
	clear_line(p);
	for (size_t i = 0; i < p->n_hosts; i++) {
		free(p->hosts[i].name);
		free(p->hosts[i].run);
	}
	free(p->hosts);
	strlist_release(&p->connected);
	strlist_release(&p->unreached);
	p->hosts = NULL;
	p->n_hosts = p->cap_hosts = 0;
}
