#include "cmd/words.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strlist.h"
#include "cmd/places.h"
#include "cmd/planning.h"
#include "cmd/run_name.h"
#include "cmd/subject.h"
#include "cmd/words_levels.h"
#include "orchestrate/exec/planned.h"
#include "orchestrate/library/library.h"
#include "orchestrate/schedule/schedule.h"
#include "orchestrate/spec/benchmark_def.h"
#include "orchestrate/spec/binding.h"
#include "orchestrate/spec/monitor_def.h"
#include "orchestrate/spec/treatment_def.h"
#include "orchestrate/spec/yaml_doc.h"
#include "orchestrate/store/store.h"

/* More would be no help. */
#define RUNS_MAX 20000

static const struct opt_word sources[] = {
	{ "profiles", FROM_PROFILES },   { "tags", FROM_TAGS },
	{ "levels", FROM_LEVELS },       { "hosts", FROM_HOSTS },
	{ "charts", FROM_CHARTS },       { "tables", FROM_TABLES },
	{ "runs", FROM_RUNS },           { "variables", FROM_VARIABLES },
	{ "campaigns", FROM_CAMPAIGNS }, { "library", FROM_LIBRARY },
	{ NULL, 0 },
};

const char *words_source_name(enum opt_source source)
{
	for (const struct opt_word *w = sources; w->name; w++)
		if (w->value == (int)source)
			return w->name;
	return NULL;
}

enum opt_source words_source(const char *name)
{
	for (const struct opt_word *w = sources; w->name; w++)
		if (!strcmp(w->name, name))
			return (enum opt_source)w->value;
	return FROM_NOWHERE;
}

static void push_new(struct strlist *out, const char *word)
{
	if (!strlist_has(out, word))
		strlist_push(out, word);
}

/* Those that the file itself has; no profile is needed to read them. */
static void find_profiles(struct strlist *out, const char *file)
{
	struct problems problems = PROBLEMS_INIT;
	struct yaml_doc doc;
	const struct yaml_pair *profiles;

	if (!yaml_doc_load(&doc, file, "an experiment file", &problems)) {
		profiles = yaml_get(doc.root, "profiles");
		for (size_t i = 0; profiles && i < profiles->value->n_pairs; i++)
			strlist_push(out, profiles->value->pairs[i].key);
	}
	yaml_doc_release(&doc);
	problems_release(&problems);
}

static void find_tags(struct strlist *out, const struct experiment *e)
{
	for (size_t m = 0; m < e->n_matrices; m++)
		for (size_t i = 0; i < e->matrices[m].tags.n; i++)
			push_new(out, e->matrices[m].tags.items[i]);
	for (size_t b = 0; b < e->n_benchmarks; b++)
		for (size_t i = 0; i < e->benchmarks[b].tags.n; i++)
			push_new(out, e->benchmarks[b].tags.items[i]);
}

static void find_campaigns(struct strlist *out, const struct subject *s)
{
	struct error ignored = ERROR_INIT;
	struct campaign_row *rows = NULL;
	struct store *store = NULL;
	size_t n = 0;

	if (path_exists(s->store_path) &&
	    !store_open(&store, s->store_path, STORE_READ, &ignored) &&
	    !store_campaigns(store, &rows, &n, &ignored))
		for (size_t i = n; i > 0; i--)
			strlist_push_nodup(
				out, mem_strndup(rows[i - 1].campaign.uuid, 8));
	campaign_rows_free(rows, n);
	store_close(store);
}

/* The runs as explain has them. -1: nothing is expanded of a file that is
 * wrong. */
static int make_schedule(struct schedule *schedule, struct subject *s,
			 enum seed_origin *origin)
{
	const struct opt_integer none = { false, 0 };
	struct error ignored = ERROR_INIT;
	uint64_t seed;

	if (!s->expansion.n_shares)
		return -1;
	/* what has not begun has no campaign's seed */
	subject_open_if_there(s, NULL, &ignored);
	seed = planning_seed(s, &none, subject_same_recipe(s), origin);
	return schedule_plan(schedule, &s->experiment, &s->expansion, seed,
			     &ignored);
}

/* Numbers are shorter; keys are for whoever begins one. */
static void find_runs(struct strlist *out, struct subject *s,
		      const char *current)
{
	bool keys = *current && !isdigit((unsigned char)*current);
	struct schedule schedule = { .n_runs = 0 };
	struct buf word = BUF_INIT;
	enum seed_origin origin;

	if (!make_schedule(&schedule, s, &origin) &&
	    schedule.n_runs <= RUNS_MAX) {
		for (size_t i = 0; i < schedule.n_runs; i++) {
			buf_clear(&word);
			if (keys)
				schedule_run_key(&schedule, i, &word);
			else
				buf_addf(&word, "%" PRIu32,
					 schedule.runs[i].position);
			strlist_push(out, word.data);
		}
	}
	buf_release(&word);
	schedule_release(&schedule);
}

static void add_variables(struct strlist *out, const struct variable *items,
			  size_t n)
{
	for (size_t i = 0; i < n; i++)
		push_new(out, items[i].name);
}

