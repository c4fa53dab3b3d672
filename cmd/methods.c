#include "cmd/methods.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/strlist.h"
#include "cmd/methods_design.h"
#include "cmd/subject.h"
#include "cmd/tally.h"
#include "orchestrate/schedule/schedule.h"

static void push(struct strlist *out, struct buf *text)
{
	strlist_push(out, text->data);
	buf_clear(text);
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
	tally_surplus(&surplus, s, t->n_foreign, t->n_beyond);
	for (size_t i = 0; i < surplus.n; i++)
		buf_addf(out, "%s. ", surplus.items[i]);
	strlist_release(&surplus);
	if (t->total.n_again) {
		char *again = tally_again(t->total.n_again);

		buf_addf(out, "%s. ", again);
		free(again);
	}
}

/* A part that was chosen by hand is not what the design says. */
static void add_subsets(struct buf *out, const struct strlist *subsets)
{
	if (!subsets->n)
		return;
	buf_adds(out, "Not all runs were asked for at once: ");
	for (size_t i = 0; i < subsets->n; i++)
		buf_addf(out, "%s%s", i ? "; " : "", subsets->items[i]);
	buf_adds(out, ".");
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
		  const struct strlist *subsets, bool same_recipe)
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
	methods_settings(&text, &s->experiment);
	if (text.n)
		push(out, &text);
	add_results(&text, s, t);
	push(out, &text);
	add_subsets(&text, subsets);
	if (text.n)
		push(out, &text);
	add_statistics(&text);
	push(out, &text);
	buf_release(&text);
}
