#include "cmd/measure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "cmd/computed.h"
#include "cmd/print.h"
#include "cmd/progress.h"
#include "cmd/subject.h"
#include "cmd/tally.h"
#include "orchestrate/exec/planned.h"
#include "orchestrate/store/store.h"
#include "orchestrate/store/store_query.h"

static int take_snapshot(struct measure *m, struct error *err)
{
	const struct experiment *e = &m->subject->experiment;

	if (vcs_snapshot(&e->files, e->name, NULL, &m->snapshot, err))
		return -1;
	if (!m->snapshot.commit[0])
		print_warning("%s is not in a git repository: figures will not "
			      "name a commit; 'git init' and a first commit "
			      "change that",
			      e->path);
	else
		print_note("commit %.12s%s", m->snapshot.commit,
			   m->snapshot.dirty ? " (a snapshot: files differ "
					       "from HEAD or lie outside the "
					       "repository; your branch is "
					       "untouched)"
					     : "");
	return 0;
}

static int open_store(struct measure *m, struct error *err)
{
	struct subject *s = m->subject;
	char *dir = path_dir(s->store_path);
	int rc = path_make_dirs(dir, err);

	free(dir);
	if (rc || store_open(&s->store, s->store_path, STORE_WRITE, err))
		return -1;
	return subject_find_campaign(s, false, err);
}

static int begin_campaign(struct subject *s, uint64_t seed, struct error *err)
{
	char recipe[65];

	campaign_release(&s->campaign);
	experiment_recipe(&s->experiment, recipe);
	s->campaign = (struct campaign){
		.recipe = mem_strdup(recipe),
		.experiment = mem_strdup(s->experiment.name),
		.seed = seed,
	};
	if (store_campaign_new(s->store, &s->campaign, err))
		return -1;
	s->has_campaign = true;
	return 0;
}

/* What schedule_missing() asks for each run. */
struct asker {
	const struct tally *tally;
	bool retry;
};

static int is_done(void *ctx, const char *key)
{
	const struct asker *a = ctx;
	const struct run_status_row *row = tally_row(a->tally, key);

	return tally_is_settled(row) &&
	       (!a->retry || row->outcome == OUTCOME_OK);
}

static int find_missing(struct measure *m, bool retry, struct error *err)
{
	struct tally tally = { .n_rows = 0 };
	struct asker a = { &tally, retry };
	int rc = tally_make(&tally, m->subject, &m->schedule, err);
	size_t bad = tally_bad(&tally.total);

	m->missing = mem_zalloc(m->schedule.n_runs + 1, sizeof(size_t));
	if (!rc)
		m->n_missing = schedule_missing(&m->schedule, is_done, &a,
						m->missing);
	m->n_again = retry ? bad : 0;
	tally_release(&tally);
	return rc;
}

/* The runs, and which of them are missing: nothing is recorded yet. */
static int plan_runs(struct measure *m, const struct opt_integer *seed,
		     bool fresh, bool retry, struct error *err)
{
	struct subject *s = m->subject;

	m->why = "nothing is recorded yet";
	m->resumes = subject_same_recipe(s) && !fresh;
	if (s->has_campaign && fresh)
		m->why = "--fresh";
	else if (s->has_campaign)
		m->why = "what is measured has changed: a script, parameter, "
			 "response, setting or host";
	/* what leaves nothing to do begins no campaign */
	if (planning_schedule(&m->schedule, s,
			      planning_seed(s, seed, m->resumes,
					    &m->seed_origin),
			      &m->subset, err))
		return -1;
	/* what another campaign recorded is none of ours */
	s->has_campaign = m->resumes;
	return find_missing(m, retry, err);
}

/* Whether all can be computed: else neither a campaign begins nor a session. */
static int check_runs(const struct measure *m, struct error *err)
{
	int rc = computed_counts(m->subject, &m->schedule);

	if (rc)
		return rc;
	return planned_check(&m->subject->experiment, &m->schedule,
			     m->missing, m->n_missing, err);
}

/* Goes on with the newest campaign, or begins one and says why. */
static int enter_campaign(struct measure *m, struct error *err)
{
	struct subject *s = m->subject;

	if (!m->resumes && begin_campaign(s, m->schedule.seed, err))
		return -1;
	print_note("results in %s, %s campaign %.8s%s%s%s", s->store_path,
		   m->resumes ? "going on with" : "new", s->campaign.uuid,
		   m->resumes ? "" : " (", m->resumes ? "" : m->why,
		   m->resumes ? "" : ")");
	if (s->experiment.matrices[0].order == ORDER_RANDOMIZED)
		print_note("order from seed %" PRIu64 " (%s)",
			   m->schedule.seed,
			   seed_origin_text(m->seed_origin));
	if (m->n_again)
		print_note("%zu run%s that gave no result %s made again",
			   m->n_again, m->n_again == 1 ? "" : "s",
			   m->n_again == 1 ? "is" : "are");
	return 0;
}

int measure_prepare(struct measure *m, struct subject *s,
		    const struct opt_integer *seed, bool fresh, bool retry,
		    struct error *err)
{
	int rc;

	*m = (struct measure){ .subject = s };
	if (open_store(m, err) || plan_runs(m, seed, fresh, retry, err))
		return -1;
	rc = check_runs(m, err);
	if (rc)
		return rc;
	if (take_snapshot(m, err) || enter_campaign(m, err))
		return -1;
	return planning_record(s->store, s->campaign.id, &m->schedule, err);
}

int measure_run(struct measure *m, bool quiet, struct error *err)
{
	struct subject *s = m->subject;
	struct progress progress;
	size_t restored = 0;
	struct pool_options o = {
		.store = s->store,
		.campaign = s->campaign.id,
		.experiment = &s->experiment,
		.schedule = &m->schedule,
		.runs = m->missing,
		.n_runs = m->n_missing,
		.on_event = progress_event,
		.ctx = &progress,
	};
	int rc;

	if (store_session_new(s->store, s->campaign.id,
			      m->snapshot.commit[0] ? m->snapshot.commit
						    : NULL,
			      ASSAY_VERSION, &m->subset, &m->session, err))
		return -1;
	o.session = m->session;
	progress_init(&progress, quiet);
	/* killed after its last run, an earlier one may have left settings */
	if (m->n_missing)
		rc = pool_run(&o, &m->summary, err);
	else
		rc = pool_restore(s->store, &s->experiment, NULL,
				  progress_event, &progress, &restored, err);
	if (rc)
		progress_conclude(&progress, err);
	progress_release(&progress);
	return rc;
}

void measure_release(struct measure *m)
{
	schedule_release(&m->schedule);
	subset_release(&m->subset);
	free(m->missing);
	m->missing = NULL;
}
