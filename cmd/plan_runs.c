#include <stdlib.h>

#include "base/buf.h"
#include "base/strlist.h"
#include "cmd/plan.h"
#include "cmd/plan_hosts.h"
#include "cmd/plan_text.h"
#include "cmd/plan_walk.h"
#include "cmd/subject.h"
#include "plot/table/table.h"

const char *plan_level(const struct plan *p, size_t treatment, size_t factor)
{
	const struct design *d = p->schedule.design;
	size_t level = design_level(d, treatment, factor);

	return level == DESIGN_ABSENT ? NULL
				      : d->factors[factor].levels[level].name;
}

static void add_treatment(struct table *t, const struct plan *p, size_t i)
{
	const struct design *d = p->schedule.design;
	struct buf number = BUF_INIT;
	size_t row = table_row(t);

	buf_addf(&number, "%zu", i + 1);
	table_set(t, row, 0, number.data);
	for (size_t f = 0; f < d->n_factors; f++) {
		const char *level = plan_level(p, i, f);

		table_set(t, row, f + 1, level ? level : "-");
	}
	buf_release(&number);
}

/* Of what is planned: narrowing leaves some treatments without a run. */
void plan_treatments(struct buf *out, const struct plan *p, size_t limit)
{
	const struct design *d = p->schedule.design;
	struct table t;
	size_t n;
	bool *used;

	if (!limit || !d->n_factors)
		return;
	used = planning_treatments(&p->schedule, &n);
	table_init(&t, NULL);
	table_column(&t, "treatment", TABLE_RIGHT, true);
	for (size_t f = 0; f < d->n_factors; f++)
		table_column(&t, d->factors[f].name, TABLE_LEFT, false);
	for (size_t i = 0; i < d->n_treatments && t.n_rows < limit; i++)
		if (used[i])
			add_treatment(&t, p, i);
	buf_addc(out, '\n');
	table_write_text(&t, 0, out);
	if (t.n_rows < n)
		buf_addf(out, "... and %zu more treatment%s (--all)\n",
			 n - t.n_rows, n - t.n_rows == 1 ? "" : "s");
	table_release(&t);
	free(used);
}

/* Which columns there is something to say in. */
struct columns {
	struct table table;
	int matrix, block, plot, host, with, key, changes, recorded;
};

static int add_column(struct columns *c, const char *name,
		      enum table_align align, bool wanted)
{
	if (!wanted)
		return -1;
	table_column(&c->table, name, align, false);
	return (int)c->table.n_columns - 1;
}

/* Whether hosts of other roles take part in any run. */
static bool have_partners(const struct plan *p)
{
	const struct experiment *e = &p->subject->experiment;
	struct plan_hosts h;
	bool possible = false, found = false;

	plan_hosts_init(&h, &p->schedule);
	for (size_t b = 0; b < e->n_benchmarks; b++)
		possible |= h.partners.needed[b];
	for (size_t i = 0; possible && i < p->schedule.n_runs && !found; i++) {
		plan_hosts_find(&h, i);
		found = h.n > 1;
	}
	plan_hosts_release(&h);
	return found;
}

static void columns_init(struct columns *c, const struct plan *p,
			 const struct walk *w)
{
	const struct experiment *e = &p->subject->experiment;
	bool plots = false;

	for (size_t m = 0; m < e->n_matrices; m++)
		plots = plots || w->has_plots[m];
	table_init(&c->table, NULL);
	table_column(&c->table, "run", TABLE_RIGHT, true);
	c->matrix = add_column(c, "matrix", TABLE_LEFT, e->n_matrices > 1);
	c->block = add_column(c, "block", TABLE_LEFT, true);
	c->plot = add_column(c, "plot", TABLE_RIGHT, plots);
	c->host = add_column(c, "host", TABLE_LEFT, true);
	c->with = add_column(c, "with", TABLE_LEFT, have_partners(p));
	c->key = add_column(c, "key", TABLE_LEFT, true);
	c->changes = add_column(c, "changes", TABLE_LEFT, e->n_layers);
	c->recorded = add_column(c, "recorded", TABLE_LEFT, true);
}

