#include "cmd/methods.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "cmd/plan_text.h"
#include "cmd/planning.h"
#include "cmd/subject.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/layers.h"
#include "orchestrate/spec/treatment_def.h"
#include "stats/fraction.h"

#define RELATION_WORDS 8

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void add_replication(struct buf *out, const struct matrix *m)
{
	buf_addf(out, "each to be applied %" PRIu32 " time%s%s", m->replicates,
		 plural(m->replicates),
		 m->blocks == BLOCK_HOST ? " on every host" : "");
	if (m->replicates_max > m->replicates)
		buf_addf(out, " or more, up to %" PRIu32 ", until the "
			      "interval of %s is within +-%g %%",
			 m->replicates_max,
			 m->until.response ? m->until.response : "a response",
			 m->until.half_width * 100);
}

static void add_fraction(struct buf *out, const struct subject *s,
			 size_t matrix)
{
	struct error ignored = ERROR_INIT;
	struct fraction f;

	if (s->experiment.matrices[matrix].kind != DESIGN_FRACTIONAL)
		return;
	if (!expansion_fraction(&s->expansion, matrix, &f, &ignored)) {
		buf_adds(out, "Its resolution is ");
		fraction_add_resolution(f.resolution, out);
		buf_adds(out, ", its defining relation ");
		fraction_add_relation(&f, RELATION_WORDS, out);
		buf_adds(out, ": effects whose product is in it cannot be "
			      "told apart. ");
	}
	fraction_release(&f);
}

static void add_plots(struct buf *out, const struct experiment *e,
		      const struct matrix *m)
{
	size_t n = 0;

	for (size_t i = 0; i < m->n_factors; i++) {
		const struct factor *f = &e->factors[m->factors[i]];

		if (!f->hard)
			continue;
		buf_addf(out, "%s%s", n++ ? ", " : "Hard to change: ",
			 factor_label(f, e->report_language));
	}
	if (n)
		buf_adds(out, "; runs with the same levels of it were made "
			      "together (whole plots), the whole plots in "
			      "random order, and the runs within each in "
			      "random order. ");
}

static void add_matrix(struct buf *out, const struct subject *s, size_t i)
{
	const struct experiment *e = &s->experiment;
	const struct matrix *m = &e->matrices[i];
	size_t n = s->expansion.shares[i].n_treatments;

	if (*m->name)
		buf_addf(out, "Matrix %s is ", m->name);
	else
		buf_adds(out, "The design is ");
	buf_addf(out, "a %s of %zu factor%s with %zu treatment%s, ",
		 plan_design_name(m->kind), m->n_factors, plural(m->n_factors),
		 n, plural(n));
	add_replication(out, m);
	buf_addf(out, " for each of %zu benchmark%s. ", m->n_benchmarks,
		 plural(m->n_benchmarks));
	add_fraction(out, s, i);
	add_plots(out, e, m);
}

static bool is_drawn(const struct experiment *e)
{
	for (size_t m = 0; m < e->n_matrices; m++)
		if (e->matrices[m].order != ORDER_RANDOMIZED)
			return false;
	return true;
}

void methods_design(struct buf *out, const struct subject *s,
		    const struct schedule *schedule)
{
	const struct experiment *e = &s->experiment;
	size_t n_hosts = planning_hosts(e);

	for (size_t i = 0; i < e->n_matrices; i++)
		add_matrix(out, s, i);
	if (s->expansion.n_excluded && s->expansion.n_excluded != SIZE_MAX)
		buf_addf(out, "%zu combination%s of levels %s excluded. ",
			 s->expansion.n_excluded,
			 plural(s->expansion.n_excluded),
			 s->expansion.n_excluded == 1 ? "was" : "were");
	buf_addf(out, "That is %zu run%s on %zu host%s. ", schedule->n_runs,
		 plural(schedule->n_runs), n_hosts, plural(n_hosts));
	if (is_drawn(e))
		buf_addf(out,
			 "Replicates form rounds, one after the other; within "
			 "a round the order of the runs was drawn at random "
			 "(xoshiro256**, seed %" PRIu64 ").",
			 schedule->seed);
	else
		buf_adds(out, "Runs were made in the order they are "
			      "written, which leaves drifts of the machine "
			      "mixed up with the treatments.");
}

static void add_definition(struct buf *out, const struct experiment *e,
			   size_t factor)
{
	const char *name = e->uses[factor].definition;

	if (name)
		buf_addf(out, " (definition %s)", name);
	else
		buf_adds(out, " (definitions by level)");
}

void methods_settings(struct buf *out, const struct experiment *e)
{
	const char *before = "Settings: ";

	for (size_t l = 0; l < e->n_layers; l++) {
		const struct layer *layer = &e->layers[l];

		buf_adds(out, before);
		before = ", ";
		if (layer->kind == LAYER_SETUP) {
			buf_addf(out, "%s (a set-up)",
				 e->setups[layer->index].name);
			continue;
		}
		buf_adds(out, factor_label(&e->factors[layer->index],
					   e->report_language));
		add_definition(out, e, layer->index);
	}
	if (*before == ',')
		buf_adds(out,
			 ". Each was applied by its definition, read back "
			 "before and again after the measured command of "
			 "every run, and put back at the end to the state it "
			 "was found in. A run whose setting was not, or no "
			 "longer, in effect is invalid and does not count.");
}
