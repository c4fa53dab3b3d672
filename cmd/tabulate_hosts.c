#include <assert.h>
#include <string.h>

#include "base/strlist.h"
#include "cmd/subject.h"
#include "cmd/tabulate.h"
#include "orchestrate/store/store_query.h"
#include "plot/table/table.h"

static size_t index_of(const struct strlist *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->items[i], name))
			return i;
	assert(!"a name that was just listed");
	return 0;
}

/* A host that does not tell a fact has an empty cell. */
static void fill(struct table *t, const struct host_fact_row *facts, size_t n)
{
	struct strlist hosts = STRLIST_INIT, keys = STRLIST_INIT;

	table_column(t, "fact", TABLE_LEFT, true);
	for (size_t i = 0; i < n; i++) {
		if (!strlist_has(&keys, facts[i].key))
			strlist_push(&keys, facts[i].key);
		if (strlist_has(&hosts, facts[i].host))
			continue;
		strlist_push(&hosts, facts[i].host);
		table_column(t, facts[i].host, TABLE_LEFT, false);
	}
	for (size_t i = 0; i < keys.n; i++)
		table_set(t, table_row(t), 0, keys.items[i]);
	for (size_t i = 0; i < n; i++)
		table_set(t, index_of(&keys, facts[i].key),
			  1 + index_of(&hosts, facts[i].host), facts[i].value);
	strlist_release(&hosts);
	strlist_release(&keys);
}

int tabulate_host_facts(struct table *t, const struct subject *s,
			struct error *err)
{
	struct host_fact_row *facts = NULL;
	size_t n = 0;

	table_init(t, "Hosts");
	if (store_host_facts(s->store, s->campaign.id, &facts, &n, err))
		return -1;
	fill(t, facts, n);
	host_facts_free(facts, n);
	return 0;
}
