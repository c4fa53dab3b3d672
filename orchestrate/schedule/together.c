#include "orchestrate/schedule/together.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/experiment.h"

void together_init(struct together *t, const struct experiment *e)
{
	t->n = e->n_hosts;
	t->parent = mem_realloc(NULL, t->n + 1, sizeof(*t->parent));
	for (size_t h = 0; h < t->n; h++)
		t->parent[h] = h;
	for (size_t h = 0; h < t->n; h++)
		for (size_t i = 0; i < h && e->hosts[h].shares; i++)
			if (e->hosts[i].shares &&
			    !strcmp(e->hosts[i].shares, e->hosts[h].shares))
				together_join(t, i, h);
}

void together_release(struct together *t)
{
	free(t->parent);
	memset(t, 0, sizeof(*t));
}

size_t together_group(struct together *t, size_t host)
{
	while (t->parent[host] != host) {
		t->parent[host] = t->parent[t->parent[host]];
		host = t->parent[host];
	}
	return host;
}

void together_join(struct together *t, size_t a, size_t b)
{
	t->parent[together_group(t, b)] = together_group(t, a);
}
