#include "cmd/plan.h"

#include "cmd/computed.h"
#include "cmd/subject.h"

int plan_begin(struct plan *p, struct subject *s,
	       const struct opt_integer *seed, bool fresh, struct error *err)
{
	bool same = subject_same_recipe(s);

	*p = (struct plan){
		.subject = s,
		.resumes = same && !fresh,
		.recorded_other = s->has_campaign && !same,
	};
	if (planning_schedule(&p->schedule, s,
			      planning_seed(s, seed, p->resumes, &p->origin),
			      &p->subset, err))
		return -1;
	return computed_counts(s, &p->schedule);
}

int plan_count(struct plan *p, struct error *err)
{
	bool has_campaign = p->subject->has_campaign;
	int rc;

	/* what another recipe's campaign recorded is none of ours */
	p->subject->has_campaign = p->resumes;
	rc = tally_make(&p->tally, p->subject, &p->schedule, err);
	if (!rc)
		rc = forecast_make(&p->forecast, p->subject, &p->schedule,
				   &p->tally, err);
	p->subject->has_campaign = has_campaign;
	return rc;
}

void plan_release(struct plan *p)
{
	forecast_release(&p->forecast);
	tally_release(&p->tally);
	subset_release(&p->subset);
	schedule_release(&p->schedule);
}
