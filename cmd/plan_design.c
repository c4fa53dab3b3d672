#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "cmd/plan.h"
#include "cmd/plan_text.h"
#include "cmd/subject.h"
#include "stats/fraction.h"

#define LEVELS_SHOWN 12
#define ALIAS_WORDS 4

const char *plan_design_name(int kind)
{
	switch ((enum design_kind)kind) {
	case DESIGN_FULL_FACTORIAL:
		return "full factorial";
	case DESIGN_ONE_AT_A_TIME:
		return "one factor at a time";
	case DESIGN_FRACTIONAL:
		return "fractional factorial";
	case DESIGN_LATIN_SQUARE:
		return "Latin square";
	case DESIGN_LIST:
		return "list";
	}
	return "";
}

/* A long list keeps its ends. */
static void add_levels(struct buf *out, const struct factor *f)
{
	size_t n = f->n_levels;
	size_t head = n > LEVELS_SHOWN ? LEVELS_SHOWN - 2 : n;

	for (size_t l = 0; l < head; l++)
		buf_addf(out, "%s%s", l ? ", " : ": ", f->levels[l].name);
	if (head < n)
		buf_addf(out, ", ..., %s (%zu levels)", f->levels[n - 1].name,
			 n);
}

/* "(docker by platform/docker)" would be long: only what all have. */
void plan_factors(struct buf *out, const struct plan *p)
{
	const struct experiment *e = &p->subject->experiment;

	for (size_t f = 0; f < e->n_factors; f++) {
		buf_addf(out, "  factor    %s", e->factors[f].name);
		if (e->uses[f].definition)
			buf_addf(out, " (%s)", e->uses[f].definition);
		add_levels(out, &e->factors[f]);
		if (e->factors[f].hard)
			buf_adds(out, "; hard to change");
		buf_addc(out, '\n');
	}
	for (size_t i = 0; i < e->n_setups; i++) {
		buf_addf(out, "  set-up    %s", e->setups[i].name);
		for (size_t k = 0; k < e->setups[i].n_per; k++)
			buf_addf(out, "%s%s", k ? ", " : ", for each ",
				 e->factors[e->setups[i].per[k]].name);
		buf_addc(out, '\n');
	}
}

uint32_t plan_replicates(const struct plan *p, const struct matrix *m)
{
	const struct opt_integer *asked = &p->subject->options->replicates;

	return asked->given && asked->value < m->replicates
		       ? (uint32_t)asked->value
		       : m->replicates;
}

static void add_replicates(struct buf *out, const struct plan *p,
			   const struct matrix *m)
{
	uint32_t n = plan_replicates(p, m);

	buf_addf(out, ", %" PRIu32 " replicate%s", n, n == 1 ? "" : "s");
	if (n < m->replicates)
		buf_addf(out, " of the %" PRIu32 " that the file plans",
			 m->replicates);
	if (m->replicates_max > m->replicates)
		buf_addf(out, " (up to %" PRIu32 ", until %s is known to "
			      "+-%g %%)",
			 m->replicates_max,
			 m->until.response ? m->until.response : "it",
			 m->until.half_width * 100);
}

static void add_blocks(struct buf *out, const struct matrix *m)
{
	switch (m->blocks) {
	case BLOCK_ROUND:
		buf_adds(out, " in rounds");
		return;
	case BLOCK_HOST:
		buf_adds(out, " on every host");
		return;
	case BLOCK_DAY:
		buf_addf(out, ", %" PRIu32 " round%s a day", m->rounds_a_day,
			 m->rounds_a_day == 1 ? "" : "s");
		return;
	}
}

static void add_plots(struct buf *out, const struct experiment *e,
		      const struct matrix *m)
{
	bool any = false;

	for (size_t i = 0; i < m->n_factors; i++) {
		const struct factor *f = &e->factors[m->factors[i]];

		if (!f->hard)
			continue;
		buf_addf(out, "%s%s", any ? ", " : "; whole plots by ",
			 f->name);
		any = true;
	}
}

