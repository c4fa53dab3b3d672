#ifndef CMD_ORIGIN_H
#define CMD_ORIGIN_H

#include <stdbool.h>

#include "orchestrate/vcs/snapshot.h"
#include "plot/provenance.h"

struct error;
struct subject;

/* Where figures come from: the commit that holds the files they are made by,
 * the campaign and the data. */
struct origin {
	bool same_recipe; /* the file says what the campaign measured */
	struct snapshot snapshot;
	char digest[65];
	struct provenance provenance; /* points into here and the subject */
};

/*
 * The subject must be open. When the files still say what the campaign's commit
 * says, that commit is named; when only what is not measured has been edited, one
 * that has the edit; when something else is measured today, the campaign's.
 */
int origin_find(struct origin *o, const struct subject *s, struct error *err);

#endif
