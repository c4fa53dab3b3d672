#include "orchestrate/schedule/lint_private.h"

#include <stdlib.h>

#include "base/mem.h"
#include "orchestrate/schedule/occurrence.h"

/* A chart, or a table: factors down and across. */
struct drawn {
	const char *what;   /* "chart" */
	const char *name;
	struct mark mark;
	size_t benchmark;
	const size_t *down;
	size_t n_down;
	int across;         /* -1: none */
	const struct condition *where;
	size_t n_where;
};

static size_t count(const struct design *d, const bool *measured,
		    const size_t *factors, size_t n,
		    const struct condition *where, size_t n_where)
{
	struct occurrences o;
	size_t found;

	occurrences_make(&o, d, measured, factors, n, where, n_where);
	found = o.n;
	occurrences_release(&o);
	return found;
}

static void warn(struct lint *l, const struct drawn *d, size_t places,
		 size_t taken)
{
	const char *name = l->e->benchmarks[d->benchmark].name;

	if (!taken)
		lint_warn(l, d->mark,
			  "%s \"%s\": no treatment of benchmark \"%s\" has "
			  "what it fixes: nothing will be shown; fix other "
			  "levels", d->what, d->name, name);
	else if (taken < places - taken)
		lint_warn(l, d->mark,
			  "%s \"%s\": %zu of its %zu places have no treatment "
			  "of benchmark \"%s\": little can be compared in it; "
			  "show %s", d->what, d->name, places - taken, places,
			  name, d->n_where ? "other factors, or fix other "
					     "levels"
					   : "other factors");
}

/* A place is a combination down that there is, at a level across. */
static void lint_drawn(struct lint *l, const struct drawn *d)
{
	const struct design *design = &l->x->design;
	bool *measured = expansion_measures(l->x, d->benchmark);
	size_t n = d->n_down, taken, places;
	size_t *shown = mem_zalloc(n + 1, sizeof(*shown));

	for (size_t i = 0; i < n; i++)
		shown[i] = d->down[i];
	places = count(design, measured, shown, n, NULL, 0);
	if (d->across >= 0) {
		shown[n++] = (size_t)d->across;
		places *= count(design, measured, shown + d->n_down, 1, NULL,
				0);
	}
	taken = count(design, measured, shown, n, d->where, d->n_where);
	/* a benchmark that no matrix makes is another matter */
	if (places)
		warn(l, d, places, taken);
	free(shown);
	free(measured);
}

void lint_drawings(struct lint *l)
{
	for (size_t i = 0; i < l->e->n_charts; i++) {
		const struct chart *c = &l->e->charts[i];
		const struct drawn d = { "chart", c->name, c->mark,
					 c->benchmark, &c->x, 1, c->series,
					 c->where, c->n_where };

		lint_drawn(l, &d);
	}
	for (size_t i = 0; i < l->e->n_tables; i++) {
		const struct table_spec *t = &l->e->tables[i];
		const struct drawn d = { "table", t->name, t->mark,
					 t->benchmark, t->rows, t->n_rows,
					 t->columns, t->where, t->n_where };

		lint_drawn(l, &d);
	}
}
