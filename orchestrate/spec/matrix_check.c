#include <inttypes.h>
#include <stdint.h>

#include "orchestrate/spec/experiment_parse.h"
#include "orchestrate/spec/matrix.h"
#include "stats/design.h"

/* Where the size of the only matrix, or of one of them, is decided. */
static struct mark place_of(const struct reading *r, const struct matrix *m)
{
	const struct yaml_pair *factors = yaml_get(r->root, "factors");

	return *m->name || !factors ? m->mark : factors->mark;
}

/* Whether all combinations of its axes are treatments. If not, how many there
 * are is known when it is expanded. */
static bool is_plain(const struct matrix *m)
{
	return m->kind == DESIGN_FULL_FACTORIAL && !m->n_include &&
	       !m->n_exclude && !m->n_existences;
}

/* Whether the factor goes along with one that is counted. */
static bool follows(const struct matrix *m, size_t factor)
{
	for (size_t i = 0; i < m->n_zips; i++)
		for (size_t k = 1; k < m->zips[i].n; k++)
			if (m->zips[i].factors[k] == factor)
				return true;
	return false;
}

/* The number of treatments; 0 after reporting that there are too many. */
static uint64_t combine(struct reading *r, const struct matrix *m)
{
	uint64_t treatments = 1;

	for (size_t i = 0; i < m->n_factors; i++) {
		size_t n = r->e->factors[m->factors[i]].n_levels;

		if (n && !follows(m, m->factors[i]))
			treatments *= n;
		if (treatments <= DESIGN_MAX_TREATMENTS)
			continue;
		problems_add(r->problems, place_of(r, m),
			     "too many treatments: the levels of the first "
			     "%zu factors alone combine to %" PRIu64
			     ", at most %d are possible", i + 1, treatments,
			     DESIGN_MAX_TREATMENTS);
		return 0;
	}
	return treatments;
}

static void check_size(struct reading *r, const struct matrix *m)
{
	uint64_t treatments = m->kind == DESIGN_LIST ? m->n_list :
						       combine(r, m);
	uint64_t runs = treatments * m->replicates_max;

	if (!m->n_benchmarks || runs <= EXPERIMENT_MAX_RUNS / m->n_benchmarks)
		return;
	problems_add(r->problems, place_of(r, m),
		     "too many runs: %" PRIu64 " treatments x %" PRIu32
		     " replicates x %zu benchmarks, at most %d are possible",
		     treatments, m->replicates_max, m->n_benchmarks,
		     EXPERIMENT_MAX_RUNS);
}

void matrices_check(struct reading *r)
{
	for (size_t i = 0; i < r->e->n_matrices; i++) {
		const struct matrix *m = &r->e->matrices[i];

		if (is_plain(m) || m->kind == DESIGN_LIST)
			check_size(r, m);
	}
}

typedef bool matrix_has(const struct matrix *m, size_t i);

static bool is_anywhere(const struct experiment *e, matrix_has *has, size_t i)
{
	for (size_t k = 0; k < e->n_matrices; k++)
		if (has(&e->matrices[k], i))
			return true;
	return false;
}

void matrices_warn(struct reading *r)
{
	const struct experiment *e = r->e;

	for (size_t i = 0; i < e->n_factors; i++)
		if (!is_anywhere(e, matrix_has_factor, i))
			reading_warn(r, e->uses[i].mark,
				     "factor \"%s\" is in no matrix: nothing "
				     "varies it", e->factors[i].name);
	for (size_t i = 0; i < e->n_benchmarks; i++)
		if (!is_anywhere(e, matrix_has_benchmark, i))
			reading_warn(r, e->benchmarks[i].mark,
				     "benchmark \"%s\" is in no matrix: it is "
				     "not measured", e->benchmarks[i].name);
}
