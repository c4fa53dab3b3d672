#include "orchestrate/schedule/lint_private.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "orchestrate/spec/absence.h"

#define SAMPLE 100000

struct baseline {
	struct setting *settings;
	size_t n;
	struct buf text;     /* "platform=native, disk=ssd" */
};

static void baseline_init(struct baseline *b, const struct experiment *e)
{
	*b = (struct baseline){ .n = e->n_baseline, .text = BUF_INIT };
	b->settings = mem_zalloc(b->n, sizeof(*b->settings));
	for (size_t i = 0; i < b->n; i++) {
		const struct condition *c = &e->baseline[i];
		const struct factor *f = &e->factors[c->factor];

		b->settings[i] = (struct setting){ c->factor, c->level };
		buf_addf(&b->text, "%s%s=%s", i ? ", " : "", f->name,
			 c->level == DESIGN_ABSENT ? ABSENT_NAME :
			 f->levels[c->level].name);
	}
}

static bool is_anywhere(const struct lint *l, const struct baseline *b,
			const bool *measured)
{
	const struct design *d = &l->x->design;

	for (size_t t = 0; t < d->n_treatments; t++)
		if ((!measured || measured[t]) &&
		    design_has(d, t, b->settings, b->n))
			return true;
	return false;
}

/* A factor of it is absent, and not in the baseline: nobody compares it. */
static bool is_apart(const struct design *d, size_t t,
		     const struct baseline *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->settings[i].level != DESIGN_ABSENT &&
		    design_level(d, t, b->settings[i].factor) == DESIGN_ABSENT)
			return true;
	return false;
}

static bool has_counterpart(const struct design *d, size_t t,
			    const struct baseline *b, const bool *measured)
{
	size_t other = design_neighbour(d, t, b->settings, b->n);

	return other < d->n_treatments && (!measured || measured[other]);
}

static void lint_counterparts(struct lint *l, const struct baseline *b,
			      const bool *measured, const char *where)
{
	const struct design *d = &l->x->design;
	size_t step = d->n_treatments > SAMPLE ? d->n_treatments / SAMPLE | 1
					       : 1;
	size_t looked = 0, lonely = 0, first = 0;
	struct buf key = BUF_INIT;

	for (size_t t = 0; t < d->n_treatments; t += step) {
		if ((measured && !measured[t]) || is_apart(d, t, b))
			continue;
		looked++;
		if (!has_counterpart(d, t, b, measured) && !lonely++)
			first = t;
	}
	if (!lonely)
		return;
	treatment_key(d, first, &key);
	lint_warn(l, l->e->uses[b->settings[0].factor].mark,
		  "%s%zu of %zu treatments%s have no counterpart at the "
		  "baseline %s (%s is the first): they are compared with "
		  "nothing; add the counterparts, or take another baseline",
		  where, lonely, looked, step > 1 ? " that were looked at" : "",
		  b->text.data, key.data);
	buf_release(&key);
}

static void lint_measured(struct lint *l, const struct baseline *b,
			  const bool *measured, const char *where)
{
	if (is_anywhere(l, b, measured))
		lint_counterparts(l, b, measured, where);
	else
		lint_warn(l, l->e->uses[b->settings[0].factor].mark,
			  "%sno treatment has the baseline %s: nothing can be "
			  "compared with it; change the filters, or take "
			  "another baseline", where, b->text.data);
}

/* Whether some treatment of the benchmark has all factors of the baseline. */
static bool any_compared(const struct lint *l, const struct baseline *b,
			 const bool *measured)
{
	const struct design *d = &l->x->design;

	for (size_t t = 0; t < d->n_treatments; t++)
		if (measured[t] && !is_apart(d, t, b))
			return true;
	return false;
}

void lint_baseline(struct lint *l)
{
	const struct experiment *e = l->e;
	struct baseline b;

	if (!e->n_baseline)
		return;
	baseline_init(&b, e);
	if (e->n_matrices == 1)
		lint_measured(l, &b, NULL, "");
	for (size_t i = 0; e->n_matrices > 1 && i < e->n_benchmarks; i++) {
		bool *measured = expansion_measures(l->x, i);
		struct buf where = BUF_INIT;

		buf_addf(&where, "benchmark \"%s\": ", e->benchmarks[i].name);
		if (any_compared(l, &b, measured))
			lint_measured(l, &b, measured, where.data);
		buf_release(&where);
		free(measured);
	}
	free(b.settings);
	buf_release(&b.text);
}
