#include "orchestrate/exec/pool_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/exec/executor.h"
#include "orchestrate/exec/extract.h"
#include "orchestrate/exec/loop.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/store/store_campaign.h"
#include "orchestrate/store/store_place.h"
#include "orchestrate/store/store_state.h"

static void tell(struct pool *p, struct pool_event *event)
{
	event->done = p->done;
	event->total = p->o.n_runs;
	if (p->o.on_event)
		p->o.on_event(p->o.ctx, event);
}

void pool_event(struct pool *p, enum pool_event_kind kind, const char *host,
		const char *text)
{
	struct pool_event event = { .kind = kind, .host = host,
				    .text = text };

	tell(p, &event);
}

void pool_run_event(struct site *s, enum pool_event_kind kind,
		    const char *run_key, enum outcome outcome,
		    const char *text)
{
	struct pool_event event = { .kind = kind, .host = s->name,
				    .run_key = run_key, .outcome = outcome,
				    .text = text };

	tell(s->pool, &event);
}

void pool_fault(struct pool *p, const char *host, const struct error *err)
{
	/* the user knows why nothing works any more */
	if (p->interrupts >= 3)
		return;
	if (p->n_errors++ == 0) {
		p->err = *err;
		p->err.kind = ERROR_ENVIRONMENT;
	}
	pool_event(p, POOL_WARNING, host, err->text);
}

static const char *resource_of(const struct site *s)
{
	return s->pool->o.experiment->hosts[s->host].shares;
}

static bool is_taken(const struct site *s)
{
	const char *resource = resource_of(s);

	for (size_t i = 0; resource && i < s->pool->n_sites; i++) {
		const struct site *other = &s->pool->sites[i];

		if (other != s && other->holding && resource_of(other) &&
		    strcmp(resource_of(other), resource) == 0)
			return true;
	}
	return false;
}

void pool_acquire(struct site *s, void (*granted)(struct site *site))
{
	if (!s->holding && is_taken(s)) {
		s->ticket = ++s->pool->tickets;
		s->granted = granted;
		return;
	}
	s->holding = true;
	granted(s);
}

void pool_release(struct site *s)
{
	struct site *next = NULL;

	s->ticket = 0;
	if (!s->holding)
		return;
	s->holding = false;
	for (size_t i = 0; i < s->pool->n_sites; i++) {
		struct site *other = &s->pool->sites[i];

		if (other->ticket && !is_taken(other) &&
		    (!next || other->ticket < next->ticket))
			next = other;
	}
	if (!next)
		return;
	next->ticket = 0;
	next->holding = true;
	next->granted(next);
}

static void on_interrupt(void *ctx, int count)
{
	struct pool *p = ctx;

	p->interrupts = count;
	p->no_more = true;
	p->summary.interrupted = true;
	if (count == 1)
		pool_event(p, POOL_STOPPING, NULL, "the running commands are "
			   "finished, then the hosts are put back; again to "
			   "stop the commands");
	else if (count == 2)
		pool_event(p, POOL_STOPPING, NULL, "the running commands are "
			   "stopped, then the hosts are put back; again to "
			   "leave at once");
	else
		pool_event(p, POOL_STOPPING, NULL, "leaving at once; what is "
			   "changed on the hosts is put back by `assay "
			   "restore`");
	for (size_t i = 0; i < p->n_sites; i++)
		site_interrupt(&p->sites[i], count);
}

static int compile_extractors(struct pool *p, struct error *err)
{
	const struct experiment *e = p->o.experiment;

	p->extractors = mem_zalloc(e->n_benchmarks + 1,
				   sizeof(*p->extractors));
	for (size_t b = 0; b < e->n_benchmarks; b++) {
		const struct benchmark *bench = &e->benchmarks[b];

		p->extractors[b] = mem_zalloc(bench->n_responses + 1,
					      sizeof(**p->extractors));
		for (size_t r = 0; r < bench->n_responses; r++) {
			const struct response *response = &bench->responses[r];

			p->extractors[b][r] = extractor_new(
				response->kind, response->pattern, err);
			if (!p->extractors[b][r])
				return error_context(err, "%s: response '%s'",
						     bench->name,
						     response->name);
		}
	}
	return 0;
}

static void release_extractors(struct pool *p)
{
	const struct experiment *e = p->o.experiment;

	for (size_t b = 0; p->extractors && b < e->n_benchmarks; b++) {
		for (size_t r = 0; p->extractors[b] &&
				   r < e->benchmarks[b].n_responses; r++)
			extractor_free(p->extractors[b][r]);
		free(p->extractors[b]);
	}
	free(p->extractors);
}

static size_t count_runs(const struct pool *p, size_t host)
{
	size_t n = 0;

	for (size_t i = 0; i < p->o.n_runs; i++)
		n += p->o.schedule->runs[p->o.runs[i]].host == host;
	return n;
}

