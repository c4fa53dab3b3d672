#include "cmd/cells.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "cmd/program.h"
#include "cmd/subject.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/occurrence.h"
#include "orchestrate/spec/matrix.h"
#include "orchestrate/store/store_query.h"
#include "stats/design.h"

/* Runs under other treatments are foreign, even if another benchmark has
 * those. */
static void take_measured(struct cells *c)
{
	c->measured = expansion_measures(&c->subject->expansion, c->benchmark);
	for (size_t t = 0; t < c->selection.n; t++)
		if (!c->measured[t])
			c->selection.key[t] = SELECTION_NONE;
}

/* Runs that the file does not ask for. */
static void count_surplus(struct cells *c)
{
	bool *known = mem_zalloc(c->frame.n_keys + 1, sizeof(bool));
	size_t most = benchmark_replicates(&c->subject->experiment,
					  c->benchmark);

	for (size_t t = 0; t < c->selection.n; t++)
		if (c->selection.key[t] != SELECTION_NONE)
			known[c->selection.key[t]] = true;
	for (size_t i = 0; i < c->frame.n_runs; i++) {
		if (!known[c->frame.runs[i].treatment])
			c->n_foreign++;
		else if (c->frame.runs[i].replicate > most)
			c->n_beyond++;
	}
	free(known);
}

int cells_load(struct cells *c, const struct subject *s, size_t benchmark,
	       size_t response, struct error *err)
{
	const struct benchmark *b = &s->experiment.benchmarks[benchmark];

	*c = (struct cells){ .subject = s, .benchmark = benchmark,
			     .response = response };
	if (store_frame(s->store, s->campaign.id, b->name,
			b->responses[response].name, &c->frame, err))
		return -1;
	selection_build(&c->selection, &c->frame, &s->expansion.design);
	take_measured(c);
	c->samples = mem_zalloc(c->frame.n_keys + 1, sizeof(*c->samples));
	count_surplus(c);
	return sample_each_key(c->samples, &c->frame, err);
}

void cells_release(struct cells *c)
{
	for (size_t k = 0; c->samples && k < c->frame.n_keys; k++)
		sample_release(&c->samples[k]);
	free(c->samples);
	c->samples = NULL;
	free(c->measured);
	c->measured = NULL;
	selection_release(&c->selection);
	frame_release(&c->frame);
}

const struct benchmark *cells_benchmark(const struct cells *c)
{
	return &c->subject->experiment.benchmarks[c->benchmark];
}

const struct response *cells_response(const struct cells *c)
{
	return &cells_benchmark(c)->responses[c->response];
}

struct setting *cells_settings(const struct condition *where, size_t n)
{
	struct setting *settings = mem_zalloc(n + 1, sizeof(*settings));

	for (size_t i = 0; i < n; i++)
		settings[i] = (struct setting){ where[i].factor,
						where[i].level };
	return settings;
}

int cells_sample(const struct cells *c, const struct condition *where,
		 size_t n_where, struct sample *out, struct error *err)
{
	bool *selected = mem_zalloc(c->frame.n_keys + 1, sizeof(bool));
	struct setting *settings = cells_settings(where, n_where);
	int rc;

	selection_mark(&c->selection, &c->frame, &c->subject->expansion.design,
		       settings, n_where, selected);
	rc = sample_from_frame(out, &c->frame, selected, err);
	free(settings);
	free(selected);
	return rc;
}

void cells_occurrences(const struct cells *c, const size_t *factors,
		       size_t n_factors, const struct condition *where,
		       size_t n_where, struct occurrences *out)
{
	occurrences_make(out, &c->subject->expansion.design, c->measured,
			 factors, n_factors, where, n_where);
}

int cells_none(const struct cells *c, bool any, const char *what,
	       const char *name, struct error *err)
{
	if (!any)
		return error_set(err, ERROR_USAGE,
				 "%s '%s': no treatment of benchmark '%s' has "
				 "what \"where\" fixes: fix other levels",
				 what, name, cells_benchmark(c)->name);
	return error_set(err, ERROR_USAGE,
			 "%s '%s' has no run to show yet: make them with '%s "
			 "run %s'",
			 what, name, program_name(), c->subject->words);
}

const char *cells_level(const struct cells *c, size_t factor, size_t level)
{
	const struct experiment *e = &c->subject->experiment;

	return level == DESIGN_ABSENT
		       ? "–"
		       : level_label(&e->factors[factor].levels[level],
				     e->report_language);
}

bool cells_measures(const struct cells *c, size_t treatment)
{
	return c->measured[treatment];
}

const struct sample *cells_treatment(const struct cells *c, size_t treatment)
{
	static const struct sample none = SAMPLE_INIT;
	size_t key = c->selection.key[treatment];

	return key == SELECTION_NONE ? &none : &c->samples[key];
}
