#include "stats/design_make.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "stats/axes.h"
#include "stats/design_kinds.h"
#include "stats/factor.h"
#include "stats/factorial.h"

int design_blame(const struct design_options *o, enum design_part part,
		 size_t index)
{
	if (o->fault)
		*o->fault = (struct design_fault){ part, index };
	return -1;
}

int design_refuse(const struct design_options *o, enum design_part part,
		  size_t index, struct error *err, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	error_set(err, ERROR_USAGE, "%s", text.data);
	buf_release(&text);
	return design_blame(o, part, index);
}

bool design_takes_part(const struct design_options *o, size_t factor)
{
	return !o->part || o->part[factor];
}

static int check_factors(const struct design_options *o, struct error *err)
{
	for (size_t i = 0; i < o->n_factors; i++) {
		const struct factor *f = &o->factors[i];

		if (!f->n_levels)
			return design_refuse(o, DESIGN_PART_WHOLE, 0, err,
					     "factor '%s' has no levels; give "
					     "it at least one", f->name);
		if (f->n_levels > DESIGN_MAX_LEVELS)
			return design_refuse(o, DESIGN_PART_WHOLE, 0, err,
					     "factor '%s' has %zu levels; at "
					     "most %d are possible", f->name,
					     f->n_levels, DESIGN_MAX_LEVELS);
		if (factor_find(o->factors, i, f->name) >= 0)
			return design_refuse(o, DESIGN_PART_WHOLE, 0, err,
					     "two factors are named '%s'; "
					     "rename one", f->name);
	}
	return 0;
}

static bool is_odometer(const struct design_options *o)
{
	if (o->n_zips || o->n_existences || o->n_rules)
		return false;
	for (size_t i = 0; i < o->n_factors; i++)
		if (!design_takes_part(o, i))
			return false;
	return true;
}

int design_full(struct design *d, const struct design_options *o,
		const struct axes *axes, struct error *err)
{
	if (factorial_fill(d, o, axes, NULL, 0, err))
		return -1;
	d->odometer = is_odometer(o);
	return 0;
}

static void mark_conditional(struct design *d, const struct design_options *o)
{
	if (!o->n_existences)
		return;
	d->conditional = mem_zalloc(o->n_factors, sizeof(*d->conditional));
	for (size_t i = 0; i < o->n_existences; i++)
		d->conditional[o->existences[i].factor] = true;
}

int design_make(struct design *d, const struct design_options *o,
		struct error *err)
{
	static design_maker *const makers[] = {
		[DESIGN_FULL_FACTORIAL] = design_full,
		[DESIGN_ONE_AT_A_TIME] = design_one_at_a_time,
		[DESIGN_FRACTIONAL] = design_fractional,
		[DESIGN_LATIN_SQUARE] = design_latin_square,
		[DESIGN_LIST] = design_list,
	};
	struct axes axes = { .items = NULL };
	int rc = -1;

	design_init(d, o->factors, o->n_factors);
	d->kind = o->kind;
	design_blame(o, DESIGN_PART_WHOLE, 0);
	for (size_t i = 0; o->dropped && i < o->n_rules; i++)
		o->dropped[i] = 0;
	if (check_factors(o, err) || axes_make(&axes, o, err))
		goto out;
	mark_conditional(d, o);
	rc = makers[o->kind](d, o, &axes, err);
out:
	axes_release(&axes);
	return rc;
}

int design_build(struct design *d, enum design_kind kind,
		 const struct factor *factors, size_t n_factors,
		 struct error *err)
{
	const struct design_options o = {
		.kind = kind,
		.factors = factors,
		.n_factors = n_factors,
	};

	if (kind == DESIGN_FULL_FACTORIAL)
		return design_make(d, &o, err);
	design_init(d, factors, n_factors);
	return error_set(err, ERROR_USAGE,
			 "design kind %d is not made of factors alone",
			 (int)kind);
}
