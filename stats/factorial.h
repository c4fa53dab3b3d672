#ifndef STATS_FACTORIAL_H
#define STATS_FACTORIAL_H

#include <stddef.h>

struct design;
struct error;
struct setting;

/*
 * The full factorial design: fills `cells` and `n_treatments` of a design
 * whose factors are set. Level indexes count like an odometer, the last
 * factor fastest. ERROR_USAGE for a factor without levels or with more than
 * 65,536, for two factors of one name, and above DESIGN_MAX_TREATMENTS.
 */
int factorial_fill(struct design *d, struct error *err);

/* design_neighbour() by arithmetic on the odometer. */
size_t factorial_neighbour(const struct design *d, size_t treatment,
			   const struct setting *settings, size_t n);

#endif
