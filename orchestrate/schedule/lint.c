#include "orchestrate/schedule/lint.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "orchestrate/schedule/lint_private.h"
#include "orchestrate/schedule/role_choice.h"
#include "orchestrate/schedule/rounds.h"

static void warn(struct lint *l, struct mark at, const char *matrix,
		 const char *fmt, va_list ap)
{
	struct buf text = BUF_INIT;

	buf_addf(&text, "%s:%u:%u: ", at.file ? at.file : l->e->path, at.line,
		 at.column);
	if (matrix)
		buf_addf(&text, "matrix \"%s\": ", matrix);
	buf_vaddf(&text, fmt, ap);
	if (!strlist_has(l->warnings, text.data))
		strlist_push(l->warnings, text.data);
	buf_release(&text);
}

void lint_warn(struct lint *l, struct mark at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	warn(l, at, NULL, fmt, ap);
	va_end(ap);
}

void lint_warn_matrix(struct lint *l, struct mark at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	warn(l, at, l->e->n_matrices > 1 ? l->m->name : NULL, fmt, ap);
	va_end(ap);
}

static bool same_place(struct mark a, struct mark b)
{
	return a.file == b.file && a.line == b.line && a.column == b.column;
}

/* Whether another matrix was written there too. */
static bool is_shared(const struct lint *l, struct mark at)
{
	for (size_t i = 0; i < l->e->n_matrices; i++) {
		const struct matrix *m = &l->e->matrices[i];

		if (i != l->matrix && (same_place(at, m->replicates_mark) ||
				       same_place(at, m->mark)))
			return true;
	}
	return false;
}

