#include "stats/axes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "stats/design_make.h"
#include "stats/factor.h"

static bool uses(const struct design_rule *r, size_t factor)
{
	return !r->uses || r->uses(r->ctx, factor);
}

/* Whether any existence in `a` depends on a factor of `b`; on which. */
static const struct design_existence *depends(const struct axis *a,
					      const struct axis *b, size_t *on)
{
	for (size_t i = 0; i < a->n; i++)
		for (size_t k = 0; a->existences[i] && k < b->n; k++)
			if (uses(&a->existences[i]->when, b->factors[k])) {
				*on = b->factors[k];
				return a->existences[i];
			}
	return NULL;
}

static int add_existence(struct axis *a, const struct design_options *o,
			 size_t factor, struct error *err)
{
	const struct design_existence *found = NULL;

	for (size_t i = 0; i < o->n_existences; i++) {
		if (o->existences[i].factor != factor)
			continue;
		if (found)
			return design_refuse(o, DESIGN_PART_EXISTENCE, i, err,
					     "factor '%s' has two conditions; "
					     "write one",
					     o->factors[factor].name);
		found = &o->existences[i];
	}
	a->existences[a->n] = found;
	a->conditional |= found != NULL;
	return 0;
}

static int add_factor(struct axis *a, const struct design_options *o,
		      size_t factor, struct error *err)
{
	if (add_existence(a, o, factor, err))
		return -1;
	a->n_levels = o->factors[factor].n_levels;
	a->factors[a->n++] = factor;
	return 0;
}

static const struct design_zip *zip_of(const struct design_options *o,
				       size_t factor)
{
	for (size_t i = 0; i < o->n_zips; i++)
		for (size_t k = 0; k < o->zips[i].n; k++)
			if (o->zips[i].factors[k] == factor)
				return &o->zips[i];
	return NULL;
}

/* All is well with one of the zips. */
static int check_zip(const struct design_options *o, size_t zip,
		     struct error *err)
{
	const struct design_zip *z = &o->zips[zip];
	const struct factor *f = o->factors;

	for (size_t i = 0; i < z->n; i++) {
		const struct factor *first = &f[z->factors[0]];
		const struct factor *this = &f[z->factors[i]];

		if (!design_takes_part(o, z->factors[i]))
			return design_refuse(o, DESIGN_PART_ZIP, zip, err,
					     "factor '%s' is linked by a zip "
					     "but not varied here", this->name);
		if (zip_of(o, z->factors[i]) != z)
			return design_refuse(o, DESIGN_PART_ZIP, zip, err,
					     "factor '%s' is in two zips; link "
					     "all of them in one", this->name);
		for (size_t k = 0; k < i; k++)
			if (z->factors[k] == z->factors[i])
				return design_refuse(o, DESIGN_PART_ZIP, zip,
						     err, "factor '%s' is "
						     "linked with itself",
						     this->name);
		if (this->n_levels != first->n_levels)
			return design_refuse(o, DESIGN_PART_ZIP, zip, err,
					     "linked factors need equally many "
					     "levels: '%s' has %zu, '%s' has "
					     "%zu", first->name,
					     first->n_levels, this->name,
					     this->n_levels);
	}
	return 0;
}

static void axis_room(struct axis *a, size_t n)
{
	a->factors = mem_zalloc(n, sizeof(*a->factors));
	a->existences = mem_zalloc(n, sizeof(*a->existences));
}

static int add_axis(struct axes *a, const struct design_options *o,
		    size_t factor, struct error *err)
{
	const struct design_zip *z = zip_of(o, factor);
	struct axis *x = &a->items[a->n++];
	const struct design_existence *e;
	size_t on = 0;

	axis_room(x, z ? z->n : 1);
	if (!z)
		return add_factor(x, o, factor, err);
	for (size_t f = factor; f < o->n_factors; f++)
		if (zip_of(o, f) == z && add_factor(x, o, f, err))
			return -1;
	e = x->n > 1 ? depends(x, x, &on) : NULL;
	if (e)
		return design_refuse(o, DESIGN_PART_EXISTENCE,
				     (size_t)(e - o->existences), err,
				     "factor '%s' cannot exist only under "
				     "levels of '%s', which it is linked with; "
				     "leave it out of the zip",
				     o->factors[e->factor].name,
				     o->factors[on].name);
	return 0;
}

/* The axes in the order of their first factors. */
static int gather(struct axes *a, const struct design_options *o,
		  struct error *err)
{
	bool *done = mem_zalloc(o->n_factors, sizeof(*done));
	int rc = 0;

