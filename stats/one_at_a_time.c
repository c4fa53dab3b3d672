#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "stats/axes.h"
#include "stats/design_kinds.h"
#include "stats/design_make.h"
#include "stats/design_rows.h"
#include "stats/factor.h"
#include "stats/row_index.h"

struct making {
	const struct design_options *o;
	const struct axes *axes;
	struct design_rows rows;
	struct row_index index;
	size_t *base;      /* axis -> level */
	uint16_t *levels;
	bool *exists;      /* of one axis */
};

/* The base level of a factor; n_base when nobody gave one. */
static size_t given(const struct design_options *o, size_t factor)
{
	size_t i = 0;

	while (i < o->n_base && o->base[i].factor != factor)
		i++;
	return i;
}

static int axis_base(const struct axis *a, const struct design_options *o,
		     size_t *level, struct error *err)
{
	const struct setting *first = NULL;

	*level = 0;
	for (size_t i = 0; i < a->n; i++) {
		size_t at = given(o, a->factors[i]);

		if (at == o->n_base)
			continue;
		if (first && o->base[at].level != first->level)
			return design_refuse(o, DESIGN_PART_BASE, at, err,
					     "'%s' and '%s' are linked, but "
					     "the base gives them levels that "
					     "do not go together",
					     o->factors[first->factor].name,
					     o->factors[a->factors[i]].name);
		first = &o->base[at];
		*level = first->level;
	}
	return 0;
}

/* Adds the base with one axis at another level. */
static int add(struct making *m, size_t axis, size_t level, struct error *err)
{
	size_t n = m->rows.n;

	for (size_t i = 0; i < m->axes->n; i++) {
		const struct axis *a = &m->axes->items[i];

		if (axis_exist(a, m->o, m->levels, m->exists, err) < 0)
			return -1;
		axis_put(a, m->exists,
			 (uint16_t)(i == axis ? level : m->base[i]),
			 m->levels);
	}
	if (design_rows_add(&m->rows, m->levels, err))
		return -1;
	if (row_index_put(&m->index, m->rows.cells, m->rows.width, n) != n)
		m->rows.n--; /* what differs does not exist here */
	return 0;
}

/* The axis with this factor as its first. */
static size_t axis_from(const struct axes *axes, size_t factor)
{
	size_t i = 0;

	while (i < axes->n && axes->items[i].factors[0] != factor)
		i++;
	return i;
}

static int add_all(struct making *m, struct error *err)
{
	if (add(m, m->axes->n, 0, err))
		return -1;
	for (size_t f = 0; f < m->o->n_factors; f++) {
		size_t axis = axis_from(m->axes, f);

		if (axis == m->axes->n)
			continue;
		for (size_t l = 0; l < m->axes->items[axis].n_levels; l++)
			if (l != m->base[axis] && add(m, axis, l, err))
				return -1;
	}
	return design_rows_filter(&m->rows, err);
}

int design_one_at_a_time(struct design *d, const struct design_options *o,
			 const struct axes *axes, struct error *err)
{
	struct making m = { .o = o, .axes = axes, .index = ROW_INDEX_INIT };
	int rc = 0;

	design_rows_init(&m.rows, o);
	m.base = mem_zalloc(axes->n, sizeof(*m.base));
	m.exists = mem_zalloc(o->n_factors, sizeof(*m.exists));
	m.levels = mem_realloc(NULL, o->n_factors, sizeof(*m.levels));
	for (size_t i = 0; i < o->n_factors; i++)
		m.levels[i] = DESIGN_ABSENT;
	for (size_t i = 0; i < axes->n && !rc; i++)
		rc = axis_base(&axes->items[i], o, &m.base[i], err);
	if (!rc)
		rc = add_all(&m, err);
	design_rows_take(&m.rows, d);
	row_index_release(&m.index);
	free(m.base);
	free(m.exists);
	free(m.levels);
	return rc;
}
