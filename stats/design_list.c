#include "base/buf.h"
#include "base/error.h"
#include "stats/axes.h"
#include "stats/design_kinds.h"
#include "stats/design_make.h"
#include "stats/design_rows.h"
#include "stats/factor.h"
#include "stats/row_index.h"

static int check_levels(const struct design_options *o, size_t row,
			const uint16_t *levels, struct error *err)
{
	for (size_t f = 0; f < o->n_factors; f++) {
		if (levels[f] == DESIGN_ABSENT)
			continue;
		if (!design_takes_part(o, f))
			return design_refuse(o, DESIGN_PART_ROW, row, err,
					     "row %zu of the list gives a "
					     "level to '%s', which is not "
					     "varied here", row + 1,
					     o->factors[f].name);
		if (levels[f] >= o->factors[f].n_levels)
			return design_refuse(o, DESIGN_PART_ROW, row, err,
					     "row %zu of the list: '%s' has no "
					     "level number %d", row + 1,
					     o->factors[f].name,
					     levels[f] + 1);
	}
	return 0;
}

static int check_existences(const struct design_options *o, size_t row,
			    const uint16_t *levels, struct error *err)
{
	for (size_t i = 0; i < o->n_existences; i++) {
		const struct design_existence *e = &o->existences[i];
		int exists;

		if (levels[e->factor] == DESIGN_ABSENT)
			continue;
		exists = e->when.holds(e->when.ctx, levels, err);
		if (exists < 0)
			return design_blame(o, DESIGN_PART_EXISTENCE, i);
		if (!exists)
			return design_refuse(o, DESIGN_PART_ROW, row, err,
					     "row %zu of the list gives a "
					     "level to '%s', which does not "
					     "exist under its other levels; "
					     "leave it out", row + 1,
					     o->factors[e->factor].name);
	}
	return 0;
}

static int refuse_twice(struct design_rows *r, size_t first, size_t row,
			struct error *err)
{
	const struct design as = { .factors = r->o->factors,
				   .n_factors = r->width, .cells = r->cells,
				   .n_treatments = r->n };
	struct buf key = BUF_INIT;

	treatment_key(&as, row, &key);
	design_refuse(r->o, DESIGN_PART_ROW, row, err,
		      "rows %zu and %zu of the list are the same treatment "
		      "(%s); remove one, `replicates` repeats them all",
		      first + 1, row + 1, key.data);
	buf_release(&key);
	return -1;
}

static int add_rows(struct design_rows *r, struct row_index *index,
		    struct error *err)
{
	const struct design_options *o = r->o;

	for (size_t i = 0; i < o->n_list; i++) {
		const uint16_t *levels = o->list + i * r->width;
		size_t at;

		if (check_levels(o, i, levels, err) ||
		    check_existences(o, i, levels, err) ||
		    design_rows_add(r, levels, err))
			return -1;
		at = row_index_put(index, r->cells, r->width, i);
		if (at != i)
			return refuse_twice(r, at, i, err);
	}
	return 0;
}

int design_list(struct design *d, const struct design_options *o,
		const struct axes *axes, struct error *err)
{
	struct row_index index = ROW_INDEX_INIT;
	struct design_rows rows;
	int rc = -1;

	(void)axes;
	if (o->n_zips)
		return design_refuse(o, DESIGN_PART_ZIP, 0, err,
				     "the rows of a list say which levels go "
				     "together; leave out `zip`");
	design_rows_init(&rows, o);
	if (!add_rows(&rows, &index, err))
		rc = design_rows_filter(&rows, err);
	design_rows_take(&rows, d);
	row_index_release(&index);
	return rc;
}
