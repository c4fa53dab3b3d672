#ifndef SCHEDULE_COST_H
#define SCHEDULE_COST_H

#include <stddef.h>

struct schedule;

/*
 * What a plan costs. Factors put into effect by a definition form a stack in
 * the order written: between two runs that follow one another on a host, the
 * lowest of them whose level differs and all above it are reverted and
 * applied anew (each counts as a change). Plain factors are variables: they
 * are not in the stack and never count.
 */
struct cost {
	size_t *changes;  /* per factor: changes between runs, all hosts */
	size_t n_factors;
	size_t n_hosts;   /* hosts that have runs; each also puts every
	                   * factor of the stack into effect before its first */
	double seconds;   /* the hosts' times, added up */
	double longest;   /* time of the busiest host, or of the hosts that
	                   * share a resource with one another and so take
	                   * turns: the duration when hosts work side by side */
};

/*
 * Of the runs with these indexes, in this order (runs = NULL: of all the
 * schedule's). run_seconds[b] is what one run of benchmark b takes, without changes;
 * a change takes its definition's declared cost. Linear in n.
 */
void cost_of_runs(struct cost *c, const struct schedule *s,
		  const size_t *runs, size_t n, const double *run_seconds);
void cost_release(struct cost *c);

#endif