static size_t *count_runs(const struct plan *p)
{
	const struct schedule *s = &p->schedule;
	size_t *n = mem_zalloc(p->subject->experiment.n_matrices + 1,
			       sizeof(*n));

	for (size_t i = 0; i < s->n_runs; i++)
		n[s->runs[i].matrix]++;
	return n;
}

static void add_matrix(struct buf *out, const struct plan *p, size_t i,
		       size_t n_runs)
{
	const struct experiment *e = &p->subject->experiment;
	const struct matrix *m = &e->matrices[i];
	size_t n = p->subject->expansion.shares[i].n_treatments;

	buf_addf(out, "%s", plan_design_name(m->kind));
	if (*m->name)
		buf_addf(out, " of %zu factor%s, %zu treatment%s, %zu "
			      "benchmark%s, %zu run%s",
			 m->n_factors, m->n_factors == 1 ? "" : "s", n,
			 n == 1 ? "" : "s", m->n_benchmarks,
			 m->n_benchmarks == 1 ? "" : "s", n_runs,
			 n_runs == 1 ? "" : "s");
	add_replicates(out, p, m);
	add_blocks(out, m);
	add_plots(out, e, m);
}

static void add_excluded(struct buf *out, const struct plan *p)
{
	size_t n = p->subject->expansion.n_excluded;

	if (n == SIZE_MAX)
		buf_adds(out, "  excluded  more combinations than can be "
			      "counted\n");
	else if (n)
		buf_addf(out, "  excluded  %zu combination%s\n", n,
			 n == 1 ? "" : "s");
}

void plan_designs(struct buf *out, const struct plan *p)
{
	const struct experiment *e = &p->subject->experiment;
	size_t *n = count_runs(p);

	for (size_t i = 0; i < e->n_matrices; i++) {
		if (*e->matrices[i].name)
			buf_addf(out, "  matrix    %s: ", e->matrices[i].name);
		else
			buf_adds(out, "  design    ");
		add_matrix(out, p, i, n[i]);
		buf_addc(out, '\n');
	}
	add_excluded(out, p);
	free(n);
}

static void add_chains(struct buf *out, const struct fraction *f)
{
	struct alias_table t;
	bool any = false;

	alias_table_make(&t, f, ALIAS_ORDER, ALIAS_ORDER);
	for (size_t i = 0; i < t.n; i++) {
		if (t.chains[i].n < 2)
			continue;
		buf_adds(out, "  ");
		alias_chain_add(f, &t.chains[i], out);
		buf_addc(out, '\n');
	}
	for (size_t i = 0; i < t.n; i++) {
		if (t.chains[i].n > 1)
			continue;
		buf_adds(out, any ? ", " : "  clear of one another: ");
		fraction_add_word(f, t.chains[i].effects[0], out);
		any = true;
	}
	if (any)
		buf_addc(out, '\n');
	alias_table_release(&t);
}

/* What cannot be told apart, for whoever reads the plan before the runs. */
void plan_aliases(struct buf *out, const struct plan *p)
{
	const struct experiment *e = &p->subject->experiment;

	for (size_t i = 0; i < e->n_matrices; i++) {
		const struct matrix *m = &e->matrices[i];
		struct error ignored = ERROR_INIT;
		struct fraction f;

		if (m->kind != DESIGN_FRACTIONAL)
			continue;
		if (!expansion_fraction(&p->subject->expansion, i, &f,
					&ignored)) {
			buf_adds(out, "\neffects that cannot be told apart");
			if (*m->name)
				buf_addf(out, " in %s", m->name);
			buf_adds(out, " (resolution ");
			fraction_add_resolution(f.resolution, out);
			buf_adds(out, "; ");
			fraction_add_relation(&f, ALIAS_WORDS, out);
			buf_adds(out, "):\n");
			add_chains(out, &f);
		}
		fraction_release(&f);
	}
}
