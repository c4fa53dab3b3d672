#include "orchestrate/schedule/matrix_design.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/matrix_options.h"
#include "orchestrate/schedule/rounds.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/filter.h"
#include "stats/fraction.h"

/* Where the matrix as a whole is written. */
static struct mark matrix_mark(const struct matrix_options *k)
{
	struct mark whole = { .file = k->e->path };

	if (k->m->kind_mark.line)
		return k->m->kind_mark;
	return k->m->mark.line ? k->m->mark : whole;
}

static struct mark fault_mark(const struct matrix_options *k)
{
	size_t i = k->fault.index;

	switch (k->fault.part) {
	case DESIGN_PART_ZIP:
		return k->zip_marks[i];
	case DESIGN_PART_EXISTENCE:
		return filter_mark(k->existences[i].when.ctx);
	case DESIGN_PART_RULE:
		return k->rules[i].ctx == k ? k->include_fault
					    : k->rule_marks[i];
	default:
		return matrix_mark(k);
	}
}

/* " in matrix \"quick\""; nothing when there is only one. */
static const char *in_matrix(const struct matrix_options *k, struct buf *out)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	if (k->e->n_matrices > 1)
		buf_addf(out, " in matrix \"%s\"",
			 problem_quote(quoted, k->m->name));
	return out->data;
}

/* More than n treatments do not fit. */
static int report_runs(const struct matrix_options *k, size_t n)
{
	struct mark at = k->m->replicates_mark;
	size_t each = matrix_runs_each(k->e, k->m);
	struct buf where = BUF_INIT;

	if (!at.line)
		at = matrix_mark(k);
	in_matrix(k, &where);
	if (n)
		problems_add(k->p, at,
			     "too many runs%s: more than %zu treatments with "
			     "%zu runs each; at most %d runs are possible in "
			     "all", where.data, n, each, EXPERIMENT_MAX_RUNS);
	else
		problems_add(k->p, at,
			     "too many runs%s: each treatment makes %zu; at "
			     "most %d runs are possible in all", where.data,
			     each, EXPERIMENT_MAX_RUNS);
	buf_release(&where);
	return -1;
}

/* Which filters dropped everything; the one that dropped most is blamed. */
static int report_nothing(const struct matrix_options *k)
{
	struct buf others = BUF_INIT, where = BUF_INIT;
	size_t most = 0;

	if (!k->o.n_rules)
		return problems_add(k->p, matrix_mark(k), "no treatment is "
				    "left%s: the list has no rows",
				    in_matrix(k, &where));
	for (size_t i = 1; i < k->o.n_rules; i++)
		if (k->dropped[i] > k->dropped[most])
			most = i;
	for (size_t i = 0; i < k->o.n_rules; i++)
		if (i != most && k->dropped[i])
			buf_addf(&others, ", the one at line %u another %zu",
				 k->rule_marks[i].line, k->dropped[i]);
	problems_add(k->p, k->rule_marks[most],
		     "no treatment is left%s: this %s drops %s%zu "
		     "combinations%s", in_matrix(k, &where),
		     k->rules[most].ctx == k ? "`include`" : "`exclude`",
		     others.n ? "" : "all ", k->dropped[most],
		     others.n ? others.data : "");
	buf_release(&others);
	buf_release(&where);
	return -1;
}

/* Whether filters dropped anything. */
static bool is_filtered(const struct matrix_options *k)
{
	for (size_t i = 0; i < k->o.n_rules; i++)
		if (k->dropped[i])
			return true;
	return false;
}

/* A factor that exists nowhere has levels that nobody measures. What filters
 * drop was meant to be. */
static int check_existences(const struct matrix_options *k, const struct design *d)
{
	struct buf where = BUF_INIT;
	int rc = 0;

	if (is_filtered(k))
		return 0;
	for (size_t i = 0; i < k->o.n_existences; i++) {
		const struct design_existence *x = &k->existences[i];
		size_t t = 0;

		while (t < d->n_treatments &&
		       design_level(d, t, x->factor) == DESIGN_ABSENT)
			t++;
		if (t < d->n_treatments)
			continue;
		buf_clear(&where);
		rc = problems_add(k->p, filter_mark(x->when.ctx),
				  "factor \"%s\" exists in no treatment%s: "
				  "this condition never holds",
				  k->e->factors[x->factor].name,
				  in_matrix(k, &where));
	}
	buf_release(&where);
	return rc;
}