static void set(struct columns *c, size_t row, int column, const char *text)
{
	if (column >= 0)
		table_set(&c->table, row, (size_t)column, text);
}

static void set_number(struct columns *c, size_t row, int column, size_t n)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%zu", n);
	set(c, row, column, text.data);
	buf_release(&text);
}

static void set_changes(struct columns *c, size_t row, const struct walk *w,
			const struct walk_step *step)
{
	struct strlist names = STRLIST_INIT;
	struct buf text = BUF_INIT;

	walk_changes(w, step, &names);
	for (size_t i = 0; i < names.n; i++)
		buf_addf(&text, "%s%s", i ? ", " : "", names.items[i]);
	set(c, row, c->changes, text.data);
	buf_release(&text);
	strlist_release(&names);
}

/* Where a matrix, a block or a whole plot begins it is said; below, the place is
 * left blank, so that what belongs together is seen. */
static void set_place(struct columns *c, size_t row, const struct plan *p,
		      const struct walk *w, const struct walk_step *step,
		      const struct run *before)
{
	const struct experiment *e = &p->subject->experiment;
	const struct run *run = step->run;
	struct buf text = BUF_INIT;

	if (!before || before->matrix != run->matrix)
		set(c, row, c->matrix, e->matrices[run->matrix].name);
	if (!before || before->matrix != run->matrix ||
	    before->block != run->block) {
		walk_block(w, run, &text);
		set(c, row, c->block, text.data);
	}
	if (step->begins_plot)
		set_number(c, row, c->plot, step->plot);
	buf_release(&text);
}

static void set_hosts(struct columns *c, size_t row,
		      const struct plan_hosts *hosts)
{
	struct buf text = BUF_INIT;

	plan_hosts_own(hosts, &text);
	set(c, row, c->host, text.data);
	buf_clear(&text);
	plan_hosts_others(hosts, &text);
	set(c, row, c->with, text.data);
	buf_release(&text);
}

static void set_run(struct columns *c, size_t row, const struct plan *p,
		    size_t i)
{
	const struct schedule *s = &p->schedule;
	const struct run_status_row *known;
	struct buf key = BUF_INIT;

	set_number(c, row, 0, s->runs[i].position);
	schedule_run_key(s, i, &key);
	set(c, row, c->key, key.data);
	known = tally_row(&p->tally, key.data);
	if (tally_is_settled(known))
		set(c, row, c->recorded, tally_outcome_text(known->outcome));
	else if (s->runs[i].optional)
		set(c, row, c->recorded, "if needed");
	buf_release(&key);
}

void plan_runs(struct buf *out, const struct plan *p, size_t limit)
{
	const struct schedule *s = &p->schedule;
	size_t n = limit < s->n_runs ? limit : s->n_runs;
	struct plan_hosts hosts;
	struct columns c;
	struct walk w;

	walk_init(&w, s);
	plan_hosts_init(&hosts, s);
	columns_init(&c, p, &w);
	for (size_t i = 0; i < n; i++) {
		size_t row = table_row(&c.table);
		struct walk_step step;

		walk_next(&w, i, &step);
		set_run(&c, row, p, i);
		plan_hosts_find(&hosts, i);
		set_hosts(&c, row, &hosts);
		set_place(&c, row, p, &w, &step,
			  i ? &s->runs[i - 1] : NULL);
		set_changes(&c, row, &w, &step);
	}
	if (n) {
		buf_addc(out, '\n');
		table_write_text(&c.table, 0, out);
	}
	if (n < s->n_runs)
		buf_addf(out, "... and %zu more (--all)\n", s->n_runs - n);
	table_release(&c.table);
	plan_hosts_release(&hosts);
	walk_release(&w);
}
