#ifndef CMD_SUBJECT_H
#define CMD_SUBJECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/strlist.h"
#include "cmd/opt.h"
#include "orchestrate/schedule/expansion.h"
#include "orchestrate/spec/experiment.h"
#include "orchestrate/spec/yaml_cache.h"
#include "orchestrate/store/store_campaign.h"

struct error;
struct store;

/* What is known from one reading of an experiment to the next. */
struct subject_memory {
	struct yaml_cache files;
	struct map patterns;     /* found sound */
};
#define SUBJECT_MEMORY_INIT { .files = YAML_CACHE_INIT, .patterns = MAP_INIT }
void subject_memory_release(struct subject_memory *m);

/* What the command line says of the experiment: command.h has the options. A
 * command that does not have some of them leaves them zero. */
struct subject_options {
	struct subject_memory *memory; /* borrowed; NULL: none */
	const char *store, *tags;
	struct opt_strings profiles, only, skip;
	struct opt_integer replicates;
};
#define SUBJECT_MAX_REPLICATES 1000000

/*
 * What to do when levels depend on a host that nobody has looked at yet. What
 * the newest campaign recorded of it is used in every case but one.
 */
enum subject_facts {
	FACTS_RECORDED, /* it is an error, once there are results to read */
	FACTS_STAND_IN, /* make do with what stands in: only to check */
	FACTS_ASK,      /* ask the host */
	FACTS_ASK_ANEW, /* ask, whatever is recorded: `run --fresh` */
};

/* What a command is about: an experiment, its design, and its results. */
struct subject {
	struct experiment experiment;
	struct expansion expansion;
	const struct subject_options *options;
	char *store_path;
	char *words; /* the command's words that name them, for advice */
	/* by subject_open() */
	struct store *store;
	struct campaign campaign;
	bool has_campaign;
};

/*
 * Loads the experiment with the profiles, tags and replicates asked for, and
 * expands it. Problems are printed, one a line, then their number: 2 is
 * returned. The options are borrowed. The subject must be released in every
 * case.
 */
int subject_load(struct subject *s, const char *file,
		 const struct subject_options *options,
		 enum subject_facts facts, struct error *err);

/* The same as far as it goes, without a word about what is wrong, and without
 * asking any host: for completion. */
void subject_peek(struct subject *s, const char *file,
		  const struct subject_options *options);

/*
 * Opens the store to read results: with the campaign of that name, or (NULL)
 * with the newest that measured what the file says today and has results.
 * ERROR_USAGE when nothing is recorded yet, or something else. A campaign
 * that was asked for by name is read in any case, with a warning.
 */
int subject_open(struct subject *s, const char *campaign, struct error *err);

/*
 * The same to look at what is there: the newest that measured what the file
 * says, else the newest of all. Nothing recorded is no fault: then has_campaign
 * is false.
 */
int subject_open_if_there(struct subject *s, const char *campaign,
			  struct error *err);
/* The same, but ERROR_USAGE when nothing is recorded. */
int subject_open_any(struct subject *s, const char *campaign,
		     struct error *err);

/* The campaign that `assay run` goes on with, else the newest, from the open
 * store; has_campaign is false when there is none. */
int subject_find_campaign(struct subject *s, bool with_results,
			  struct error *err);

/* Whether the campaign measured what the file says today. */
bool subject_same_recipe(const struct subject *s);
void subject_release(struct subject *s);

/* What the reader of the file cannot see: whether every pattern compiles and
 * the report template is there. Problems are printed: 2. */
int subject_check(const struct subject *s);

#endif
