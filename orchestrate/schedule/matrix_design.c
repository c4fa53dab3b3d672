#include "orchestrate/schedule/matrix_design.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/filter.h"
#include "orchestrate/spec/matrix.h"
#include "stats/design_make.h"
#include "stats/fraction.h"

/* A matrix in the words of stats/, and where its parts are written. */
struct making {
	const struct experiment *e;
	const struct matrix *m;
	struct problems *p;
	struct design_options o;
	struct design_fault fault;
	bool *part;
	struct design_zip *zips;
	struct mark *zip_marks;
	struct design_existence *existences;
	struct design_rule *rules;
	struct mark *rule_marks;
	struct mark include_fault; /* the one that has no value */
	struct setting *base;
	size_t *dropped;
};

static int filter_holds(void *ctx, const uint16_t *levels, struct error *err)
{
	return filter_match(ctx, levels, err);
}

static bool filter_needs(void *ctx, size_t factor)
{
	return filter_uses(ctx, factor);
}

static int excluded(void *ctx, const uint16_t *levels, struct error *err)
{
	int answer = filter_match(ctx, levels, err);

	return answer < 0 ? -1 : !answer;
}

static int included(void *ctx, const uint16_t *levels, struct error *err)
{
	struct making *k = ctx;

	for (size_t i = 0; i < k->m->n_include; i++) {
		int answer = filter_match(k->m->include[i], levels, err);

		if (answer < 0)
			k->include_fault = filter_mark(k->m->include[i]);
		if (answer)
			return answer;
	}
	return 0;
}

static bool include_needs(void *ctx, size_t factor)
{
	const struct making *k = ctx;

	for (size_t i = 0; i < k->m->n_include; i++)
		if (filter_uses(k->m->include[i], factor))
			return true;
	return false;
}

/* Where the matrix as a whole is written. */
static struct mark matrix_mark(const struct making *k)
{
	struct mark whole = { .file = k->e->path };

	if (k->m->kind_mark.line)
		return k->m->kind_mark;
	return k->m->mark.line ? k->m->mark : whole;
}

static void take_part(struct making *k)
{
	k->part = mem_zalloc(k->e->n_factors, sizeof(*k->part));
	for (size_t i = 0; i < k->m->n_factors; i++)
		k->part[k->m->factors[i]] = true;
	k->o.part = k->m->n_factors < k->e->n_factors ? k->part : NULL;
}

/* Links between factors of this matrix: the design may be one for several. */
static void take_zips(struct making *k)
{
	k->zips = mem_zalloc(k->m->n_zips, sizeof(*k->zips));
	k->zip_marks = mem_zalloc(k->m->n_zips, sizeof(*k->zip_marks));
	for (size_t i = 0; i < k->m->n_zips; i++) {
		const struct zip *z = &k->m->zips[i];
		size_t *factors = mem_zalloc(z->n, sizeof(*factors)), n = 0;

		for (size_t f = 0; f < z->n; f++)
			if (k->part[z->factors[f]])
				factors[n++] = z->factors[f];
		if (n < 2) {
			free(factors);
			continue;
		}
		k->zip_marks[k->o.n_zips] = z->mark;
		k->zips[k->o.n_zips++] = (struct design_zip){ factors, n };
	}
	k->o.zips = k->zips;
}

static void take_existences(struct making *k)
{
	size_t n = k->m->n_existences;

	k->existences = mem_zalloc(n, sizeof(*k->existences));
	for (size_t i = 0; i < n; i++) {
		const struct existence *x = &k->m->existences[i];

		if (!k->part[x->factor])
			continue;
		k->existences[k->o.n_existences++] = (struct design_existence){
			.factor = x->factor,
			.when = { .holds = filter_holds, .uses = filter_needs,
				  .ctx = x->when },
		};
	}
	k->o.existences = k->existences;
}

static void take_rules(struct making *k)
{
	const struct matrix *m = k->m;
	size_t n = m->n_exclude + 1;

	k->rules = mem_zalloc(n, sizeof(*k->rules));
	k->rule_marks = mem_zalloc(n, sizeof(*k->rule_marks));
	k->dropped = mem_zalloc(n, sizeof(*k->dropped));
	n = 0;
	if (m->n_include) {
		k->rule_marks[n] = filter_mark(m->include[0]);
		k->rules[n++] = (struct design_rule){
			included, include_needs, k };
	}
	for (size_t i = 0; i < m->n_exclude; i++) {
		k->rule_marks[n] = filter_mark(m->exclude[i]);
		k->rules[n++] = (struct design_rule){
			excluded, filter_needs, m->exclude[i] };
	}
	k->o.rules = k->rules;
	k->o.n_rules = n;
	k->o.dropped = k->dropped;
}

static bool has_base(const struct making *k, size_t factor)
{
	for (size_t i = 0; i < k->m->n_base; i++)
		if (k->m->base[i].factor == factor)
			return true;
	return false;
}

