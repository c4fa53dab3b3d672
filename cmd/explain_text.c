#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/explain.h"
#include "cmd/plan.h"
#include "cmd/plan_text.h"
#include "cmd/subject.h"
#include "orchestrate/spec/benchmark.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/treatment_def.h"
#include "plot/table/table.h"

static void add_line(struct buf *out, const char *what)
{
	buf_addf(out, "  %-10s ", what);
}

static void add_position(struct buf *out, const struct explanation *x)
{
	const struct schedule *s = &x->plan->schedule;

	add_line(out, "run");
	buf_addf(out, "%" PRIu32 " of %zu, ", x->step.run->position,
		 s->n_planned);
	walk_block(&x->walk, x->step.run, out);
	if (x->step.plot)
		buf_addf(out, ", whole plot %zu on its host", x->step.plot);
	if (x->step.run->optional)
		buf_adds(out, ", made only when it is needed");
	buf_addc(out, '\n');
	if (x->plan->origin == SEED_DRAWN) {
		add_line(out, "");
		buf_adds(out, "number and host change with every plan: the "
			      "file has no seed, and no campaign has begun\n");
	}
}

static void add_role(struct buf *out, const struct explanation *x,
		     const struct role_hosts *r)
{
	const struct experiment *e = x->plan->schedule.experiment;
	const struct role *role = &e->roles[r->role];

	for (size_t i = 0; i < r->n; i++) {
		const struct host *h = &e->hosts[r->hosts[i]];

		add_line(out, "host");
		buf_addf(out, "%s (role %s", h->name, role->name);
		if (r->n > 1)
			buf_addf(out, ", %zu of its %zu hosts", r->n,
				 role->n_hosts);
		buf_adds(out, "), ");
		explain_place(out, x, h->mark);
		buf_addc(out, '\n');
	}
}

static void add_hosts(struct buf *out, const struct explanation *x)
{
	for (size_t i = 0; i < x->hosts.n; i++)
		add_role(out, x, &x->hosts.roles[i]);
}

static void add_benchmark(struct buf *out, const struct explanation *x)
{
	const struct experiment *e = x->plan->schedule.experiment;
	const struct benchmark *b = &e->benchmarks[x->step.run->benchmark];
	struct mark at = b->script_mark;

	add_line(out, "benchmark");
	buf_adds(out, b->name);
	if (b->definition)
		buf_addf(out, " (%s)", b->definition);
	buf_adds(out, ", ");
	explain_place(out, x, b->mark);
	buf_addc(out, '\n');
	benchmark_script(e, b, x->step.levels, x->step.run->host, &at);
	add_line(out, "script");
	explain_place(out, x, at);
	buf_addc(out, '\n');
}

static void add_parts(struct buf *out, const struct explanation *x)
{
	const struct experiment *e = x->plan->schedule.experiment;
	const struct benchmark *b = &e->benchmarks[x->step.run->benchmark];

	for (size_t i = 0; i < b->n_services; i++) {
		const char *role = service_role(e, &b->services[i],
						x->step.levels);

		add_line(out, "service");
		buf_addf(out, "%s on role %s, ", b->services[i].name,
			 role ? role : "-");
		explain_place(out, x, b->services[i].mark);
		buf_addc(out, '\n');
	}
	for (size_t i = 0; i < b->n_monitors; i++) {
		const char *role = monitor_role(e, &b->monitors[i],
						x->step.levels);

		add_line(out, "monitor");
		buf_addf(out, "%s on role %s, ", b->monitors[i].name,
			 role ? role : "-");
		explain_place(out, x, b->monitors[i].mark);
		buf_addc(out, '\n');
	}
}

static void add_recorded(struct buf *out, const struct explanation *x)
{
	struct buf key = BUF_INIT;
	const struct run_status_row *row;

	schedule_run_key(&x->plan->schedule, x->run, &key);
	row = tally_row(&x->plan->tally, key.data);
	add_line(out, "recorded");
	buf_addf(out, "%s\n", tally_is_settled(row)
				      ? tally_outcome_text(row->outcome)
				      : "no");
	buf_release(&key);
}

