#ifndef CMD_COMPUTED_H
#define CMD_COMPUTED_H

struct schedule;
struct subject;

/*
 * Whether what the file computes can be: how many hosts of each role take part
 * in each run. Problems are printed: 2.
 */
int computed_counts(const struct subject *s, const struct schedule *schedule);

/* The same, and of the first thousand treatments every variable of their
 * runs. Where a fact of a host is not known yet, nothing is computed. */
int computed_all(const struct subject *s, const struct schedule *schedule);

#endif