/* The centre as it is given; a factor it leaves out has its baseline. */
static void take_base(struct making *k)
{
	const struct matrix *m = k->m;
	const struct experiment *e = k->e;
	size_t n = 0;

	k->base = mem_zalloc(m->n_base + e->n_baseline, sizeof(*k->base));
	for (size_t i = 0; i < m->n_base; i++)
		k->base[n++] = (struct setting){ m->base[i].factor,
						 m->base[i].level };
	for (size_t i = 0; i < e->n_baseline; i++)
		if (!has_base(k, e->baseline[i].factor))
			k->base[n++] = (struct setting){
				e->baseline[i].factor, e->baseline[i].level };
	k->o.base = k->base;
	k->o.n_base = n;
}

static void making_init(struct making *k)
{
	const struct matrix *m = k->m;

	k->o = (struct design_options){
		.kind = m->kind,
		.factors = k->e->factors,
		.n_factors = k->e->n_factors,
		.generators = m->generators,
		.n_generators = m->n_generators,
		.latin = { m->latin.rows, m->latin.columns, m->latin.letters },
		.seed = k->e->seed_given ? k->e->seed : 0,
		.list = m->list,
		.n_list = m->n_list,
		.fault = &k->fault,
	};
	take_part(k);
	take_zips(k);
	take_existences(k);
	take_rules(k);
	take_base(k);
}

static void making_release(struct making *k)
{
	free(k->part);
	for (size_t i = 0; i < k->o.n_zips; i++)
		free((size_t *)k->zips[i].factors);
	free(k->zips);
	free(k->zip_marks);
	free(k->existences);
	free(k->rules);
	free(k->rule_marks);
	free(k->base);
	free(k->dropped);
}

static struct mark fault_mark(const struct making *k)
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
static const char *in_matrix(const struct making *k, struct buf *out)
{
	char quoted[PROBLEM_QUOTE_SIZE];

	if (k->e->n_matrices > 1)
		buf_addf(out, " in matrix \"%s\"",
			 problem_quote(quoted, k->m->name));
	return out->data;
}

static int report_runs(const struct making *k, const char *more, size_t n)
{
	struct buf where = BUF_INIT;

	problems_add(k->p, k->m->replicates_mark.line ? k->m->replicates_mark
						      : matrix_mark(k),
		     "too many runs%s: %s%zu treatments with %zu runs each; at "
		     "most %d runs are possible in all",
		     in_matrix(k, &where), more, n,
		     matrix_runs_each(k->e, k->m), EXPERIMENT_MAX_RUNS);
	buf_release(&where);
	return -1;
}

/* Which filters dropped everything; the one that dropped most is blamed. */
static int report_nothing(const struct making *k)
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

/* A factor that exists nowhere has levels that nobody measures. */
static int check_existences(const struct making *k, const struct design *d)
{
	struct buf where = BUF_INIT;
	int rc = 0;

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

static int check_resolution(const struct making *k)
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

static int report_fault(const struct making *k, const struct error *err)
{
	struct buf where = BUF_INIT;

	if (k->fault.part == DESIGN_PART_SIZE &&
	    k->o.most < DESIGN_MAX_TREATMENTS)
		return report_runs(k, "more than ", k->o.most);
	problems_add(k->p, fault_mark(k), "%s%s", err->text,
		     in_matrix(k, &where));
	buf_release(&where);
	return -1;
}

static int make(struct making *k, struct design *d, size_t most)
{
	size_t each = matrix_runs_each(k->e, k->m);
	struct error err = ERROR_INIT;

	k->o.most = each ? most / each : DESIGN_MAX_TREATMENTS;
	if (k->o.most > DESIGN_MAX_TREATMENTS)
		k->o.most = DESIGN_MAX_TREATMENTS;
	if (!k->o.most) {
		design_init(d, k->e->factors, k->e->n_factors);
		return report_runs(k, "1 or more ", 1);
	}
	if (design_make(d, &k->o, &err))
		return report_fault(k, &err);
	if (!d->n_treatments)
		return report_nothing(k);
	return check_existences(k, d) | check_resolution(k);
}

int matrix_design(struct design *d, const struct experiment *e,
		  const struct matrix *m, size_t most, size_t *n_excluded,
		  struct problems *p)
{
	struct making k = { .e = e, .m = m, .p = p };
	int rc;

	making_init(&k);
	rc = make(&k, d, most);
	for (size_t i = 0; i < k.o.n_rules; i++)
		*n_excluded = k.dropped[i] > SIZE_MAX - *n_excluded
				      ? SIZE_MAX
				      : *n_excluded + k.dropped[i];
	making_release(&k);
	return rc;
}

/* Hosts that may run it. */
static size_t pool_size(const struct experiment *e, size_t benchmark)
{
	const char *role = e->benchmarks[benchmark].role;

	for (size_t r = 0; role && r < e->n_roles; r++)
		if (!strcmp(e->roles[r].name, role))
			return e->roles[r].n_hosts;
	return 1;
}

size_t matrix_runs_each(const struct experiment *e, const struct matrix *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_benchmarks; i++)
		n += m->blocks == BLOCK_HOST ? pool_size(e, m->benchmarks[i])
					     : 1;
	return n * m->replicates_max;
}
