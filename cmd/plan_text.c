#include "cmd/plan_text.h"

#include <inttypes.h>

#include "base/buf.h"
#include "cmd/plan.h"
#include "cmd/subset_text.h"
#include "cmd/subject.h"

void plan_head(struct buf *out, const struct plan *p)
{
	buf_addf(out, "%s: ", p->subject->experiment.name);
	planning_counts(out, p->subject, &p->schedule);
	buf_addc(out, '\n');
}

/* The seed matters where anything is drawn. */
static void add_order(struct buf *out, const struct plan *p)
{
	const struct experiment *e = &p->subject->experiment;
	size_t n_drawn = 0;

	for (size_t m = 0; m < e->n_matrices; m++)
		n_drawn += e->matrices[m].order == ORDER_RANDOMIZED;
	if (n_drawn)
		buf_addf(out, "  order     randomized, seed %" PRIu64 " (%s)%s\n",
			 p->schedule.seed, seed_origin_text(p->origin),
			 n_drawn < e->n_matrices
				 ? "; of some matrices as written"
				 : "");
	else
		buf_adds(out, "  order     as written\n");
}

static void add_subset(struct buf *out, const struct plan *p)
{
	if (subset_is_all(&p->subset))
		return;
	buf_adds(out, "  part      ");
	subset_text(out, &p->subset);
	buf_addc(out, '\n');
}

static void add_facts(struct buf *out, const struct plan *p)
{
	const struct experiment *e = &p->subject->experiment;

	for (size_t i = 0; i < e->n_facts; i++)
		buf_addf(out, "  fact      %s of %s is %s\n", e->facts[i].fact,
			 e->facts[i].host,
			 e->facts[i].known ? e->facts[i].value
					   : "not known yet");
}

static void add_recorded(struct buf *out, const struct plan *p)
{
	const struct subject *s = p->subject;
	const struct tally_counts *total = &p->tally.total;

	if (p->resumes) {
		buf_addf(out, "  recorded  %zu of %zu in %s (",
			 total->planned - total->missing, total->planned,
			 s->store_path);
		tally_outcomes(out, total);
		buf_addf(out, "; campaign %.8s)\n", s->campaign.uuid);
		return;
	}
	buf_addf(out, "  recorded  none in %s", s->store_path);
	if (p->recorded_other)
		buf_addf(out, " of what the file measures today: campaign "
			      "%.8s measured something else, a new one would "
			      "begin",
			 s->campaign.uuid);
	buf_addc(out, '\n');
}

static void add_cost(struct buf *out, const struct plan *p)
{
	buf_adds(out, "  cost      ");
	forecast_cost(out, &p->forecast);
	buf_addc(out, '\n');
	if (!p->forecast.cost.n_runs)
		return;
	buf_adds(out, "  time      ");
	forecast_sources(out, &p->forecast);
	buf_addc(out, '\n');
}

void plan_text(struct buf *out, const struct plan *p, size_t limit)
{
	plan_designs(out, p);
	plan_factors(out, p);
	add_facts(out, p);
	add_subset(out, p);
	add_order(out, p);
	add_recorded(out, p);
	add_cost(out, p);
	plan_aliases(out, p);
	plan_treatments(out, p, limit);
	plan_runs(out, p, limit);
}
