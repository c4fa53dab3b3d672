#ifndef CMD_REMARKS_H
#define CMD_REMARKS_H

struct analysis;
struct strlist;

/*
 * What must be said beside the sentences: what was left out, how many comparisons
 * there are, warnings with their remedy. Sentences with full stop.
 */
void remarks_make(struct strlist *out, const struct analysis *a);

#endif
