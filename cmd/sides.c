#include "cmd/sides.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"
#include "cmd/compare.h"
#include "cmd/reading.h"
#include "cmd/subject.h"

static bool in_baseline(const struct experiment *e, size_t factor)
{
	for (size_t i = 0; i < e->n_baseline; i++)
		if (e->baseline[i].factor == factor)
			return true;
	return false;
}

static bool is_absent(const struct subject *s, size_t factor, size_t treatment)
{
	return design_level(&s->expansion.design, treatment, factor) ==
	       DESIGN_ABSENT;
}

/* "block_kib=64"; with labels "block size (KiB) 64". */
static void add_setting(struct buf *out, const struct subject *s, size_t factor,
			size_t treatment)
{
	const char *language = s->experiment.report_language;
	const struct factor *f = &s->experiment.factors[factor];
	const char *label = factor_label(f, language);
	size_t level = design_level(&s->expansion.design, treatment, factor);

	buf_addf(out, "%s%c%s", label, strcmp(label, f->name) ? ' ' : '=',
		 level_label(&f->levels[level], language));
}

/* A number alone says little: "block_kib=64", but "in memory". */
static void add_level(struct buf *out, const struct subject *s, size_t factor,
		      size_t treatment)
{
	const struct factor *f = &s->experiment.factors[factor];
	size_t level = design_level(&s->expansion.design, treatment, factor);
	const char *label = level_label(&f->levels[level],
					s->experiment.report_language);

	if (isdigit((unsigned char)label[0]) || label[0] == '-')
		add_setting(out, s, factor, treatment);
	else
		buf_adds(out, label);
}

/* The factors that a side is called by: those that the baseline fixes; without
 * one, those that both differ in. */
static bool is_compared(const struct subject *s, const struct comparison *c,
			size_t factor)
{
	const struct design *d = &s->expansion.design;

	if (s->experiment.n_baseline)
		return in_baseline(&s->experiment, factor);
	return design_level(d, c->treatment, factor) !=
	       design_level(d, c->base, factor);
}

/* The side's levels of them. */
static void add_side(struct buf *out, const struct subject *s,
		     const struct comparison *c, size_t treatment)
{
	const struct experiment *e = &s->experiment;
	size_t start = out->n;

	for (size_t f = 0; f < e->n_factors; f++) {
		if (!is_compared(s, c, f) || (is_absent(s, f, c->treatment) &&
					      is_absent(s, f, c->base)))
			continue;
		if (out->n > start)
			buf_adds(out, ", ");
		if (is_absent(s, f, treatment))
			buf_addf(out, "no %s",
				 factor_label(&e->factors[f],
					      e->report_language));
		else
			add_level(out, s, f, treatment);
	}
}

void sides_add_treatment(struct buf *out, const struct subject *s,
			 const struct comparison *c)
{
	add_side(out, s, c, c->treatment);
}

void sides_add_base(struct buf *out, const struct subject *s,
		    const struct comparison *c)
{
	const struct experiment *e = &s->experiment;
	const char *before = ", which has no ";

	add_side(out, s, c, c->base);
	for (size_t f = 0; f < e->n_factors; f++) {
		if (is_compared(s, c, f) || is_absent(s, f, c->treatment) ||
		    !is_absent(s, f, c->base))
			continue;
		buf_addf(out, "%s%s", before,
			 factor_label(&e->factors[f], e->report_language));
		before = " and no ";
	}
}

void sides_add_context(struct buf *out, const struct subject *s,
		       const struct comparison *c)
{
	const struct experiment *e = &s->experiment;

	reading_response(out, s, c->benchmark, c->response);
	for (size_t f = 0; f < e->n_factors; f++) {
		if (is_compared(s, c, f) || is_absent(s, f, c->treatment))
			continue;
		buf_adds(out, ", ");
		add_setting(out, s, f, c->treatment);
	}
	buf_adds(out, ": ");
}

void reading_treatment(struct buf *out, const struct subject *s,
		       size_t treatment)
{
	const struct experiment *e = &s->experiment;
	size_t start = out->n;

	for (size_t f = 0; f < e->n_factors; f++) {
		if (is_absent(s, f, treatment))
			continue;
		buf_adds(out, out->n > start ? ", " : "");
		add_setting(out, s, f, treatment);
	}
	if (out->n == start)
		buf_adds(out, e->n_factors ? "no factor" : "all runs");
}