/* Of what is written: said once when several matrices share it. */
static void warn_written(struct lint *l, struct mark at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void warn_written(struct lint *l, struct mark at, const char *fmt, ...)
{
	bool named = l->e->n_matrices > 1 && !is_shared(l, at);
	va_list ap;

	va_start(ap, fmt);
	warn(l, at, named ? l->m->name : NULL, fmt, ap);
	va_end(ap);
}

struct mark lint_mark(const struct lint *l, struct mark a, struct mark b)
{
	if (a.line)
		return a;
	if (b.line)
		return b;
	return (struct mark){ .file = l->e->path, .line = 1, .column = 1 };
}

size_t *lint_count(const struct lint *l, size_t factor)
{
	size_t n_levels = l->e->factors[factor].n_levels;
	size_t *count = mem_zalloc(n_levels + 1, sizeof(*count));

	for (size_t i = 0; i < l->n; i++) {
		size_t level = lint_level(l, i, factor);

		count[level == DESIGN_ABSENT ? n_levels : level]++;
	}
	return count;
}

size_t lint_occurring(const struct lint *l, const size_t *count, size_t factor)
{
	size_t n = 0;

	for (size_t i = 0; i < l->e->factors[factor].n_levels; i++)
		n += count[i] > 0;
	return n;
}

/* The fewest sure runs of any treatment. */
static uint64_t fewest_runs(const struct lint *l)
{
	uint64_t fewest = UINT64_MAX;

	for (size_t i = 0; i < l->m->n_benchmarks; i++) {
		const struct role_choice *c =
			&l->s->choices[l->m->benchmarks[i]];

		for (size_t k = 0; k < c->n; k++) {
			uint64_t n = l->m->replicates;

			if (c->roles[k] == ROLE_NONE)
				continue;
			n *= replicate_hosts(l->m,
					     &l->e->roles[c->roles[k]]);
			if (n < fewest)
				fewest = n;
		}
	}
	return fewest;
}

static void lint_replication(struct lint *l)
{
	struct mark at = lint_mark(l, l->m->replicates_mark, l->m->mark);
	uint64_t n = fewest_runs(l);

	if (n == 1)
		warn_written(l, at,
				 "1 replicate: no interval can be given for any "
				 "result; 5 or more is usual");
	else if (n == 2)
		warn_written(l, at,
				 "2 replicates: intervals will be very wide; 5 "
				 "or more is usual");
	for (size_t f = 0; n == 1 && f < l->e->n_factors; f++)
		if (l->e->factors[f].hard && l->e->factors[f].n_levels > 1 &&
		    l->m->order == ORDER_RANDOMIZED)
			lint_warn_matrix(
				l, l->e->uses[f].mark,
				"factor \"%s\" is hard to change and each of "
				"its whole plots is set up once: what that one "
				"set-up did cannot be told from the effect of "
				"the level; write 2 replicates or more",
				l->e->factors[f].name);
}

static void lint_order(struct lint *l)
{
	if (l->m->order != ORDER_AS_WRITTEN ||
	    l->n * l->m->n_benchmarks < 2)
		return;
	warn_written(l, lint_mark(l, l->m->mark, l->m->kind_mark),
			 "the order is as written: what changes with time "
			 "(heat, caches, other load) is taken for an effect of "
			 "the factors; write \"order: {kind: randomized}\"");
}

/* The role of the first benchmark that has one host only, or NULL. */
static const struct role *lone_role(const struct lint *l)
{
	for (size_t i = 0; i < l->m->n_benchmarks; i++) {
		const struct role_choice *c =
			&l->s->choices[l->m->benchmarks[i]];

		for (size_t k = 0; k < c->n; k++)
			if (c->roles[k] != ROLE_NONE &&
			    l->e->roles[c->roles[k]].n_hosts == 1)
				return &l->e->roles[c->roles[k]];
	}
	return NULL;
}

static void lint_blocks(struct lint *l)
{
	struct mark at = lint_mark(l, l->m->mark, l->m->kind_mark);
	const struct role *role = lone_role(l);
	uint64_t rounds = fewest_runs(l);

	if (l->m->blocks == BLOCK_HOST && role)
		warn_written(l, at,
				 "hosts are blocks, and the role \"%s\" has one "
				 "host: nothing says whether the results hold "
				 "on another; give it more hosts, or leave out "
				 "blocks: host", role->name);
	if (l->m->blocks == BLOCK_DAY && rounds > 1 &&
	    rounds <= l->m->rounds_a_day)
		warn_written(l, at,
				 "days are blocks, and all %" PRIu64 " rounds "
				 "are in one: nothing says whether the results "
				 "hold on another; write fewer rounds a day",
				 rounds);
}

/* Every combination of all levels: in balance, and nothing is confounded. */
static bool is_crossed(const struct lint *l)
{
	size_t n = 1;

	for (size_t i = 0; i < l->m->n_factors; i++) {
		n *= l->e->factors[l->m->factors[i]].n_levels;
		if (n > l->n)
			return false;
	}
	return n == l->n;
}

static void lint_matrix(struct lint *l)
{
	lint_replication(l);
	lint_order(l);
	lint_blocks(l);
	lint_hosts(l);
	lint_alias(l);
	if (is_crossed(l))
		return;
	lint_balance(l);
	if (!lint_pairs(l))
		lint_rank(l);
}

static void lint_filters(struct lint *l)
{
	for (size_t i = 0; i < l->x->n_effects; i++)
		if (!l->x->effects[i].dropped)
			lint_warn(l, l->x->effects[i].mark,
				  "this filter drops nothing, or nothing that "
				  "the ones before it leave: look at its "
				  "levels, or remove it");
}

static bool is_before(struct mark a, struct mark b)
{
	return a.line < b.line || (a.line == b.line && a.column < b.column);
}

/* Whether its levels wait for what is not known of a host yet. */
static bool is_pending(const struct experiment *e, size_t factor)
{
	struct mark at = e->uses[factor].mark;

	for (size_t i = 0; i < e->n_facts; i++) {
		struct mark fact = e->facts[i].mark;

		if (!e->facts[i].known && fact.file == at.file &&
		    !is_before(fact, at) &&
		    (factor + 1 == e->n_factors ||
		     e->uses[factor + 1].mark.file != at.file ||
		     is_before(fact, e->uses[factor + 1].mark)))
			return true;
	}
	return false;
}

static void lint_single_levels(struct lint *l)
{
	for (size_t f = 0; f < l->e->n_factors; f++)
		if (l->e->factors[f].n_levels == 1 && !is_pending(l->e, f))
			lint_warn(l, l->e->uses[f].mark,
				  "factor \"%s\" has one level: nothing is "
				  "compared; give it another, or write it "
				  "under \"variables\"",
				  l->e->factors[f].name);
}

void lint_design(const struct experiment *e, const struct expansion *x,
		 const struct schedule *s, struct strlist *warnings)
{
	struct lint l = { .e = e, .x = x, .s = s, .warnings = warnings };

	for (size_t m = 0; m < e->n_matrices; m++) {
		l.matrix = m;
		l.m = &e->matrices[m];
		l.n = x->shares[m].n_treatments;
		if (l.n)
			lint_matrix(&l);
	}
	lint_filters(&l);
	lint_single_levels(&l);
	lint_unused_levels(&l);
	lint_baseline(&l);
	lint_changes(&l);
	lint_drawings(&l);
}