	a->items = mem_zalloc(o->n_factors, sizeof(*a->items));
	for (size_t i = 0; i < o->n_zips && !rc; i++)
		rc = check_zip(o, i, err);
	for (size_t f = 0; f < o->n_factors && !rc; f++) {
		if (done[f] || !design_takes_part(o, f))
			continue;
		rc = add_axis(a, o, f, err);
		for (size_t i = 0; i < a->items[a->n - 1].n; i++)
			done[a->items[a->n - 1].factors[i]] = true;
	}
	free(done);
	return rc;
}

/* needs[i * n + k]: axis i cannot be before axis k */
static bool *dependencies(const struct axes *a)
{
	bool *needs = mem_zalloc(a->n * a->n, sizeof(*needs));
	size_t on;

	for (size_t i = 0; i < a->n; i++)
		for (size_t k = 0; a->items[i].conditional && k < a->n; k++)
			needs[i * a->n + k] =
				depends(&a->items[i], &a->items[k], &on);
	return needs;
}

static size_t first_need(const struct axes *a, const bool *needs,
			 const bool *placed, size_t i)
{
	size_t k = 0;

	while (k < a->n && (placed[k] || !needs[i * a->n + k]))
		k++;
	return k;
}

/* Names the factors that wait for one another, from axis `i` on. */
static int refuse_cycle(const struct axes *a, const struct design_options *o,
			const bool *needs, const bool *placed, size_t i,
			struct error *err)
{
	const struct design_existence *e;
	struct buf text = BUF_INIT;
	size_t start, at, on = 0;

	for (size_t steps = 0; steps < a->n; steps++)
		i = first_need(a, needs, placed, i);
	start = at = i; /* so far along, it is within the cycle */
	do {
		size_t next = first_need(a, needs, placed, at);

		e = depends(&a->items[at], &a->items[next], &on);
		assert(e);
		buf_addf(&text, "%s'%s' under levels of '%s'",
			 text.n ? ", " : "", o->factors[e->factor].name,
			 o->factors[on].name);
		at = next;
	} while (at != start);
	design_refuse(o, DESIGN_PART_EXISTENCE, (size_t)(e - o->existences),
		      err, "factors that exist only under levels of each "
		      "other: %s; remove one of these conditions", text.data);
	buf_release(&text);
	return -1;
}

/* Each time the first axis whose needs are met. */
static int put_in_order(struct axes *a, const struct design_options *o,
			struct error *err)
{
	struct axis *order = mem_zalloc(a->n, sizeof(*order));
	bool *placed = mem_zalloc(a->n, sizeof(*placed));
	bool *needs = dependencies(a);
	size_t n = 0, last = 0;
	int rc = 0;

	while (n < a->n && !rc) {
		size_t i = 0;

		while (i < a->n && (placed[i] ||
		       first_need(a, needs, placed, i) < a->n))
			i++;
		if (i == a->n) {
			for (i = 0; placed[i]; i++)
				;
			rc = refuse_cycle(a, o, needs, placed, i, err);
			break;
		}
		if (i < last)
			a->sorted = false;
		last = i;
		placed[i] = true;
		order[n++] = a->items[i];
	}
	if (!rc)
		memcpy(a->items, order, n * sizeof(*order));
	free(order);
	free(placed);
	free(needs);
	return rc;
}

int axes_make(struct axes *a, const struct design_options *o,
	      struct error *err)
{
	*a = (struct axes){ .sorted = true };
	if (gather(a, o, err))
		return -1;
	for (size_t i = 0; i < a->n; i++)
		if (a->items[i].conditional && a->items[i].n > 1)
			a->sorted = false;
	return put_in_order(a, o, err);
}

void axes_release(struct axes *a)
{
	for (size_t i = 0; i < a->n; i++) {
		free(a->items[i].factors);
		free(a->items[i].existences);
	}
	free(a->items);
	*a = (struct axes){ .items = NULL };
}

int axis_exist(const struct axis *a, const struct design_options *o,
	       const uint16_t *levels, bool *exists, struct error *err)
{
	int n = 0;

	for (size_t i = 0; i < a->n; i++) {
		const struct design_existence *e = a->existences[i];
		int answer = 1;

		if (e)
			answer = e->when.holds(e->when.ctx, levels, err);
		if (answer < 0)
			return design_blame(o, DESIGN_PART_EXISTENCE,
					    (size_t)(e - o->existences));
		exists[i] = answer;
		n += answer;
	}
	return n;
}

void axis_put(const struct axis *a, const bool *exists, uint16_t level,
	      uint16_t *levels)
{
	for (size_t i = 0; i < a->n; i++)
		levels[a->factors[i]] = exists[i] ? level : DESIGN_ABSENT;
}