static void find_variables(struct strlist *out, const struct experiment *e)
{
	for (size_t f = 0; f < e->n_factors; f++)
		push_new(out, e->factors[f].name);
	add_variables(out, e->variables, e->n_variables);
	for (size_t h = 0; h < e->n_hosts; h++)
		add_variables(out, e->hosts[h].env, e->hosts[h].n_env);
	for (size_t b = 0; b < e->n_benchmarks; b++)
		add_variables(out, e->benchmarks[b].params,
			      e->benchmarks[b].n_params);
	for (size_t f = 0; f < e->n_factors; f++) {
		const struct factor_use *use = &e->uses[f];

		add_variables(out, use->treatment.params,
			      use->treatment.n_params);
		for (size_t l = 0; use->levels && l < e->factors[f].n_levels;
		     l++)
			add_variables(out, use->levels[l].vars,
				      use->levels[l].n_vars);
	}
}

/* False: none of the words names a run for sure. */
static bool find_run(size_t *run, struct schedule *schedule,
		     struct subject *s, const struct strlist *runs)
{
	struct error ignored = ERROR_INIT;
	enum seed_origin origin;

	if (make_schedule(schedule, s, &origin))
		return false;
	for (size_t i = 0; i < runs->n; i++) {
		const char *name = runs->items[i];

		/* what is drawn anew every time has no numbers */
		if (origin == SEED_DRAWN && run_name_is_number(name))
			continue;
		if (!run_name_find(run, schedule, name, &ignored))
			return true;
	}
	return false;
}

static void find_run_variables(struct strlist *out, struct subject *s,
			       const struct strlist *runs)
{
	struct schedule schedule = { .n_runs = 0 };
	struct bindings b = BINDINGS_INIT;
	struct error ignored = ERROR_INIT;
	struct planned p;
	size_t run;

	planned_init(&p, &s->experiment);
	if (find_run(&run, &schedule, s, runs)) {
		planned_set(&p, &schedule, run);
		bindings_benchmark(&b, &s->experiment, &p.run, &ignored);
	}
	for (size_t i = 0; i < b.n; i++)
		push_new(out, b.items[i].name);
	if (!b.n)
		find_variables(out, &s->experiment);
	bindings_release(&b);
	planned_release(&p);
	schedule_release(&schedule);
}

static void find_library(struct strlist *out, const char *dir)
{
	struct problems problems = PROBLEMS_INIT;
	struct strlist dirs = STRLIST_INIT;
	struct library library;
	struct library_list list;

	places_library(&dirs);
	library_init(&library, dir, &dirs);
	library_list(&list, &library, &problems);
	for (size_t i = 0; i < list.n_benchmarks; i++)
		push_new(out, list.benchmarks[i]->name);
	for (size_t i = 0; i < list.n_treatments; i++)
		push_new(out, list.treatments[i]->name);
	for (size_t i = 0; i < list.families.n; i++)
		push_new(out, list.families.items[i]);
	for (size_t i = 0; i < list.n_monitors; i++)
		push_new(out, list.monitors[i]->name);
	library_list_release(&list);
	library_release(&library);
	strlist_release(&dirs);
	problems_release(&problems);
}

static void find_names(struct strlist *out, enum opt_source source,
		       struct subject *s, const struct strlist *runs,
		       const char *current)
{
	const struct experiment *e = &s->experiment;

	switch (source) {
	case FROM_TAGS:
		find_tags(out, e);
		return;
	case FROM_LEVELS:
		words_levels(out, e, current);
		return;
	case FROM_HOSTS:
		for (size_t i = 0; i < e->n_hosts; i++)
			strlist_push(out, e->hosts[i].name);
		return;
	case FROM_CHARTS:
		for (size_t i = 0; i < e->n_charts; i++)
			strlist_push(out, e->charts[i].name);
		return;
	case FROM_TABLES:
		for (size_t i = 0; i < e->n_tables; i++)
			strlist_push(out, e->tables[i].name);
		return;
	case FROM_RUNS:
		find_runs(out, s, current);
		return;
	case FROM_VARIABLES:
		find_run_variables(out, s, runs);
		return;
	case FROM_CAMPAIGNS:
		find_campaigns(out, s);
		return;
	default:
		return;
	}
}

static void keep_begun(struct strlist *words, const char *current)
{
	size_t n = 0;

	for (size_t i = 0; i < words->n; i++) {
		if (strncmp(words->items[i], current, strlen(current)) != 0)
			free(words->items[i]);
		else
			words->items[n++] = words->items[i];
	}
	words->n = n;
}

void words_find(struct strlist *out, enum opt_source source, const char *file,
		const struct subject_options *options,
		const struct strlist *runs, const char *current)
{
	struct subject s;

	if (source == FROM_LIBRARY) {
		char *dir = file ? path_dir(file) : NULL;

		find_library(out, dir);
		free(dir);
	} else if (file && source == FROM_PROFILES) {
		find_profiles(out, file);
	} else if (file) {
		subject_peek(&s, file, options);
		find_names(out, source, &s, runs, current);
		subject_release(&s);
	}
	keep_begun(out, current);
}
