#ifndef CMD_ORIGIN_H
#define CMD_ORIGIN_H

#include "orchestrate/vcs/snapshot.h"
#include "plot/provenance.h"

struct error;
struct subject;

/* Where figures come from: the commit that holds the files they are made by,
 * the campaign and the data. */
struct origin {
	struct snapshot snapshot;
	char digest[65];
	struct provenance provenance; /* points into here and the subject */
};

/*
 * The subject must be open. When the files still say what the campaign's commit
 * says, that commit is named; else one that has the edit.
 */
int origin_find(struct origin *o, const struct subject *s, struct error *err);

#endif
