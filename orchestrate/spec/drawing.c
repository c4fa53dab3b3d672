#include "orchestrate/spec/drawing.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/mem.h"
#include "orchestrate/spec/absence.h"
#include "orchestrate/spec/drawing_fraction.h"
#include "orchestrate/spec/matrix.h"

bool drawing_has_row(const struct drawing *d, int factor)
{
	for (size_t i = 0; i < d->n_rows; i++)
		if (d->rows[i] == (size_t)factor)
			return true;
	return false;
}

bool drawing_shows(const struct drawing *d, int factor)
{
	return d->x == factor || d->series == factor ||
	       d->columns == factor || drawing_has_row(d, factor);
}

static bool fixes(const struct drawing *d, size_t factor)
{
	for (size_t i = 0; i < d->n_where; i++)
		if (d->where[i].factor == factor)
			return true;
	return false;
}

/* Whether a matrix that makes the benchmark varies the factor. */
static bool is_varied(const struct experiment *e, int benchmark, size_t factor)
{
	for (size_t i = 0; i < e->n_matrices; i++)
		if (matrix_has_benchmark(&e->matrices[i], (size_t)benchmark) &&
		    matrix_has_factor(&e->matrices[i], factor))
			return true;
	return false;
}

static bool is_made(const struct experiment *e, int benchmark)
{
	for (size_t i = 0; i < e->n_matrices; i++)
		if (matrix_has_benchmark(&e->matrices[i], (size_t)benchmark))
			return true;
	return false;
}

/* What is shown or fixed must be there in some run of the benchmark. */
static void check_varied(struct reading *r, struct drawing *d)
{
	const struct experiment *e = r->e;
	size_t before = r->problems->total;

	if (d->faulty || d->benchmark < 0 || !is_made(e, d->benchmark))
		return;
	for (size_t i = 0; i < e->n_factors; i++)
		if ((drawing_shows(d, (int)i) || fixes(d, i)) &&
		    !is_varied(e, d->benchmark, i))
			problems_add(r->problems, d->mark,
				     "%s \"%s\" %s factor \"%s\", which no "
				     "matrix of benchmark \"%s\" has: use "
				     "another factor, or add it to a matrix",
				     d->what, d->name,
				     fixes(d, i) ? "fixes" : "shows",
				     e->factors[i].name,
				     e->benchmarks[d->benchmark].name);
	d->faulty |= r->problems->total > before;
}

/* Whether the matrix has the factor go along with one that is shown or
 * fixed. */
static bool goes_along(const struct matrix *m, const struct drawing *d,
		       size_t factor)
{
	for (size_t i = 0; i < m->n_zips; i++) {
		const struct zip *z = &m->zips[i];
		bool has = false, told = false;

		for (size_t k = 0; k < z->n; k++) {
			has |= z->factors[k] == factor;
			told |= drawing_shows(d, (int)z->factors[k]) ||
				fixes(d, z->factors[k]);
		}
		if (has)
			return told;
	}
	return false;
}

static bool is_settled(const struct drawing *d, int factor)
{
	return factor >= 0 &&
	       (drawing_shows(d, factor) || fixes(d, (size_t)factor));
}

/* Of rows, columns and letters any two tell the third. */
static bool follows_in_square(const struct matrix *m, const struct drawing *d,
			      size_t factor)
{
	const int sides[] = { m->latin.rows, m->latin.columns,
			      m->latin.letters };
	bool has = false;
	int told = 0;

	if (m->kind != DESIGN_LATIN_SQUARE)
		return false;
	for (int i = 0; i < 3; i++) {
		has |= sides[i] == (int)factor;
		told += is_settled(d, sides[i]);
	}
	return has && told == 2;
}

static bool follows_in_fraction(const struct experiment *e,
				const struct matrix *m,
				const struct drawing *d, size_t factor)
{
	struct fraction_span s;
	bool follows = false;

	if (m->kind != DESIGN_FRACTIONAL)
		return false;
	if (!fraction_span_init(&s, e, m)) {
		/* which level does not matter here */
		for (size_t f = 0; f < e->n_factors; f++)
			if (is_settled(d, (int)f))
				fraction_span_add(&s, f, 0);
		follows = fraction_span_level(&s, factor) >= 0;
	}
	fraction_span_release(&s);
	return follows;
}

/* Whether the factor's level follows from what is shown and fixed, in all
 * matrices that make the benchmark. */
static bool is_told(const struct experiment *e, const struct drawing *d,
		    size_t factor)
{
	for (size_t i = 0; i < e->n_matrices; i++) {
		const struct matrix *m = &e->matrices[i];

		if (matrix_has_benchmark(m, (size_t)d->benchmark) &&
		    matrix_has_factor(m, factor) &&
		    !goes_along(m, d, factor) &&
		    !follows_in_square(m, d, factor) &&
		    !follows_in_fraction(e, m, d, factor))
			return false;
	}
	return true;
}

/* Whether the drawing has more than one level of the factor to tell apart. */
static bool must_tell(const struct experiment *e, const struct drawing *d,
		      size_t factor)
{
	return e->factors[factor].n_levels > 1 &&
	       !drawing_shows(d, (int)factor) && !fixes(d, factor) &&
	       (d->benchmark < 0 || !is_told(e, d, factor));
}

/* 'add "where: {place: disk}"'; the caller frees it. */
static char *where_text(const struct experiment *e, const struct drawing *d,
			size_t factor)
{
	const struct factor *f = &e->factors[factor];
	size_t level = drawing_level(e, d, factor);

	if (level == LEVEL_UNKNOWN)
		return mem_printf("fix one of them with \"where\" that there "
				  "is together with what is shown,");
	if (level == DESIGN_ABSENT)
		return mem_printf("add \"where: {%s: '%s'}\"", f->name,
				  ABSENT_NAME);
	return mem_printf("add \"where: {%s: %s}\"", f->name,
			  f->levels[level].name);
}

/* A factor that is neither shown nor fixed would be averaged over. */
static void check_pooled(struct reading *r, const struct drawing *d,
			 bool chart)
{
	const char *show = !chart ? "its rows or columns" :
			   d->series < 0 ? "series" : NULL;

	for (size_t i = 0; i < r->e->n_factors && !d->faulty; i++) {
		const struct factor *f = &r->e->factors[i];
		char *where;

		if (!must_tell(r->e, d, i))
			continue;
		where = where_text(r->e, d, i);
		problems_add(r->problems, d->mark,
			     "%s \"%s\" neither shows nor fixes factor "
			     "\"%s\", whose %zu levels must not be pooled: "
			     "%s%s%s", d->what, d->name, f->name, f->n_levels,
			     where, show ? " or put it into " : "",
			     show ? show : "");
		free(where);
	}
}

static void check_benchmark(struct reading *r, const struct drawing *d)
{
	if (d->benchmark >= 0 || d->faulty || r->e->n_benchmarks < 2)
		return;
	problems_add(r->problems, d->mark,
		     "%s \"%s\" needs the key \"benchmark\": there are %zu of "
		     "them", d->what, d->name, r->e->n_benchmarks);
}

void drawing_check(struct reading *r, struct drawing *d, bool chart)
{
	check_benchmark(r, d);
	check_varied(r, d);
	check_pooled(r, d, chart);
}
