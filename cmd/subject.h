#ifndef CMD_SUBJECT_H
#define CMD_SUBJECT_H

#include <stdint.h>

#include "orchestrate/spec/experiment.h"
#include "orchestrate/store/store_campaign.h"
#include "stats/design.h"

struct error;
struct store;

/* What a command is about: an experiment, its design, and its results. */
struct subject {
	struct experiment experiment;
	struct design design;
	char *store_path;
	char *words; /* the command's words that name them, for advice */
	/* by subject_open() */
	struct store *store;
	struct campaign campaign;
	bool has_campaign;
};

/*
 * Loads the experiment. Problems are printed, one a line, then their number:
 * 2 is returned. `store` is the path given by --store, or NULL. The subject
 * must be released in every case.
 */
int subject_load(struct subject *s, const char *file, const char *store,
		 struct error *err);

/*
 * Opens the store to read, with the campaign of that name (NULL: the newest).
 * ERROR_USAGE when nothing is recorded yet.
 */
int subject_open(struct subject *s, const char *campaign, struct error *err);

/* The same, but nothing recorded is no fault: then has_campaign is false. */
int subject_open_if_there(struct subject *s, const char *campaign,
			  struct error *err);
void subject_release(struct subject *s);

/* Compiles every response's pattern; problems are printed: 2. */
int subject_check_patterns(const struct subject *s);

#endif
