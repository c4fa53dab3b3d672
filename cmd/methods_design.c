#include "cmd/methods_design.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/error.h"
#include "cmd/planning.h"
#include "cmd/subject.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/schedule/schedule.h"
#include "stats/fraction.h"

#define MOST_WORDS 8

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

/* "regular fraction 2^(5-2) of resolution III (I = a*b*d = ...)" */
static void add_fraction(struct buf *out, const struct subject *s,
			 size_t matrix)
{
	struct error err = ERROR_INIT;
	struct fraction f;

	if (!expansion_fraction(&s->expansion, matrix, &f, &err)) {
		buf_addf(out, "regular fraction 2^(%zu-%zu) of resolution ",
			 f.k, f.p);
		fraction_add_resolution(f.resolution, out);
		buf_adds(out, " (");
		fraction_add_relation(&f, MOST_WORDS, out);
		buf_adds(out, ")");
	}
	fraction_release(&f);
}

static void add_kind(struct buf *out, const struct subject *s, size_t matrix)
{
	switch (s->experiment.matrices[matrix].kind) {
	case DESIGN_FULL_FACTORIAL:
		buf_adds(out, "full factorial");
		break;
	case DESIGN_ONE_AT_A_TIME:
		buf_adds(out, "variation of one factor at a time");
		break;
	case DESIGN_FRACTIONAL:
		add_fraction(out, s, matrix);
		break;
	case DESIGN_LATIN_SQUARE:
		buf_adds(out, "Latin square");
		break;
	case DESIGN_LIST:
		buf_adds(out, "list by hand");
		break;
	}
}

static void add_structure(struct buf *out, const struct experiment *e,
			  const struct matrix *m)
{
	for (size_t i = 0; i < m->n_zips; i++)
		for (size_t k = 0; k < m->zips[i].n; k++)
			buf_addf(out, "%s%s", k ? " with " : "; it links ",
				 e->factors[m->zips[i].factors[k]].name);
	for (size_t i = 0; i < m->n_existences; i++)
		buf_addf(out, "%s%s", i ? ", " : "; under some levels only "
						  "there is ",
			 e->factors[m->existences[i].factor].name);
}

/* "The design is a full factorial of 2 factors with 4 treatments, each to be
 * applied 5 times for each of 2 benchmarks" */
static void add_matrix(struct buf *out, const struct subject *s,
		       size_t matrix)
{
	const struct experiment *e = &s->experiment;
	const struct matrix *m = &e->matrices[matrix];
	size_t n = s->expansion.shares[matrix].n_treatments;

	if (e->n_matrices > 1)
		buf_addf(out, "The design of matrix %s is a ", m->name);
	else
		buf_adds(out, "The design is a ");
	add_kind(out, s, matrix);
	buf_addf(out, " of %zu factor%s with %zu treatment%s, each to be "
		      "applied ", m->n_factors, plural(m->n_factors), n,
		 plural(n));
	buf_addf(out, "%" PRIu32, m->replicates);
	if (m->replicates_max > m->replicates)
		buf_addf(out, " to %" PRIu32, m->replicates_max);
	buf_addf(out, " time%s%s for each of %zu benchmark%s",
		 plural(m->replicates_max),
		 m->blocks == BLOCK_HOST ? " on every host" : "",
		 m->n_benchmarks, plural(m->n_benchmarks));
	add_structure(out, e, m);
}

static void add_order(struct buf *out, const struct experiment *e,
		      const struct schedule *schedule)
{
	size_t n_written = 0;

	for (size_t i = 0; i < e->n_matrices; i++)
		n_written += e->matrices[i].order == ORDER_AS_WRITTEN;
	if (n_written < e->n_matrices)
		buf_addf(out,
			 "Replicates form rounds, one after the other; within "
			 "a round the order of the runs was drawn at random "
			 "(xoshiro256**, seed %" PRIu64 ").",
			 schedule->seed);
	if (!n_written)
		return;
	if (n_written == e->n_matrices)
		buf_adds(out, "The runs were");
	else
		buf_addf(out, " Those of %zu of the matrices were", n_written);
	buf_adds(out, " made in the order they are written, which leaves "
		      "drifts of the machine mixed up with the treatments.");
}

void methods_design(struct buf *out, const struct subject *s,
		    const struct schedule *schedule)
{
	const struct experiment *e = &s->experiment;
	size_t n_hosts = planning_hosts(e);

	for (size_t i = 0; i < e->n_matrices; i++) {
		buf_adds(out, i ? ". " : "");
		add_matrix(out, s, i);
	}
	buf_addf(out, "%s%zu runs on %zu host%s. ",
		 e->n_matrices > 1 ? ". All together: " : ": ",
		 schedule->n_runs, n_hosts, plural(n_hosts));
	if (s->expansion.n_excluded)
		buf_addf(out, "Filters left out %zu combination%s. ",
			 s->expansion.n_excluded,
			 plural(s->expansion.n_excluded));
	add_order(out, e, schedule);
}
