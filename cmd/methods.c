#include "cmd/methods.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/strlist.h"
#include "cmd/methods_design.h"
#include "cmd/subject.h"
#include "cmd/tally.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/treatment_def.h"

static void push(struct strlist *out, struct buf *text)
{
	strlist_push(out, text->data);
	buf_clear(text);
}

static void add_settings(struct buf *out, const struct experiment *e)
{
	const char *before = "Settings: ";

	for (size_t f = 0; f < e->n_factors; f++) {
		if (!e->uses[f].treatment.def)
			continue;
		buf_addf(out, "%s%s (definition %s)", before,
			 factor_label(&e->factors[f], e->report_language),
			 e->uses[f].definition);
		before = ", ";
	}
	if (*before == ',')
		buf_adds(out,
			 ". Each was applied by its definition, read back "
			 "before and again after the measured command of "
			 "every run, and put back at the end to the state it "
			 "was found in. A run whose setting was not, or no "
			 "longer, in effect is invalid and does not count.");
}

static void add_results(struct buf *out, const struct subject *s,
			const struct tally *t)
{
	char started[CLOCK_TEXT_SIZE];
	struct strlist surplus = STRLIST_INIT;

	buf_addf(out, "Campaign %s began on %s. ", s->campaign.uuid,
		 clock_iso8601(s->campaign.started, started));
	if (s->campaign.commit)
		buf_addf(out, "Its files are commit %s. ", s->campaign.commit);
	else
		buf_adds(out, "Its files were not in a git repository, so "
			      "that no commit can be named. ");
	buf_addf(out, "Of %zu planned runs the outcomes are: ",
		 t->total.planned);
	tally_outcomes(out, &t->total);
	if (t->total.missing)
		buf_addf(out, "; %zu were not made", t->total.missing);
	buf_adds(out, ". ");
	if (tally_bad(&t->total))
		buf_adds(out, "Runs that are not ok are left out of every "
			      "estimate and listed below; a run that timed "
			      "out is known to be worse than the limit, so "
			      "that leaving it out flatters its treatment. ");
	tally_surplus(&surplus, t->n_foreign, t->n_beyond);
	for (size_t i = 0; i < surplus.n; i++)
		buf_addf(out, "%s. ", surplus.items[i]);
	strlist_release(&surplus);
	if (t->total.n_again) {
		char *again = tally_again(t->total.n_again);

		buf_addf(out, "%s. ", again);
		free(again);
	}
}

static void add_statistics(struct buf *out)
{
	buf_adds(out,
		 "The run is the unit of analysis: when a run gave several "
		 "numbers for a response, their mean stands for the run. "
		 "Intervals of means are t intervals; ratios are ratios of "
		 "means with Fieller's interval and Welch's degrees of "
		 "freedom. Two treatments are called equal only when the "
		 "whole interval of the ratio lies within the margin.");
}

void methods_make(struct strlist *out, const struct subject *s,
		  const struct schedule *schedule, const struct tally *t,
		  bool same_recipe)
{
	struct buf text = BUF_INIT;

	if (!same_recipe)
		strlist_push(out,
			     "The experiment file has changed since: it "
			     "measures something else today. What this section "
			     "says of design and settings is read from the "
			     "file of today; the numbers, and the file listed "
			     "below, are of the campaign's commit.");
	methods_design(&text, s, schedule);
	push(out, &text);
	add_settings(&text, &s->experiment);
	if (text.n)
		push(out, &text);
	add_results(&text, s, t);
	push(out, &text);
	add_statistics(&text);
	push(out, &text);
	buf_release(&text);
}
