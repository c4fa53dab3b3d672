#include "cmd/analysis.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "cmd/cells.h"
#include "cmd/program.h"
#include "cmd/reading.h"
#include "cmd/subject.h"
#include "orchestrate/store/store_query.h"

/* What was left out is a matter of runs: counted once for a benchmark. */
static int count_runs(struct analysis *a, const struct cells *c,
		      struct error *err)
{
	struct sample all = SAMPLE_INIT;
	int rc = cells_sample(c, NULL, 0, &all, err);

	if (!rc && c->response == 0)
		run_counts_add(&a->counts, &all);
	sample_release(&all);
	if (c->response == 0) {
		a->n_foreign += c->n_foreign;
		a->n_beyond += c->n_beyond;
	}
	return rc;
}

/* Warnings of the means; those of the ratios come with the comparisons. */
static int gather_warnings(struct analysis *a, const struct cells *c,
			   struct error *err)
{
	struct buf name = BUF_INIT;
	int rc = 0;

	for (size_t t = 0; t < a->subject->expansion.design.n_treatments && !rc; t++) {
		struct estimate e;

		if (!cells_measures(c, t))
			continue;
		rc = estimate_sample(cells_treatment(c, t), CELL_MEAN_CI,
				     a->level, &e, err);
		if (rc)
			break;
		buf_clear(&name);
		reading_response(&name, a->subject, c->benchmark, c->response);
		buf_adds(&name, ", ");
		reading_treatment(&name, a->subject, t);
		warning_counts_add(&a->warnings, &e, name.data);
	}
	buf_release(&name);
	return rc;
}

/* Warnings of the ratios. */
static void gather_comparison(struct analysis *a, const struct comparison *c)
{
	struct buf name = BUF_INIT;

	reading_response(&name, a->subject, c->benchmark, c->response);
	buf_adds(&name, ", ");
	reading_treatment(&name, a->subject, c->treatment);
	buf_adds(&name, " against ");
	reading_treatment(&name, a->subject, c->base);
	warning_counts_add(&a->warnings, &c->ratio, name.data);
	buf_release(&name);
}

static int add_response(struct analysis *a, size_t benchmark, size_t response,
			struct error *err)
{
	struct cells *c = &a->cells[a->n_cells++];

	if (cells_load(c, a->subject, benchmark, response, err) ||
	    count_runs(a, c, err) || gather_warnings(a, c, err))
		return -1;
	comparisons_add(&a->comparisons, c, a->level);
	return 0;
}

static size_t count_responses(const struct experiment *e)
{
	size_t n = 0;

	for (size_t b = 0; b < e->n_benchmarks; b++)
		n += e->benchmarks[b].n_responses;
	return n;
}

static bool has_runs(const struct analysis *a)
{
	for (size_t i = 0; i < a->n_cells; i++)
		if (a->cells[i].frame.n_runs)
			return true;
	return false;
}

int analysis_make(struct analysis *a, const struct subject *s, double level,
		  struct error *err)
{
	const struct experiment *e = &s->experiment;

	*a = (struct analysis){ .subject = s, .level = level };
	a->cells = mem_zalloc(count_responses(e) + 1, sizeof(*a->cells));
	for (size_t b = 0; b < e->n_benchmarks; b++)
		for (size_t r = 0; r < e->benchmarks[b].n_responses; r++)
			if (add_response(a, b, r, err))
				return -1;
	if (!has_runs(a))
		return error_set(err, ERROR_USAGE,
				 "no run is recorded in campaign %.8s of %s "
				 "yet: make them with '%s run %s'",
				 s->campaign.uuid, s->store_path,
				 program_name(), s->words);
	for (size_t i = 0; i < a->comparisons.n; i++)
		gather_comparison(a, &a->comparisons.items[i]);
	comparisons_rank(&a->comparisons);
	return store_made_again(s->store, s->campaign.id, &a->n_again, err);
}

void analysis_release(struct analysis *a)
{
	for (size_t i = 0; i < a->n_cells; i++)
		cells_release(&a->cells[i]);
	free(a->cells);
	comparisons_release(&a->comparisons);
	warning_counts_release(&a->warnings);
	*a = (struct analysis){ .subject = NULL };
}
