#include "cmd/command.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/strlist.h"
#include "cmd/planning.h"
#include "cmd/print.h"
#include "cmd/status_text.h"
#include "cmd/subject.h"
#include "cmd/subset_text.h"
#include "cmd/tally.h"
#include "orchestrate/store/store_state.h"

struct status_values {
	struct subject_options from;
	bool json, failed;
	const char *campaign;
};

static const struct opt options[] = {
	OPTION_CAMPAIGN(struct status_values),
	{ .name = "failed", .kind = OPT_FLAG,
	  .offset = offsetof(struct status_values, failed),
	  .help = "list only the runs that failed, timed out, were "
		  "invalid or lost, with the reason" },
	OPTION_JSON(struct status_values),
	OPTION_ONLY(struct status_values),
	OPTION_PROFILE(struct status_values),
	OPTION_REPLICATES(struct status_values),
	OPTION_SKIP(struct status_values),
	OPTION_STORE(struct status_values),
	OPTION_TAGS(struct status_values),
	OPTION_END,
};

static const struct operand operands[] = { OPERAND_FILE, OPERAND_END };

static void write_status(struct buf *out, const struct status_values *v,
			 const struct status *st)
{
	if (v->json)
		status_json(out, st);
	else if (v->failed)
		status_failed(out, st, st->tally->n_rows);
	else
		status_text(out, st);
}

/* How often each row was lost; only those that may have been more than once
 * are looked up. */
static int count_lost(size_t **out, const struct subject *s,
		      const struct tally *t, struct error *err)
{
	size_t *times = mem_zalloc(t->n_rows + 1, sizeof(*times));
	int rc = 0;

	*out = times;
	for (size_t i = 0; i < t->n_rows && !rc; i++) {
		struct run_detail d = { .key = NULL };

		times[i] = tally_is_lost(&t->rows[i]);
		if (!times[i] || t->rows[i].attempts < 2)
			continue;
		rc = store_run_detail(s->store, s->campaign.id,
				      t->rows[i].key, &d, err);
		times[i] = 0;
		for (size_t k = 0; !rc && k < d.n_attempts; k++)
			times[i] += d.attempts[k].ended &&
				    d.attempts[k].outcome == OUTCOME_LOST;
		run_detail_release(&d);
	}
	return rc;
}

static int make_status(struct buf *out, struct subject *s,
		       const struct status_values *v, struct error *err)
{
	const struct opt_integer none = { false, 0 };
	enum seed_origin origin;
	struct schedule schedule = { .n_runs = 0 };
	struct tally tally = { .n_rows = 0 };
	struct status st = { .subject = s, .tally = &tally };
	struct campaign_row *campaigns = NULL;
	struct strlist subsets = STRLIST_INIT;
	size_t *times_lost = NULL;
	int rc = -1;

	if (planning_schedule(&schedule, s,
			      planning_seed(s, &none, true, &origin),
			      &st.subset, err) ||
	    tally_make(&tally, s, &schedule, err) ||
	    subset_lines(&subsets, s->store, s->campaign.id, err) ||
	    count_lost(&times_lost, s, &tally, err) ||
	    store_state_pending(s->store, NULL, &st.pending, &st.n_pending,
				err) ||
	    store_campaigns(s->store, &campaigns, &st.n_campaigns, err))
		goto out;
	st.campaigns = campaigns;
	st.times_lost = times_lost;
	st.subsets = &subsets;
	st.n_runs = schedule.n_runs;
	st.n_planned = schedule.n_planned;
	st.same_recipe = subject_same_recipe(s);
	write_status(out, v, &st);
	rc = 0;
out:
	free(times_lost);
	strlist_release(&subsets);
	subset_release(&st.subset);
	campaign_rows_free(campaigns, st.n_campaigns);
	saved_states_free(st.pending, st.n_pending);
	tally_release(&tally);
	schedule_release(&schedule);
	return rc;
}

static int run(const void *values, const struct operands *got,
	       struct error *err)
{
	const struct status_values *v = values;
	struct subject s;
	struct buf out = BUF_INIT;
	int rc = subject_load(&s, operand_get(got, 0), &v->from,
			      FACTS_ASK, err);

	if (!rc)
		rc = subject_open_any(&s, v->campaign, err);
	if (!rc)
		rc = make_status(&out, &s, v, err);
	if (!rc)
		rc = print_out(&out, err);
	buf_release(&out);
	subject_release(&s);
	return rc;
}

const struct command command_status = {
	.name = "status",
	.summary = "show how far the runs are, and which failed",
	.description =
		"Shows the campaign and its commit, for each benchmark how "
		"many runs are done, failed and missing, the failed and lost "
		"ones with their reasons, and settings that still wait to be put back "
		"on a host.",
	.options = options,
	.operands = operands,
	.values_size = sizeof(struct status_values),
	.example = "assay status experiments/quickstart.yaml --failed",
	.explanation = "Lists the runs that gave no result, and why.",
	.see_also = "run show restore",
	.run = run,
};
