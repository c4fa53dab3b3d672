#ifndef CMD_METHODS_H
#define CMD_METHODS_H

#include <stdbool.h>

struct buf;
struct error;
struct schedule;
struct strlist;
struct subject;
struct tally;

/*
 * How it was measured, as paragraphs for a methods section, from what was
 * really run.
 */
void methods_make(struct strlist *out, const struct subject *s,
		  const struct schedule *schedule, const struct tally *t,
		  const struct strlist *subsets, bool same_recipe);

/* How settings are made; appended. */
struct buf;
struct experiment;
void methods_settings(struct buf *out, const struct experiment *e);

#endif