static void add_head(struct buf *out, const struct explanation *x)
{
	const struct schedule *s = &x->plan->schedule;
	const struct experiment *e = s->experiment;
	const struct matrix *m = &e->matrices[x->step.run->matrix];

	schedule_run_key(s, x->run, out);
	buf_addc(out, '\n');
	add_position(out, x);
	if (*m->name) {
		add_line(out, "matrix");
		buf_addf(out, "%s, ", m->name);
		explain_place(out, x, m->mark);
		buf_addc(out, '\n');
	}
	add_hosts(out, x);
	add_benchmark(out, x);
	add_parts(out, x);
	add_recorded(out, x);
}

static void set_place(struct table *t, const struct explanation *x,
		      size_t row, size_t column, struct mark at)
{
	struct buf text = BUF_INIT;

	explain_place(&text, x, at);
	table_set(t, row, column, text.data);
	buf_release(&text);
}

static void add_layer(struct table *t, const struct explanation *x,
		      size_t layer)
{
	const struct experiment *e = x->plan->schedule.experiment;
	const struct treatment_use *use =
		layer_treatment(e, layer, x->step.levels);
	struct buf level = BUF_INIT;
	size_t row;

	if (!use || !use->def)
		return;
	row = table_row(t);
	layer_level(e, layer, x->step.levels, &level);
	table_set(t, row, 0, layer_name(e, layer));
	table_set(t, row, 1, level.data);
	table_set(t, row, 2, use->def->name);
	set_place(t, x, row, 3, use->def->mark);
	buf_release(&level);
}

static void add_stack(struct buf *out, const struct explanation *x)
{
	const struct experiment *e = x->plan->schedule.experiment;
	struct table t;

	table_init(&t, NULL);
	table_column(&t, "setting", TABLE_LEFT, true);
	table_column(&t, "level", TABLE_LEFT, false);
	table_column(&t, "definition", TABLE_LEFT, false);
	table_column(&t, "where", TABLE_LEFT, false);
	for (size_t l = 0; l < e->n_layers; l++)
		add_layer(&t, x, l);
	if (t.n_rows) {
		buf_adds(out, "\nput into effect, from the first to the "
			      "last:\n");
		table_write_text(&t, 0, out);
	}
	table_release(&t);
}

static void add_binding(struct table *t, const struct explanation *x,
			const struct binding *b, bool hidden)
{
	size_t row = table_row(t);
	char *name = hidden ? mem_strdup("  hides") : mem_strdup(b->name);

	table_set(t, row, 0, name);
	table_set(t, row, 1, b->value);
	table_set(t, row, 2, binding_layer_name(b->layer));
	set_place(t, x, row, 3, b->mark);
	table_set(t, row, 4, b->source ? b->source : "");
	free(name);
}

/* The winner, then what it hides, nearest first. */
static void add_chain(struct table *t, const struct explanation *x,
		      const struct binding *winner)
{
	const struct bindings *all = &x->bindings;

	add_binding(t, x, winner, false);
	for (size_t i = all->n; i > 0; i--) {
		const struct binding *b = &all->items[i - 1];

		if (b != winner && !strcmp(b->name, winner->name))
			add_binding(t, x, b, true);
	}
}

static void add_variables(struct buf *out, const struct explanation *x,
			  const struct binding *only)
{
	const struct bindings *all = &x->bindings;
	struct table t;

	table_init(&t, NULL);
	table_column(&t, "variable", TABLE_LEFT, true);
	table_column(&t, "value", TABLE_LEFT, false);
	table_column(&t, "set by", TABLE_LEFT, false);
	table_column(&t, "where", TABLE_LEFT, false);
	table_column(&t, "as written", TABLE_LEFT, false);
	for (size_t i = all->n; i > 0; i--) {
		const struct binding *b = &all->items[i - 1];

		if (b == bindings_find(all, b->name) && (!only || b == only))
			add_chain(&t, x, b);
	}
	if (!only)
		buf_addc(out, '\n');
	table_write_text(&t, 0, out);
	table_release(&t);
}

int explain_text(struct buf *out, const struct explanation *x,
		 const char *key, struct error *err)
{
	const struct binding *only = NULL;

	if (key) {
		only = explain_find(x, key, err);
		if (!only)
			return -1;
	} else {
		add_head(out, x);
		add_stack(out, x);
	}
	add_variables(out, x, only);
	return 0;
}
