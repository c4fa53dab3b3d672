#ifndef SCHEDULE_PLOTS_H
#define SCHEDULE_PLOTS_H

#include <stddef.h>
#include <stdint.h>

struct expansion;
struct random;

/*
 * Whole plots: the treatments of a matrix grouped by the levels of its hard
 * factors, one plot for each combination that occurs, numbered in the order
 * in which the matrix first has them. One plot when no factor is hard.
 */
struct plots {
	size_t n;
	uint32_t *of;    /* i-th treatment of the matrix -> plot; NULL: there
	                  * is one plot only */
	size_t *size;    /* plot -> treatments in it */
};

void plots_build(struct plots *p, const struct expansion *x, size_t matrix);
void plots_release(struct plots *p);

/*
 * Orders one round. Items are numbered 0 .. n-1; item i is about treatment
 * i % n_treatments (benchmarks are outermost). Shuffles the plots, then the
 * items within each. `items` has room for n.
 */
void plots_shuffle(const struct plots *p, struct random *r,
		   size_t n_treatments, uint32_t *items, size_t n);

#endif
