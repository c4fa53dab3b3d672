#ifndef STATS_FACTORIAL_H
#define STATS_FACTORIAL_H

#include <stddef.h>
#include <stdint.h>

struct axes;
struct design;
struct design_options;
struct design_rule;
struct error;

/*
 * The full factorial design over these axes: fills `cells` and
 * `n_treatments`. The n_first rules in front (a Latin square, say) say what a
 * combination is; those of the options say which of them stay.
 */
int factorial_fill(struct design *d, const struct design_options *o,
		   const struct axes *axes, const struct design_rule *first,
		   size_t n_first, struct error *err);

/* By arithmetic, for a design that is an odometer: design_find(). */
size_t factorial_find(const struct design *d, const uint16_t *levels);

#endif