static int check_resolution(const struct matrix_options *k)
{
	struct buf got = BUF_INIT, asked = BUF_INIT, words = BUF_INIT;
	struct error err = ERROR_INIT;
	struct fraction f;
	int rc = 0;

	if (k->m->kind != DESIGN_FRACTIONAL || !k->m->resolution)
		return 0;
	if (!fraction_make(&f, k->o.factors, k->o.n_factors, k->o.part,
			   k->o.generators, k->o.n_generators, &err) &&
	    f.resolution < k->m->resolution) {
		fraction_add_resolution(f.resolution, &got);
		fraction_add_resolution(k->m->resolution, &asked);
		fraction_add_relation(&f, 4, &words);
		rc = problems_add(k->p, matrix_mark(k),
				  "the generators give resolution %s, below "
				  "the %s that is asked for: %s", got.data,
				  asked.data, words.data);
	}
	fraction_release(&f);
	buf_release(&got);
	buf_release(&asked);
	buf_release(&words);
	return rc;
}

static int report_fault(const struct matrix_options *k, const struct error *err)
{
	struct mark at = fault_mark(k);
	struct buf where = BUF_INIT;
	const char *text = problem_place(err->text, &at);

	if (k->fault.part == DESIGN_PART_SIZE &&
	    k->o.most < DESIGN_MAX_TREATMENTS)
		return report_runs(k, k->o.most);
	problems_add(k->p, at, "%s%s", text, in_matrix(k, &where));
	buf_release(&where);
	return -1;
}

static int make(struct matrix_options *k, struct design *d, size_t most)
{
	size_t each = matrix_runs_each(k->e, k->m);
	struct error err = ERROR_INIT;

	k->o.most = each ? most / each : DESIGN_MAX_TREATMENTS;
	if (k->o.most > DESIGN_MAX_TREATMENTS)
		k->o.most = DESIGN_MAX_TREATMENTS;
	if (!k->o.most) {
		design_init(d, k->e->factors, k->e->n_factors);
		return report_runs(k, 0);
	}
	if (k->m->kind == DESIGN_LATIN_SQUARE && k->m->latin.rows >= 0 &&
	    k->m->latin.columns >= 0 && !k->e->seed_given) {
		design_init(d, k->e->factors, k->e->n_factors);
		return problems_add(k->p, matrix_mark(k), "a Latin square over "
				    "factors is drawn from a seed that stays: "
				    "write one into the file, \"order: {seed: "
				    "1}\"");
	}
	if (design_make(d, &k->o, &err))
		return report_fault(k, &err);
	if (!d->n_treatments)
		return report_nothing(k);
	return check_existences(k, d) | check_resolution(k);
}

static size_t add_up(size_t a, size_t b)
{
	return b > SIZE_MAX - a ? SIZE_MAX : a + b;
}

static void add_effect(struct expansion *x, struct mark mark, size_t dropped)
{
	for (size_t i = 0; i < x->n_effects; i++) {
		struct filter_effect *f = &x->effects[i];

		if (f->mark.file == mark.file && f->mark.line == mark.line &&
		    f->mark.column == mark.column) {
			f->dropped = add_up(f->dropped, dropped);
			return;
		}
	}
	MEM_GROW(x->effects, x->n_effects, x->cap_effects);
	x->effects[x->n_effects++] = (struct filter_effect){ mark, dropped };
}

int matrix_design(struct design *d, struct expansion *x,
		  const struct matrix *m, size_t most, struct problems *p)
{
	struct matrix_options k;
	int rc;

	matrix_options_init(&k, x->experiment, m, p);
	rc = make(&k, d, most);
	for (size_t i = 0; i < k.o.n_rules; i++) {
		x->n_excluded = add_up(x->n_excluded, k.dropped[i]);
		add_effect(x, k.rule_marks[i], k.dropped[i]);
	}
	matrix_options_release(&k);
	return rc;
}

/* Runs that one replicate stands for. */
static size_t each_replicate(const struct experiment *e,
			     const struct matrix *m, size_t benchmark)
{
	const char *role = e->benchmarks[benchmark].role;

	for (size_t r = 0; role && r < e->n_roles; r++)
		if (!strcmp(e->roles[r].name, role))
			return replicate_hosts(m, &e->roles[r]);
	return 1;
}

size_t matrix_runs_each(const struct experiment *e, const struct matrix *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_benchmarks; i++)
		n += each_replicate(e, m, m->benchmarks[i]);
	return n * m->replicates_max;
}
