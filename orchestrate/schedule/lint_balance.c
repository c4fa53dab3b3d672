#include "orchestrate/schedule/lint_private.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"

#define LEVELS_SHOWN 6

void lint_unused_levels(struct lint *l)
{
	const struct design *d = &l->x->design;
	const struct experiment *e = l->e;

	for (size_t f = 0; f < e->n_factors; f++) {
		size_t n_levels = e->factors[f].n_levels, missing = n_levels;
		bool *seen = mem_zalloc(n_levels, sizeof(*seen));

		for (size_t t = 0; missing && t < d->n_treatments; t++) {
			size_t level = d->cells[t * d->n_factors + f];

			if (level == DESIGN_ABSENT || seen[level])
				continue;
			seen[level] = true;
			missing--;
		}
		for (size_t i = 0; missing && i < n_levels; i++)
			if (!seen[i])
				lint_warn(l, e->uses[f].mark,
					  "level \"%s\" of factor \"%s\" is in "
					  "no treatment: it is not measured; "
					  "change the filters, or leave it out",
					  e->factors[f].levels[i].name,
					  e->factors[f].name);
		free(seen);
	}
}

/* Whether under some levels of the factor another one never exists and under
 * some it does: such a factor has more treatments where that exists. */
static bool decides_existence(const struct lint *l, size_t factor,
			      size_t other)
{
	size_t n_levels = l->e->factors[factor].n_levels;
	size_t n_with = 0, n_without = 0;
	bool *with = mem_zalloc(n_levels, sizeof(*with));
	bool *seen = mem_zalloc(n_levels, sizeof(*seen));

	for (size_t i = 0; i < l->n; i++) {
		size_t level = lint_level(l, i, factor);

		if (level == DESIGN_ABSENT)
			continue;
		seen[level] = true;
		with[level] |= lint_level(l, i, other) != DESIGN_ABSENT;
	}
	for (size_t i = 0; i < n_levels; i++) {
		n_with += seen[i] && with[i];
		n_without += seen[i] && !with[i];
	}
	free(with);
	free(seen);
	return n_with && n_without;
}

static bool is_unequal(const struct lint *l, const size_t *count,
		       size_t factor)
{
	size_t common = 0;

	for (size_t i = 0; i < l->e->factors[factor].n_levels; i++) {
		if (!count[i])
			continue;
		if (common && count[i] != common)
			return true;
		common = count[i];
	}
	return false;
}

static bool is_unbalanced(const struct lint *l, size_t **counts, size_t factor)
{
	const struct experiment *e = l->e;

	if (!is_unequal(l, counts[factor], factor))
		return false;
	for (size_t g = 0; g < e->n_factors; g++) {
		size_t absent = counts[g][e->factors[g].n_levels];

		if (absent && absent < l->n && g != factor &&
		    decides_existence(l, factor, g))
			return false;
	}
	return true;
}

static void add_counts(struct buf *out, const struct factor *f,
		       const size_t *count)
{
	size_t shown = 0;

	buf_addf(out, "%s\"%s\" (", out->n ? ", " : "", f->name);
	for (size_t i = 0; i < f->n_levels; i++) {
		if (!count[i])
			continue;
		if (shown == LEVELS_SHOWN) {
			buf_adds(out, ", ...");
			break;
		}
		buf_addf(out, "%s%s %zu", shown++ ? ", " : "",
			 f->levels[i].name, count[i]);
	}
	buf_addc(out, ')');
}

void lint_balance(struct lint *l)
{
	const struct experiment *e = l->e;
	size_t **counts = mem_zalloc(e->n_factors, sizeof(*counts));
	struct buf text = BUF_INIT;

	/* the centre of a design of one factor at a time is in all axes */
	if (l->m->kind == DESIGN_ONE_AT_A_TIME)
		goto out;
	for (size_t f = 0; f < e->n_factors; f++)
		counts[f] = lint_count(l, f);
	for (size_t f = 0; f < e->n_factors; f++)
		if (is_unbalanced(l, counts, f))
			add_counts(&text, &e->factors[f], counts[f]);
	if (text.n)
		lint_warn_matrix(
			l, lint_mark(l, l->m->kind_mark, l->m->mark),
			"levels occur unequally often: %s; a mean over the "
			"other factors compares different treatments then: "
			"compare within them, or leave out whole levels",
			text.data);
out:
	for (size_t f = 0; f < e->n_factors; f++)
		free(counts[f]);
	free(counts);
	buf_release(&text);
}
