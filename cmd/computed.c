#include "cmd/computed.h"

#include "base/strlist.h"
#include "cmd/facts.h"
#include "cmd/print.h"
#include "cmd/problems_print.h"
#include "cmd/subject.h"
#include "orchestrate/exec/planned.h"
#include "orchestrate/schedule/partners.h"

#define TREATMENTS_TRIED 1000

int computed_counts(const struct subject *s, const struct schedule *schedule)
{
	struct problems problems = PROBLEMS_INIT;
	int rc = 0;

	if (!facts_are_missing(&s->experiment))
		partners_check(schedule, &problems);
	if (problems.n) {
		problems_print(&problems);
		rc = 2;
	}
	problems_release(&problems);
	return rc;
}

int computed_all(const struct subject *s, const struct schedule *schedule)
{
	struct strlist faults = STRLIST_INIT;
	int rc = 0;

	if (facts_are_missing(&s->experiment))
		return 0;
	planned_faults(&s->experiment, schedule, TREATMENTS_TRIED, &faults);
	for (size_t i = 0; i < faults.n; i++)
		print_note("%s", faults.items[i]);
	if (faults.n) {
		print_note("%zu problem%s", faults.n,
			   faults.n == 1 ? "" : "s");
		rc = 2;
	}
	strlist_release(&faults);
	return rc ? rc : computed_counts(s, schedule);
}
