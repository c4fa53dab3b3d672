#include "orchestrate/spec/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/filter.h"
#include "stats/fraction.h"

static void filters_free(struct filter **items, size_t n)
{
	for (size_t i = 0; i < n; i++)
		filter_free(items[i]);
	free(items);
}

void matrix_release(struct matrix *m)
{
	free(m->name);
	strlist_release(&m->tags);
	free(m->factors);
	free(m->benchmarks);
	for (size_t i = 0; i < m->n_zips; i++)
		free(m->zips[i].factors);
	free(m->zips);
	filters_free(m->include, m->n_include);
	filters_free(m->exclude, m->n_exclude);
	for (size_t i = 0; i < m->n_existences; i++)
		filter_free(m->existences[i].when);
	free(m->existences);
	free(m->base);
	for (size_t i = 0; i < m->n_generators; i++)
		free(m->generators[i].of);
	free(m->generators);
	free(m->list);
	free(m->until.response);
}

void matrix_take_all(struct matrix *m, const struct experiment *e)
{
	m->factors = mem_zalloc(e->n_factors, sizeof(*m->factors));
	for (size_t i = 0; i < e->n_factors; i++)
		m->factors[m->n_factors++] = i;
	m->benchmarks = mem_zalloc(e->n_benchmarks, sizeof(*m->benchmarks));
	for (size_t i = 0; i < e->n_benchmarks; i++)
		m->benchmarks[m->n_benchmarks++] = i;
}

static bool has(const size_t *items, size_t n, size_t wanted)
{
	for (size_t i = 0; i < n; i++)
		if (items[i] == wanted)
			return true;
	return false;
}

bool matrix_has_factor(const struct matrix *m, size_t factor)
{
	return has(m->factors, m->n_factors, factor);
}

bool matrix_has_benchmark(const struct matrix *m, size_t benchmark)
{
	return has(m->benchmarks, m->n_benchmarks, benchmark);
}

/* Hosts that may run it. */
static size_t pool_size(const struct experiment *e, size_t benchmark)
{
	for (size_t r = 0; r < e->n_roles; r++)
		if (!strcmp(e->roles[r].name, e->benchmarks[benchmark].role))
			return e->roles[r].n_hosts;
	return 1;
}

/* Whether a replicate is a run on every host: hosts are blocks, or rows of a
 * Latin square of hosts and rounds. */
static bool has_hosts(const struct matrix *m)
{
	const struct latin *l = &m->latin;

	if (m->kind == DESIGN_LATIN_SQUARE &&
	    (l->rows < 0 || l->columns < 0))
		return l->rows < 0 && l->columns < 0;
	return m->blocks == BLOCK_HOST;
}

size_t benchmark_replicates(const struct experiment *e, size_t benchmark)
{
	size_t most = 0;

	for (size_t i = 0; i < e->n_matrices; i++) {
		const struct matrix *m = &e->matrices[i];
		size_t n = m->replicates_max;

		if (!matrix_has_benchmark(m, benchmark))
			continue;
		if (has_hosts(m))
			n *= pool_size(e, benchmark);
		if (n > most)
			most = n;
	}
	return most;
}
