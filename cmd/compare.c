#include "cmd/compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "cmd/cells.h"
#include "cmd/subject.h"

static bool is_baseline_factor(const struct experiment *e, size_t factor,
			       size_t *level)
{
	for (size_t i = 0; i < e->n_baseline; i++) {
		if (e->baseline[i].factor == factor) {
			*level = e->baseline[i].level;
			return true;
		}
	}
	return false;
}

/* Whether `base` is what `treatment` is compared with. */
static bool is_base_of(const struct subject *s, size_t treatment, size_t base)
{
	const struct design *d = &s->design;

	for (size_t f = 0; f < d->n_factors; f++) {
		size_t wanted = design_level(d, treatment, f);

		is_baseline_factor(&s->experiment, f, &wanted);
		if (design_level(d, base, f) != wanted)
			return false;
	}
	return true;
}

/* Returns the treatment itself when it is a baseline. */
static size_t find_base(const struct subject *s, size_t treatment)
{
	for (size_t t = 0; t < s->design.n_treatments; t++)
		if (is_base_of(s, treatment, t))
			return t;
	return treatment;
}

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

	p->ratio = (struct estimate)ESTIMATE_INIT;
	p->ratio.level = level;
	if (!x->n || !base->n) {
		p->why = mem_strdup(x->n ? "the baseline has no run that "
					   "counts"
					 : "it has no run that counts");
		return;
	}
	if (contrast_ratio(x->value, x->n, base->value, base->n, level,
			   &p->ratio, &err)) {
		p->ratio = (struct estimate)ESTIMATE_INIT;
		p->why = mem_strdup(err.text);
		return;
	}
	if (x->n_censored || base->n_censored)
		p->ratio.warnings |= ESTIMATE_CENSORED;
	/* without a direction, a rise is called improved and the words say
	 * neither better nor worse */
	p->verdict = contrast_verdict(&p->ratio,
				      better ? better : BETTER_HIGHER,
				      c->subject->experiment.margin);
}

static int add_one(struct comparisons *list, const struct cells *c,
		   size_t treatment, size_t base, double level,
		   struct error *err)
{
	struct sample x = { .n = 0 }, b = { .n = 0 };
	struct comparison p = { .benchmark = c->benchmark,
				.response = c->response,
				.treatment = treatment, .base = base,
				.charted = is_charted(c) };
	int rc = -1;

	if (cells_treatment(c, treatment, &x, err) ||
	    cells_treatment(c, base, &b, err))
		goto out;
	run_counts_add(&p.runs, &x);
	run_counts_add(&p.base_runs, &b);
	take_ratio(&p, c, &x, &b, level);
	MEM_GROW(list->items, list->n, list->cap);
	list->items[list->n++] = p;
	rc = 0;
out:
	sample_release(&x);
	sample_release(&b);
	return rc;
}

int comparisons_add(struct comparisons *list, const struct cells *c,
		    double level, struct error *err)
{
	const struct subject *s = c->subject;

	if (!s->experiment.n_baseline)
		return 0;
	for (size_t t = 0; t < s->design.n_treatments; t++) {
		size_t base = find_base(s, t);

		if (base != t && add_one(list, c, t, base, level, err))
			return -1;
	}
	return 0;
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
