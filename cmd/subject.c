#include "cmd/subject.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/path.h"
#include "cmd/print.h"
#include "cmd/program.h"
#include "orchestrate/store/store.h"

int subject_find_campaign(struct subject *s, bool with_results,
			  struct error *err)
{
	char recipe[65];
	int rc;

	experiment_recipe(&s->experiment, recipe);
	rc = store_campaign_by_recipe(s->store, recipe, with_results,
				      &s->campaign, err);
	if (rc > 0)
		rc = store_campaign_latest(s->store, &s->campaign, err);
	s->has_campaign = rc == 0;
	return rc < 0 ? -1 : 0;
}

bool subject_same_recipe(const struct subject *s)
{
	char recipe[65];

	if (!s->has_campaign)
		return false;
	experiment_recipe(&s->experiment, recipe);
	return s->campaign.recipe && !strcmp(s->campaign.recipe, recipe);
}

static int open_store(struct subject *s, const char *campaign,
		      bool with_results, struct error *err)
{
	if (!path_exists(s->store_path))
		return 0;
	if (store_open(&s->store, s->store_path, STORE_READ, err))
		return -1;
	if (!campaign)
		return subject_find_campaign(s, with_results, err);
	if (store_campaign_find(s->store, campaign, &s->campaign, err))
		return -1;
	s->has_campaign = true;
	return 0;
}

static int nothing_recorded(const struct subject *s, struct error *err)
{
	return error_set(err, ERROR_USAGE,
			 "nothing is recorded in %s yet: make the runs with "
			 "'%s run %s'",
			 s->store_path, program_name(), s->words);
}

static int measures_else(const struct subject *s, struct error *err)
{
	const struct campaign *c = &s->campaign;

	return error_set(err, ERROR_USAGE,
			 "%s now measures something else than campaign %.8s%s"
			 "%.7s%s recorded: make its runs with '%s run %s', "
			 "or read the old results with --campaign=%.8s",
			 s->experiment.path, c->uuid,
			 c->commit ? " (commit " : "",
			 c->commit ? c->commit : "", c->commit ? ")" : "",
			 program_name(), s->words, c->uuid);
}

int subject_open(struct subject *s, const char *campaign, struct error *err)
{
	if (open_store(s, campaign, true, err))
		return -1;
	if (!s->has_campaign)
		return nothing_recorded(s, err);
	if (subject_same_recipe(s))
		return 0;
	if (!campaign)
		return measures_else(s, err);
	print_warning("%s now measures something else than campaign %.8s "
		      "recorded: what it says of benchmarks, settings and hosts "
		      "may not be what was measured",
		      s->experiment.path, s->campaign.uuid);
	return 0;
}

int subject_open_if_there(struct subject *s, const char *campaign,
			  struct error *err)
{
	return open_store(s, campaign, false, err);
}

int subject_open_any(struct subject *s, const char *campaign,
		     struct error *err)
{
	if (open_store(s, campaign, false, err))
		return -1;
	return s->has_campaign ? 0 : nothing_recorded(s, err);
}

void subject_release(struct subject *s)
{
	campaign_release(&s->campaign);
	store_close(s->store);
	expansion_release(&s->expansion);
	experiment_release(&s->experiment);
	free(s->store_path);
	free(s->words);
}
