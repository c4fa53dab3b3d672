#include "cmd/subject.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strlist.h"
#include "cmd/places.h"
#include "cmd/print.h"
#include "cmd/problems_print.h"
#include "cmd/program.h"
#include "orchestrate/exec/extract.h"
#include "orchestrate/library/library.h"
#include "orchestrate/store/store.h"

/* What is half read has all that it has: a pattern may be missing. */
static void check_patterns(const struct experiment *e,
			   struct problems *problems)
{
	for (size_t b = 0; b < e->n_benchmarks; b++) {
		for (size_t i = 0; i < e->benchmarks[b].n_responses; i++) {
			const struct response *r =
				&e->benchmarks[b].responses[i];
			struct error err = ERROR_INIT;

			if (r->pattern &&
			    extract_check(r->kind, r->pattern, &err))
				problems_add(problems, r->mark,
					     "response '%s': %s", r->name,
					     err.text);
		}
	}
}

/* Only what the file names: the default may be absent where no report is
 * made. */
static void check_template(const struct experiment *e,
			   struct problems *problems)
{
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;
	char *path = NULL;

	if (e->report_template_mark.line &&
	    places_template(e, e->report_template, &path, &text, &err))
		problems_add(problems, e->report_template_mark, "%s",
			     err.text);
	free(path);
	buf_release(&text);
}

static int load_experiment(struct subject *s, const char *file,
			   const struct experiment_options *how)
{
	struct problems problems = PROBLEMS_INIT;
	struct strlist library = STRLIST_INIT;
	int rc;

	places_library(&library);
	rc = experiment_load(&s->experiment, file, &library, how, &problems);
	if (rc) {
		check_patterns(&s->experiment, &problems);
		check_template(&s->experiment, &problems);
		problems_print(&problems);
	}
	problems_release(&problems);
	strlist_release(&library);
	return rc ? 2 : 0;
}

static int expand(struct subject *s)
{
	struct problems problems = PROBLEMS_INIT;
	int rc = expansion_make(&s->expansion, &s->experiment, &problems);

	if (rc)
		problems_print(&problems);
	problems_release(&problems);
	return rc ? 2 : 0;
}

/* A number that is asked for is neither a least one nor a most. */
static void set_replicates(struct experiment *e, uint64_t n)
{
	for (size_t i = 0; i < e->n_matrices; i++) {
		struct matrix *m = &e->matrices[i];

		m->replicates = m->replicates_max = (uint32_t)n;
		free(m->until.response);
		m->until.response = NULL;
	}
}

/* What a user has to type to get at the same again. */
static void add_word(struct buf *out, const char *option, const char *value)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789._-/,=+:@%";

	if (option)
		buf_addf(out, " --%s=", option);
	if (value[strspn(value, plain)])
		buf_add_shell(out, value);
	else
		buf_adds(out, value);
}

static char *make_words(const char *file, const struct subject_options *o)
{
	struct buf words = BUF_INIT;

	add_word(&words, NULL, file);
	for (size_t i = 0; i < o->profiles.n; i++)
		add_word(&words, "profile", o->profiles.items[i]);
	if (o->tags)
		add_word(&words, "tags", o->tags);
	if (o->store)
		add_word(&words, "store", o->store);
	return buf_detach(&words);
}

int subject_load(struct subject *s, const char *file,
		 const struct subject_options *o, enum subject_facts facts,
		 struct error *err)
{
	struct strlist profiles = STRLIST_INIT;
	struct experiment_options how = { .profiles = &profiles,
					  .tags = o->tags };
	int rc;

	(void)err;
	(void)facts;
	*s = (struct subject){ .options = o };
	for (size_t i = 0; i < o->profiles.n; i++)
		strlist_push(&profiles, o->profiles.items[i]);
	rc = load_experiment(s, file, &how);
	if (!rc) {
		s->store_path = o->store ? mem_strdup(o->store)
					 : places_store(&s->experiment);
		s->words = make_words(file, o);
		if (o->replicates.given)
			set_replicates(&s->experiment, o->replicates.value);
		rc = expand(s);
	}
	strlist_release(&profiles);
	return rc;
}

void subject_peek(struct subject *s, const char *file,
		  const struct subject_options *o)
{
	struct problems problems = PROBLEMS_INIT;
	struct strlist library = STRLIST_INIT;
	struct strlist profiles = STRLIST_INIT;
	struct experiment_options how = { .profiles = &profiles,
					  .tags = o->tags };

	*s = (struct subject){ .options = o };
	for (size_t i = 0; i < o->profiles.n; i++)
		strlist_push(&profiles, o->profiles.items[i]);
	places_library(&library);
	if (!experiment_load(&s->experiment, file, &library, &how, &problems))
		expansion_make(&s->expansion, &s->experiment, &problems);
	s->store_path = o->store ? mem_strdup(o->store)
		      : s->experiment.name ? places_store(&s->experiment)
					   : mem_strdup("");
	problems_release(&problems);
	strlist_release(&library);
	strlist_release(&profiles);
}

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

int subject_check(const struct subject *s)
{
	struct problems problems = PROBLEMS_INIT;
	int rc = 0;

	check_patterns(&s->experiment, &problems);
	check_template(&s->experiment, &problems);
	if (problems.n) {
		problems_print(&problems);
		rc = 2;
	}
	problems_release(&problems);
	return rc;
}