static size_t count_open(const struct pool *p, const char *host)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_open; i++)
		n += strcmp(p->open[i].host, host) == 0;
	return n;
}

/* Whether an earlier controller left settings on the host. */
static int count_pending(struct pool *p, const char *host, size_t *n,
			 struct error *err)
{
	struct saved_state *states = NULL;

	if (store_state_pending(p->o.store, host, &states, n, err))
		return -1;
	saved_states_free(states, *n);
	return 0;
}

/* Whether directories of runs may be left on the host. */
static int count_places(struct pool *p, const char *host, size_t *n,
			struct error *err)
{
	struct left_place *places = NULL;

	if (store_places_left(p->o.store, host, &places, n, err))
		return -1;
	left_places_free(places, *n);
	return 0;
}

/* Of this campaign, to be collected; or of those that were left, whose
 * commands would go on beside what is measured now. */
static void take_open(struct site *s, struct pool *p, bool left)
{
	for (size_t i = 0; i < p->n_open; i++)
		if (strcmp(p->open[i].host, s->name) == 0 &&
		    (p->open[i].campaign != p->o.campaign) == left)
			s->open[s->n_open++] = &p->open[i];
}

static void fill_site(struct site *s, struct pool *p, size_t host,
		      size_t n_runs, size_t n_open)
{
	site_init(s, p, host);
	s->runs = mem_zalloc(n_runs + 1, sizeof(*s->runs));
	s->collected = mem_zalloc(n_runs + 1, sizeof(*s->collected));
	s->unable = mem_zalloc(n_runs + 1, sizeof(*s->unable));
	s->open = mem_zalloc(n_open + 1, sizeof(*s->open));
	for (size_t i = 0; i < p->o.n_runs; i++)
		if (p->o.schedule->runs[p->o.runs[i]].host == host)
			s->runs[s->n_runs++] = p->o.runs[i];
	take_open(s, p, true);
	take_open(s, p, false);
}

/* A site for every host that has anything to do. */
static int make_sites(struct pool *p, struct error *err)
{
	const struct experiment *e = p->o.experiment;

	p->sites = mem_zalloc(e->n_hosts + 1, sizeof(*p->sites));
	for (size_t h = 0; h < e->n_hosts; h++) {
		const char *name = e->hosts[h].name;
		size_t runs = count_runs(p, h), open = count_open(p, name);
		size_t pending, places;

		if (count_pending(p, name, &pending, err) ||
		    count_places(p, name, &places, err))
			return -1;
		if (runs || open || pending || places)
			fill_site(&p->sites[p->n_sites++], p, h, runs, open);
	}
	return 0;
}

static int prepare(struct pool *p, struct error *err)
{
	struct campaign c = { .id = 0 };
	char id[24];

	snprintf(id, sizeof(id), "%" PRId64, p->o.campaign);
	if (store_campaign_find(p->o.store, id, &c, err))
		return -1;
	p->uuid = mem_strdup(c.uuid);
	campaign_release(&c);
	if (compile_extractors(p, err) ||
	    store_attempts_open(p->o.store, 0, &p->open, &p->n_open, err))
		return -1;
	return make_sites(p, err);
}

static void release(struct pool *p)
{
	for (size_t i = 0; i < p->n_sites; i++) {
		struct site *s = &p->sites[i];

		if (s->executor)
			s->executor->ops->close(s->executor, NULL, NULL);
	}
	loop_run(p->loop);
	for (size_t i = 0; i < p->n_sites; i++)
		site_release(&p->sites[i]);
	free(p->sites);
	release_extractors(p);
	open_attempts_free(p->open, p->n_open);
	free(p->uuid);
	loop_free(p->loop);
}

static int conclude(const struct pool *p, struct error *err)
{
	if (p->interrupts >= 3)
		return error_set(err, ERROR_INTERRUPTED, "left at once; %zu "
				 "settings are still changed on the hosts: run "
				 "`assay restore`", p->summary.unrestored);
	if (p->n_errors == 0)
		return 0;
	*err = p->err;
	if (p->n_errors > 1)
		error_set(err, p->err.kind, "%s (and %zu more)", p->err.text,
			  p->n_errors - 1);
	return -1;
}

int pool_run(const struct pool_options *o, struct pool_summary *out,
	     struct error *err)
{
	struct pool p = { .o = *o };
	int result;

	memset(out, 0, sizeof(*out));
	p.loop = loop_new();
	result = prepare(&p, err);
	if (result == 0) {
		loop_on_interrupt(p.loop, on_interrupt, &p);
		for (size_t i = 0; i < p.n_sites; i++)
			site_start(&p.sites[i]);
		loop_run(p.loop);
		loop_on_interrupt(p.loop, NULL, NULL);
		*out = p.summary;
		result = conclude(&p, err);
	}
	release(&p);
	return result;
}
