#include "cmd/compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "cmd/cells.h"
#include "cmd/subject.h"
#include "orchestrate/spec/matrix.h"

static bool is_charted(const struct cells *c)
{
	const struct experiment *e = &c->subject->experiment;

	for (size_t i = 0; i < e->n_charts; i++)
		if (e->charts[i].benchmark == c->benchmark &&
		    e->charts[i].response == c->response)
			return true;
	return false;
}

static void take_ratio(struct comparison *p, const struct cells *c,
		       const struct sample *x, const struct sample *base,
		       double level)
{
	enum better better = cells_response(c)->better;
	struct error err = ERROR_INIT;

	if (!x->n || !base->n)
		p->why = mem_strdup(x->n ? "the baseline has no run that "
					   "counts"
					 : "it has no run that counts");
	if (contrast_of_samples(x, base, level, &p->ratio, &err)) {
		p->ratio = (struct estimate)ESTIMATE_INIT;
		free(p->why);
		p->why = mem_strdup(err.text);
		return;
	}
	/* without a direction, a rise is called improved, and the words say
	 * neither better nor worse */
	p->verdict = contrast_verdict(&p->ratio,
				      better ? better : BETTER_HIGHER,
				      c->subject->experiment.margin);
}

static void add_one(struct comparisons *list, const struct cells *c,
		    const struct contrast_pair *pair, double level)
{
	const struct sample *x = cells_treatment(c, pair->treatment);
	const struct sample *base = cells_treatment(c, pair->base);
	struct comparison p = { .benchmark = c->benchmark,
				.response = c->response,
				.treatment = pair->treatment,
				.base = pair->base,
				.ratio = ESTIMATE_INIT,
				.charted = is_charted(c) };

	run_counts_add(&p.runs, x);
	run_counts_add(&p.base_runs, base);
	take_ratio(&p, c, x, base, level);
	MEM_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = p;
}

/* The matrix's treatments against its centre. with[t]: what the treatment was
 * compared with last. */
static void add_with_centre(struct comparisons *list, const struct cells *c,
			    size_t matrix, size_t *with, double level)
{
	const struct expansion *x = &c->subject->expansion;
	size_t centre;

	if (!matrix_has_benchmark(&x->experiment->matrices[matrix],
				  c->benchmark) ||
	    !expansion_centre(x, matrix, &centre))
		return;
	for (size_t i = 1; i < x->shares[matrix].n_treatments; i++) {
		size_t t = expansion_treatment(x, matrix, i);
		const struct contrast_pair pair = { t, centre };

		if (with[t] == centre)
			continue;
		with[t] = centre;
		add_one(list, c, &pair, level);
	}
}

static void add_with_centres(struct comparisons *list, const struct cells *c,
			     double level)
{
	const struct expansion *x = &c->subject->expansion;
	size_t *with = mem_zalloc(x->design.n_treatments, sizeof(*with));

	for (size_t t = 0; t < x->design.n_treatments; t++)
		with[t] = t;
	for (size_t m = 0; m < x->n_shares; m++)
		add_with_centre(list, c, m, with, level);
	free(with);
}

static void add_with_baseline(struct comparisons *list, const struct cells *c,
			      double level)
{
	const struct experiment *e = &c->subject->experiment;
	struct setting *baseline = cells_settings(e->baseline, e->n_baseline);
	struct contrast_pair *pairs = NULL;
	size_t n = contrast_pairs(&c->subject->expansion.design, baseline,
				  e->n_baseline, &pairs);

	for (size_t i = 0; i < n; i++)
		if (cells_measures(c, pairs[i].treatment) &&
		    cells_measures(c, pairs[i].base))
			add_one(list, c, &pairs[i], level);
	free(pairs);
	free(baseline);
}

void comparisons_add(struct comparisons *list, const struct cells *c,
		     double level)
{
	if (c->subject->experiment.n_baseline)
		add_with_baseline(list, c, level);
	else
		add_with_centres(list, c, level);
}

static bool has_fraction(const struct experiment *e)
{
	for (size_t m = 0; m < e->n_matrices; m++)
		if (e->matrices[m].kind == DESIGN_FRACTIONAL)
			return true;
	return false;
}

char *comparisons_none(const struct subject *s)
{
	const struct experiment *e = &s->experiment;
	struct buf text = BUF_INIT;

	buf_adds(&text, "Nothing is compared");
	if (s->expansion.design.n_treatments < 2)
		buf_adds(&text, ", because there is one treatment");
	else if (!e->n_baseline)
		buf_adds(&text, ", because the file names no baseline: add "
				"analysis: {baseline: {FACTOR: LEVEL}}");
	else if (has_fraction(e))
		buf_adds(&text, ": in a fraction treatments differ in several "
				"factors, so that none has a counterpart at "
				"the baseline; assay does not estimate effects "
				"of a fractional design yet");
	else
		buf_adds(&text, ", because no treatment has a counterpart at "
				"the baseline with all other factors the same: "
				"add the counterparts, or take another "
				"baseline");
	buf_addc(&text, '.');
	return buf_detach(&text);
}

void comparisons_release(struct comparisons *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->items[i].why);
	free(list->items);
	*list = (struct comparisons)COMPARISONS_INIT;
}

static int verdict_rank(enum verdict v)
{
	switch (v) {
	case VERDICT_IMPROVED:
	case VERDICT_REGRESSED:
		return 0;
	case VERDICT_EQUIVALENT:
		return 1;
	case VERDICT_INCONCLUSIVE:
		return 2;
	case VERDICT_NONE:
		return 3;
	}
	return 3;
}

/* How far the end that is nearer to "no difference" is from it. */
static double surely(const struct estimate *ratio)
{
	double low = fabs(log(ratio->low)), high = fabs(log(ratio->high));

	return isnan(low) || isnan(high) ? 0 : fmin(low, high);
}

static int by_rank(const void *a, const void *b)
{
	const struct comparison *x = a, *y = b;
	int rx = verdict_rank(x->verdict), ry = verdict_rank(y->verdict);
	double sx = surely(&x->ratio), sy = surely(&y->ratio);

	if (x->charted != y->charted)
		return x->charted ? -1 : 1;
	if (rx != ry)
		return rx < ry ? -1 : 1;
	if (rx == 0 && sx != sy)
		return sx > sy ? -1 : 1;
	if (x->benchmark != y->benchmark)
		return x->benchmark < y->benchmark ? -1 : 1;
	if (x->response != y->response)
		return x->response < y->response ? -1 : 1;
	return x->treatment < y->treatment ? -1 : x->treatment > y->treatment;
}

void comparisons_rank(struct comparisons *list)
{
	if (list->n)
		qsort(list->items, list->n, sizeof(list->items[0]), by_rank);
}
