#include "orchestrate/schedule/role_choice.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/experiment.h"

size_t schedule_role(const struct schedule *s, size_t run)
{
	const struct run *r = &s->runs[run];

	return role_choose(&s->choices[r->benchmark], s->design, r->treatment);
}

static size_t place_in_pool(const struct role *pool, size_t host)
{
	size_t i = 0;

	while (i < pool->n_hosts && pool->hosts[i] != host)
		i++;
	return i;
}

/* How many hosts after the first it is: rounds so far, or what makes the
 * benchmark's own role come to run.host. */
static size_t turn_of(const struct schedule *s, size_t run)
{
	const struct experiment *e = s->experiment;
	const struct run *r = &s->runs[run];
	const struct matrix *m = &e->matrices[r->matrix];
	size_t own = schedule_role(s, run);
	const struct role *pool = &e->roles[own];
	size_t first = s->first[r->matrix * e->n_roles + own];

	if (m->kind != DESIGN_LATIN_SQUARE ||
	    (m->latin.rows != LATIN_HOST && m->latin.columns != LATIN_HOST))
		return r->replicate - 1;
	return (place_in_pool(pool, r->host) + pool->n_hosts - first) %
	       pool->n_hosts;
}

size_t schedule_hosts(const struct schedule *s, size_t run, const char *role,
		      size_t count, size_t *out)
{
	const struct experiment *e = s->experiment;
	uint32_t index = role_index(e, role);
	const struct role *pool;
	size_t at;

	if (index == ROLE_NONE || !e->roles[index].n_hosts)
		return 0;
	pool = &e->roles[index];
	at = s->first[s->runs[run].matrix * e->n_roles + index] +
	     turn_of(s, run);
	if (!count)
		count = 1;
	if (count > pool->n_hosts)
		count = pool->n_hosts;
	for (size_t i = 0; i < count; i++)
		out[i] = pool->hosts[(at + i) % pool->n_hosts];
	return count;
}
