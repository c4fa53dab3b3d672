#include "cmd/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
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
		if (!p->terminal && !p->quiet)
			say(p, e->host, "connected", NULL);
		break;
	case POOL_RESTORED:
		say(p, e->host, "put back", e->text);
		break;
	case POOL_COLLECTED:
		say(p, e->host, "collected from an earlier session",
		    e->run_key);
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
		say(p, e->host, "warning", e->text);
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
	p->hosts = NULL;
	p->n_hosts = p->cap_hosts = 0;
}
