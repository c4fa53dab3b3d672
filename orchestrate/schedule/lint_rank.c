#include "orchestrate/schedule/lint_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

#define MOST_COLUMNS 400   /* cubic in them; more are not looked into */
#define SAMPLE 50000
#define ZERO 1e-7          /* of numbers between -1 and 1 */
#define NO_COLUMN UINT32_MAX

/*
 * The model matrix of main effects: a column of ones, and for each factor an
 * indicator of every level that occurs but the first. It is singular when some
 * effect is a sum of others. X'X holds numbers of treatments; scaled by its
 * diagonal and brought to reduced row echelon form, its columns without a
 * pivot are the sums (Golub and Van Loan, Matrix Computations, 3.4).
 */
struct model {
	uint32_t **column;   /* factor, level -> column */
	size_t *factor;      /* column -> factor */
	size_t p;            /* columns */
	double *a;           /* p x p */
	size_t *pivot;       /* column -> its row, or p */
};

/* Factors that go along with an earlier one have no columns. */
static bool goes_along(const struct lint *l, size_t factor)
{
	for (size_t i = 0; i < l->m->n_zips; i++)
		for (size_t k = 1; k < l->m->zips[i].n; k++)
			if (l->m->zips[i].factors[k] == factor)
				return true;
	return false;
}

static void add_columns(struct model *m, const struct lint *l, size_t factor)
{
	size_t n_levels = l->e->factors[factor].n_levels;
	size_t *count = lint_count(l, factor);
	bool first = true;

	m->column[factor] = mem_realloc(NULL, n_levels,
					sizeof(**m->column));
	for (size_t i = 0; i < n_levels; i++) {
		m->column[factor][i] = NO_COLUMN;
		if (!count[i] || goes_along(l, factor))
			continue;
		if (!first && m->p < MOST_COLUMNS) {
			m->factor[m->p] = factor;
			m->column[factor][i] = (uint32_t)m->p;
		}
		m->p += !first;
		first = false;
	}
	free(count);
}

static void model_init(struct model *m, const struct lint *l)
{
	*m = (struct model){ .p = 1 };
	m->column = mem_zalloc(l->e->n_factors, sizeof(*m->column));
	m->factor = mem_zalloc(MOST_COLUMNS, sizeof(*m->factor));
	for (size_t f = 0; f < l->e->n_factors; f++)
		add_columns(m, l, f);
	if (m->p > MOST_COLUMNS)
		return;
	m->a = mem_zalloc(m->p * m->p, sizeof(*m->a));
	m->pivot = mem_zalloc(m->p, sizeof(*m->pivot));
}

static void model_release(struct model *m, const struct lint *l)
{
	for (size_t f = 0; f < l->e->n_factors; f++)
		free(m->column[f]);
	free(m->column);
	free(m->factor);
	free(m->a);
	free(m->pivot);
}

/* X'X over every step-th treatment. `row` has room for the factors and 1. */
static void add_up(struct model *m, const struct lint *l, size_t step,
		   uint32_t *row)
{
	memset(m->a, 0, m->p * m->p * sizeof(*m->a));
	for (size_t i = 0; i < l->n; i += step) {
		size_t n = 0;

		row[n++] = 0;
		for (size_t f = 0; f < l->e->n_factors; f++) {
			size_t level = lint_level(l, i, f);

			if (level != DESIGN_ABSENT &&
			    m->column[f][level] != NO_COLUMN)
				row[n++] = m->column[f][level];
		}
		for (size_t r = 0; r < n; r++)
			for (size_t c = 0; c < n; c++)
				m->a[row[r] * m->p + row[c]]++;
	}
}

static void scale(struct model *m)
{
	double *d = mem_zalloc(m->p, sizeof(*d));

	for (size_t i = 0; i < m->p; i++)
		d[i] = sqrt(m->a[i * m->p + i]);
	for (size_t r = 0; r < m->p; r++)
		for (size_t c = 0; c < m->p; c++)
			if (d[r] > 0 && d[c] > 0)
				m->a[r * m->p + c] /= d[r] * d[c];
	free(d);
}

static size_t largest_row(const struct model *m, size_t from, size_t column)
{
	size_t best = from;

	for (size_t r = from + 1; r < m->p; r++)
		if (fabs(m->a[r * m->p + column]) >
		    fabs(m->a[best * m->p + column]))
			best = r;
	return best;
}

static void swap_rows(struct model *m, size_t a, size_t b)
{
	for (size_t c = 0; c < m->p && a != b; c++) {
		double x = m->a[a * m->p + c];

		m->a[a * m->p + c] = m->a[b * m->p + c];
		m->a[b * m->p + c] = x;
	}
}

/* Makes the column that of the identity. */
static void eliminate(struct model *m, size_t row, size_t column)
{
	double *pivot = m->a + row * m->p, by = pivot[column];

	for (size_t c = 0; c < m->p; c++)
		pivot[c] /= by;
	for (size_t r = 0; r < m->p; r++) {
		double factor = m->a[r * m->p + column];

		if (r == row || factor == 0)
			continue;
		for (size_t c = 0; c < m->p; c++)
			m->a[r * m->p + c] -= factor * pivot[c];
	}
}

/* The first column without a pivot, or p. */
static size_t reduce(struct model *m)
{
	size_t row = 0, first = m->p;

	scale(m);
	for (size_t c = 0; c < m->p; c++) {
		size_t best = largest_row(m, row, c);

		m->pivot[c] = m->p;
		if (fabs(m->a[best * m->p + c]) < ZERO) {
			first = first < m->p ? first : c;
			continue;
		}
		swap_rows(m, row, best);
		eliminate(m, row, c);
		m->pivot[c] = row++;
	}
	return first;
}

static void warn(struct lint *l, const struct model *m, size_t sum)
{
	bool *in = mem_zalloc(l->e->n_factors, sizeof(*in));
	struct buf text = BUF_INIT;

	for (size_t c = 1; c <= sum; c++)
		if (c == sum || (m->pivot[c] < m->p &&
				 fabs(m->a[m->pivot[c] * m->p + sum]) > ZERO))
			in[m->factor[c]] = true;
	for (size_t f = 0; f < l->e->n_factors; f++)
		if (in[f])
			buf_addf(&text, "%s\"%s\"", text.n ? ", " : "",
				 l->e->factors[f].name);
	lint_warn_matrix(l, lint_mark(l, l->m->kind_mark, l->m->mark),
			 "effects of %s cannot be told apart: in these %zu "
			 "treatments one is a sum of the others; add "
			 "treatments, or leave out a factor", text.data, l->n);
	buf_release(&text);
	free(in);
}

void lint_rank(struct lint *l)
{
	size_t step = l->n > SAMPLE ? l->n / SAMPLE | 1 : 1, sum;
	uint32_t *row = mem_realloc(NULL, l->e->n_factors + 1, sizeof(*row));
	struct model m;

	model_init(&m, l);
	if (m.p > MOST_COLUMNS)
		goto out;
	add_up(&m, l, step, row);
	sum = reduce(&m);
	/* what a part of the treatments can tell apart, all of them can */
	if (sum < m.p && step > 1) {
		add_up(&m, l, 1, row);
		sum = reduce(&m);
	}
	if (sum < m.p)
		warn(l, &m, sum);
out:
	model_release(&m, l);
	free(row);
}
