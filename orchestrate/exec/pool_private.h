#ifndef EXEC_POOL_PRIVATE_H
#define EXEC_POOL_PRIVATE_H

/* For pool.c, which owns the sites and decides among them, site.c, which
 * takes one host through its runs, and site_prepare.c, which gets a host ready. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "orchestrate/exec/attempt.h"
#include "orchestrate/exec/hostfacts.h"
#include "orchestrate/exec/pool.h"

struct pool;
struct restore;
struct remote;
struct sweep;

/* One host and what it has to do now. */
struct site {
	struct pool *pool;
	size_t host;             /* index in the experiment */
	const char *name;
	struct executor *executor; /* NULL once it is closed */
	struct stack *stack;
	char *target;
	char *place;             /* its directory's name on the host */
	char *mark;              /* of its settings' scripts */
	char *left_place;        /* of the campaign being stopped */
	size_t *runs;            /* indexes in the schedule, in order */
	size_t n_runs;
	size_t next;
	bool *collected;         /* n_runs entries: settled by collecting */
	bool *unable;            /* n_runs entries: something is missing */
	struct open_attempt **open; /* borrowed; other campaigns' first */
	size_t n_open;
	size_t next_open;
	struct saved_state *states; /* what an earlier controller left */
	size_t n_states;
	struct hostfacts facts;
	/* under way, at most one of them */
	struct attempt *attempt;
	size_t run;              /* the attempt's; (size_t)-1 = unknown */
	struct remote *remote;
	struct restore *restore;
	struct sweep *sweep;
	bool connecting;
	bool reverting;
	bool unclean;  /* something on the host must stay for the next session */
	bool broken;   /* no more runs */
	bool lost;     /* the host does not answer */
	/* the resource it shares with others */
	bool holding;
	uint64_t ticket;         /* > 0: waiting for it */
	void (*granted)(struct site *site);
};

struct pool {
	struct pool_options o;
	struct loop *loop;
	char *uuid;
	struct extractor ***extractors;
	struct open_attempt *open;
	size_t n_open;
	struct site *sites;
	size_t n_sites;
	uint64_t tickets;
	size_t done;     /* runs that have ended */
	int interrupts;
	bool no_more;    /* no new runs: interrupted, or the store failed */
	struct pool_summary summary;
	struct error err; /* the first that will make pool_run() fail */
	size_t n_errors;
};

void pool_event(struct pool *p, enum pool_event_kind kind, const char *host,
		const char *text);
void pool_run_event(struct site *s, enum pool_event_kind kind,
		    const char *run_key, enum outcome outcome,
		    const char *text);
/* A fault that ends a host's work (or all work): tells it, keeps the first. */
void pool_fault(struct pool *p, const char *host, const struct error *err);

/* Calls granted(site) once no other host that shares the site's resource
 * holds it: now, or later. */
void pool_acquire(struct site *s, void (*granted)(struct site *site));
void pool_release(struct site *s);

void site_init(struct site *s, struct pool *p, size_t host);
void site_release(struct site *s);
void site_start(struct site *s);
/* The host is ready, or `broken`. */
void site_ready(struct site *s);
/* It does not answer any more. */
void site_lose(struct site *s, const struct error *err);
/* What Ctrl-C does for the `count`th time. */
void site_interrupt(struct site *s, int count);

/* Facts, collecting, restoring; ends in site_ready() or site_lose(). */
void site_prepare(struct site *s);

/* Common to runs made and collected. */
void site_attempt_options(struct site *s, struct attempt_options *o,
			  void (*done)(void *ctx,
				       const struct attempt_report *report));
void site_count(struct site *s, enum outcome outcome);
/* False when the host (or the store) can do no more: then it is wound up. */
bool site_go_on(struct site *s, const struct attempt_report *report);

#endif
