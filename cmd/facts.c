#include "cmd/facts.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "cmd/print.h"
#include "orchestrate/exec/hostfacts.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/facts.h"
#include "orchestrate/store/store.h"
#include "orchestrate/store/store_campaign.h"
#include "orchestrate/store/store_query.h"

static void push(struct facts *f, const char *host, const char *key,
		 const char *value)
{
	strlist_push(&f->hosts, host);
	strlist_push(&f->keys, key);
	strlist_push(&f->values, value);
}

void facts_recorded(struct facts *f, const char *path)
{
	struct error ignored = ERROR_INIT;
	struct campaign campaign = { .id = 0 };
	struct host_fact_row *rows = NULL;
	struct store *store = NULL;
	size_t n = 0;

	if (path_exists(path) &&
	    !store_open(&store, path, STORE_READ, &ignored) &&
	    !store_campaign_latest(store, &campaign, &ignored) &&
	    !store_host_facts(store, campaign.id, &rows, &n, &ignored))
		for (size_t i = 0; i < n; i++)
			push(f, rows[i].host, rows[i].key, rows[i].value);
	host_facts_free(rows, n);
	campaign_release(&campaign);
	store_close(store);
}

static const char *get(void *ctx, const char *host, const char *key)
{
	const struct facts *f = ctx;

	for (size_t i = 0; i < f->hosts.n; i++)
		if (!strcmp(f->hosts.items[i], host) &&
		    !strcmp(f->keys.items[i], key))
			return f->values.items[i];
	return NULL;
}

struct fact_source facts_source(const struct facts *f)
{
	return (struct fact_source){ get, (void *)(uintptr_t)f };
}

static bool lacks(const struct facts *f, const struct experiment *e,
		  const char *host)
{
	for (size_t i = 0; i < e->n_facts; i++)
		if (!strcmp(e->facts[i].host, host) &&
		    !get((void *)(uintptr_t)f, host,
			 fact_key(e->facts[i].fact)))
			return true;
	return false;
}

int facts_ask(struct facts *f, const struct experiment *e, struct error *err)
{
	for (size_t h = 0; h < e->n_hosts; h++) {
		struct hostfacts said;

		if (!lacks(f, e, e->hosts[h].name))
			continue;
		print_note("%s: asked what it is", e->hosts[h].name);
		if (hostfacts_ask(e, h, &said, err))
			return -1;
		for (size_t i = 0; i < said.keys.n; i++)
			push(f, e->hosts[h].name, said.keys.items[i],
			     said.values.items[i]);
		hostfacts_release(&said);
	}
	return 0;
}

void facts_release(struct facts *f)
{
	strlist_release(&f->hosts);
	strlist_release(&f->keys);
	strlist_release(&f->values);
}

bool facts_are_missing(const struct experiment *e)
{
	for (size_t i = 0; i < e->n_facts; i++)
		if (!e->facts[i].known)
			return true;
	return false;
}

char *facts_missing_text(const struct experiment *e)
{
	struct buf text = BUF_INIT;
	size_t n = 0;

	buf_adds(&text, "what is measured depends on ");
	for (size_t i = 0; i < e->n_facts; i++) {
		if (e->facts[i].known)
			continue;
		buf_addf(&text, "%s%s of %s", n++ ? ", " : "",
			 e->facts[i].fact, e->facts[i].host);
	}
	buf_addf(&text, ", which %s not known yet", n == 1 ? "is" : "are");
	return buf_detach(&text);
}
