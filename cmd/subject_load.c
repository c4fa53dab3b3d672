#include "cmd/subject.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/strlist.h"
#include "cmd/facts.h"
#include "cmd/places.h"
#include "cmd/print.h"
#include "cmd/problems_print.h"
#include "cmd/program.h"
#include "orchestrate/exec/extract.h"
#include "orchestrate/library/library.h"

void subject_memory_release(struct subject_memory *m)
{
	yaml_cache_release(&m->files);
	map_release(&m->patterns);
}

/* As extract_check(), once for each pattern. `m` may be NULL. */
static int check_pattern(struct subject_memory *m, enum extract_kind kind,
			 const char *pattern, struct error *err)
{
	char *key = mem_printf("%d %s", (int)kind, pattern);
	int rc = 0;

	if (!m || !map_get(&m->patterns, key))
		rc = extract_check(kind, pattern, err);
	if (!rc && m)
		map_put(&m->patterns, key, m);
	free(key);
	return rc;
}

static void check_responses(const struct response *items, size_t n,
			    struct subject_memory *m,
			    struct problems *problems)
{
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < n; i++)
		if (items[i].pattern &&
		    check_pattern(m, items[i].kind, items[i].pattern, &err))
			problems_add(problems, items[i].mark,
				     "response '%s': %s", items[i].name,
				     err.text);
}

/* What is half read has all that it has: a pattern may be missing. */
static void check_patterns(const struct subject *s, struct problems *problems)
{
	const struct experiment *e = &s->experiment;

	for (size_t i = 0; i < e->n_benchmarks; i++)
		check_responses(e->benchmarks[i].responses,
				e->benchmarks[i].n_responses,
				s->options->memory, problems);
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

/* What reading needs. Borrows the options. */
struct loader {
	struct strlist library, profiles;
	struct experiment_options how;
	const char *file;
};

static void loader_init(struct loader *l, const char *file,
			const struct subject_options *o)
{
	*l = (struct loader){ .file = file };
	places_library(&l->library);
	for (size_t i = 0; i < o->profiles.n; i++)
		strlist_push(&l->profiles, o->profiles.items[i]);
	l->how.profiles = &l->profiles;
	l->how.tags = o->tags;
	l->how.cache = o->memory ? &o->memory->files : NULL;
}

static void loader_release(struct loader *l)
{
	strlist_release(&l->library);
	strlist_release(&l->profiles);
}

static int load(struct subject *s, const struct loader *l,
		struct problems *problems)
{
	return experiment_load(&s->experiment, l->file, &l->library, &l->how,
			       problems);
}

static char *store_path_of(const struct subject *s)
{
	if (s->options->store)
		return mem_strdup(s->options->store);
	return s->experiment.name ? places_store(&s->experiment)
				  : mem_strdup("");
}

/* Reads the file again, knowing what its levels depend on. What was found
 * wrong without that may be no fault. */
static int load_with_facts(struct subject *s, struct loader *l,
			   enum subject_facts policy,
			   struct problems *problems, int rc,
			   struct error *err)
{
	struct facts facts = { .hosts = STRLIST_INIT };
	struct fact_source source = facts_source(&facts);
	char *store = store_path_of(s);
	int asked = 0;

	if (policy != FACTS_ASK_ANEW)
		facts_recorded(&facts, store);
	if (policy == FACTS_ASK || policy == FACTS_ASK_ANEW)
		asked = facts_ask(&facts, &s->experiment, err);
	if (!asked && facts.hosts.n) {
		experiment_release(&s->experiment);
		problems_release(problems);
		*problems = (struct problems)PROBLEMS_INIT;
		l->how.facts = &source;
		rc = load(s, l, problems);
		l->how.facts = NULL;
	}
	facts_release(&facts);
	free(store);
	return asked ? -1 : rc ? 2 : 0;
}

static int load_experiment(struct subject *s, const char *file,
			   enum subject_facts facts, struct error *err)
{
	struct problems problems = PROBLEMS_INIT;
	struct loader l;
	int rc;

	loader_init(&l, file, s->options);
	rc = load(s, &l, &problems) ? 2 : 0;
	if (facts_are_missing(&s->experiment))
		rc = load_with_facts(s, &l, facts, &problems, rc, err);
	if (rc > 0) {
		check_patterns(s, &problems);
		check_template(&s->experiment, &problems);
		problems_print(&problems);
	}
	if (rc > 0 && facts_are_missing(&s->experiment)) {
		char *text = facts_missing_text(&s->experiment);

		print_note("%s: 1 stands in for it", text);
		free(text);
	}
	problems_release(&problems);
	loader_release(&l);
	return rc;
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

/* More than the file says are planned here; less is left of the plan later, so
 * that runs keep their numbers. A number that is asked for is neither a least
 * one nor a most. */
static void raise_replicates(struct experiment *e, uint64_t n)
{
	for (size_t i = 0; i < e->n_matrices; i++) {
		struct matrix *m = &e->matrices[i];

		if (m->replicates < n)
			m->replicates = (uint32_t)n;
		m->replicates_max = m->replicates;
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

/* The results that are there were measured at other levels. */
static int check_facts(const struct subject *s, enum subject_facts facts,
		       struct error *err)
{
	char *text;

	if (facts != FACTS_RECORDED || !facts_are_missing(&s->experiment) ||
	    !path_exists(s->store_path))
		return 0;
	text = facts_missing_text(&s->experiment);
	error_set(err, ERROR_USAGE, "%s: '%s run %s' asks for it", text,
		  program_name(), s->words);
	free(text);
	return -1;
}

int subject_load(struct subject *s, const char *file,
		 const struct subject_options *o, enum subject_facts facts,
		 struct error *err)
{
	int rc;

	*s = (struct subject){ .options = o };
	rc = load_experiment(s, file, facts, err);
	if (rc)
		return rc;
	s->store_path = store_path_of(s);
	s->words = make_words(file, o);
	if (o->replicates.given)
		raise_replicates(&s->experiment, o->replicates.value);
	rc = check_facts(s, facts, err);
	return rc ? rc : expand(s);
}

void subject_peek(struct subject *s, const char *file,
		  const struct subject_options *o)
{
	struct problems problems = PROBLEMS_INIT;
	struct error ignored = ERROR_INIT;
	struct loader l;
	int rc;

	*s = (struct subject){ .options = o };
	loader_init(&l, file, o);
	rc = load(s, &l, &problems);
	if (facts_are_missing(&s->experiment))
		rc = load_with_facts(s, &l, FACTS_RECORDED, &problems, rc,
				     &ignored);
	if (!rc)
		expansion_make(&s->expansion, &s->experiment, &problems);
	s->store_path = store_path_of(s);
	problems_release(&problems);
	loader_release(&l);
}

int subject_check(const struct subject *s)
{
	struct problems problems = PROBLEMS_INIT;
	int rc = 0;

	check_patterns(s, &problems);
	check_template(&s->experiment, &problems);
	if (problems.n) {
		problems_print(&problems);
		rc = 2;
	}
	problems_release(&problems);
	return rc;
}
