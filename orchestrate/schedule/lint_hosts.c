#include "orchestrate/schedule/lint_private.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

/* Which hosts each level of a factor is measured on, for one benchmark. */
struct table {
	bool *on;       /* n_levels x n_hosts */
	bool *seen;     /* n_levels */
	size_t n_levels, n_hosts;
};

static void fill(struct table *t, const struct lint *l, size_t benchmark,
		 size_t factor)
{
	const struct design *d = &l->x->design;

	t->n_levels = l->e->factors[factor].n_levels;
	t->n_hosts = l->e->n_hosts;
	t->on = mem_zalloc(t->n_levels * t->n_hosts, sizeof(*t->on));
	t->seen = mem_zalloc(t->n_levels, sizeof(*t->seen));
	for (size_t i = 0; i < l->s->n_runs; i++) {
		const struct run *r = &l->s->runs[i];
		size_t level;

		if (r->matrix != l->matrix || r->benchmark != benchmark)
			continue;
		level = d->cells[r->treatment * d->n_factors + factor];
		if (level == DESIGN_ABSENT)
			continue;
		t->seen[level] = true;
		t->on[level * t->n_hosts + r->host] = true;
	}
}

static bool same_hosts(const struct table *t, size_t a, size_t b)
{
	return !memcmp(t->on + a * t->n_hosts, t->on + b * t->n_hosts,
		       t->n_hosts * sizeof(*t->on));
}

/* Two levels that are on different hosts: the first, and the first that
 * differs from it. */
static bool find_difference(const struct table *t, size_t *a, size_t *b)
{
	*a = 0;
	while (*a < t->n_levels && !t->seen[*a])
		++*a;
	for (*b = *a + 1; *b < t->n_levels; ++*b)
		if (t->seen[*b] && !same_hosts(t, *a, *b))
			return true;
	return false;
}

static void add_hosts(struct buf *out, const struct lint *l,
		      const struct table *t, size_t level)
{
	const char *separator = "";

	for (size_t h = 0; h < t->n_hosts; h++) {
		if (!t->on[level * t->n_hosts + h])
			continue;
		buf_addf(out, "%s%s", separator, l->e->hosts[h].name);
		separator = ", ";
	}
}

static void lint_factor(struct lint *l, size_t benchmark, size_t factor)
{
	const struct factor *f = &l->e->factors[factor];
	struct table t;
	size_t a, b;

	fill(&t, l, benchmark, factor);
	if (find_difference(&t, &a, &b)) {
		struct buf text = BUF_INIT;

		buf_addf(&text, "%s on ", f->levels[a].name);
		add_hosts(&text, l, &t, a);
		buf_addf(&text, ", %s on ", f->levels[b].name);
		add_hosts(&text, l, &t, b);
		lint_warn_matrix(
			l, l->e->benchmarks[benchmark].mark,
			"benchmark \"%s\" measures the levels of \"%s\" on "
			"different hosts (%s): what differs between the hosts "
			"is taken for an effect of the factor; give the roles "
			"the same hosts",
			l->e->benchmarks[benchmark].name, f->name, text.data);
		buf_release(&text);
	}
	free(t.on);
	free(t.seen);
}

/* All treatments of a round are on one host, except where the role depends on
 * a level or a square has hosts: only these are looked into. */
void lint_hosts(struct lint *l)
{
	const struct latin *square = &l->m->latin;
	bool latin = l->m->kind == DESIGN_LATIN_SQUARE &&
		     (square->rows == LATIN_HOST ||
		      square->columns == LATIN_HOST);

	for (size_t i = 0; i < l->m->n_benchmarks; i++) {
		size_t b = l->m->benchmarks[i];

		if (!latin && !l->e->benchmarks[b].role_by)
			continue;
		for (size_t f = 0; f < l->e->n_factors; f++)
			lint_factor(l, b, f);
	}
}
