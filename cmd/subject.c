#include "cmd/subject.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strlist.h"
#include "cmd/places.h"
#include "cmd/print.h"
#include "cmd/problems_print.h"
#include "orchestrate/exec/extract.h"
#include "orchestrate/library/library.h"
#include "orchestrate/store/store.h"

static int load_experiment(struct subject *s, const char *file)
{
	struct problems problems = PROBLEMS_INIT;
	struct strlist library = STRLIST_INIT;
	int rc;

	places_library(&library);
	rc = experiment_load(&s->experiment, file, &library, &problems);
	if (rc)
		problems_print(&problems);
	problems_release(&problems);
	strlist_release(&library);
	return rc;
}

int subject_load(struct subject *s, const char *file, const char *store,
		 struct error *err)
{
	*s = (struct subject){ .store = NULL };
	if (load_experiment(s, file))
		return 2;
	s->store_path = store ? mem_strdup(store)
			      : places_store(&s->experiment);
	s->words = store ? mem_printf("%s --store=%s", file, store)
			 : mem_strdup(file);
	return design_build(&s->design, DESIGN_FULL_FACTORIAL,
			    s->experiment.factors, s->experiment.n_factors,
			    err);
}

int subject_open_if_there(struct subject *s, const char *campaign,
			  struct error *err)
{
	int rc;

	if (!path_exists(s->store_path))
		return 0;
	if (store_open(&s->store, s->store_path, STORE_READ, err))
		return -1;
	if (campaign)
		rc = store_campaign_find(s->store, campaign, &s->campaign,
					 err);
	else
		rc = store_campaign_latest(s->store, &s->campaign, err);
	s->has_campaign = rc == 0;
	return rc < 0 ? -1 : 0;
}

int subject_open(struct subject *s, const char *campaign, struct error *err)
{
	if (subject_open_if_there(s, campaign, err))
		return -1;
	if (!s->has_campaign)
		return error_set(err, ERROR_USAGE,
				 "nothing is recorded in %s yet: make the runs "
				 "with 'assay run %s'",
				 s->store_path, s->words);
	return 0;
}

void subject_release(struct subject *s)
{
	campaign_release(&s->campaign);
	store_close(s->store);
	design_release(&s->design);
	experiment_release(&s->experiment);
	free(s->store_path);
	free(s->words);
}

int subject_check_patterns(const struct subject *s)
{
	struct problems problems = PROBLEMS_INIT;
	int rc = 0;

	for (size_t b = 0; b < s->experiment.n_benchmarks; b++) {
		const struct benchmark *bench = &s->experiment.benchmarks[b];

		for (size_t i = 0; i < bench->n_responses; i++) {
			const struct response *r = &bench->responses[i];
			struct error err = ERROR_INIT;

			if (extract_check(r->kind, r->pattern, &err))
				problems_add(&problems, r->mark,
					     "response '%s': %s", r->name,
					     err.text);
		}
	}
	if (problems.n) {
		problems_print(&problems);
		rc = 2;
	}
	problems_release(&problems);
	return rc;
}
