#ifndef SCHEDULE_CHANGES_H
#define SCHEDULE_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct design;
struct experiment;
struct layer_cost;

/* What is in force on every host, and what changing it takes. */
struct changes {
	const struct experiment *e;
	const struct design *d;
	const double *seconds;     /* of a change of each layer; NULL or NaN:
	                            * as declared */
	struct layer_cost *counts; /* borrowed: where changes are counted */
	uint32_t *in_force;        /* n_hosts x n_layers: the treatment that a
	                            * layer was applied for */
};

void changes_init(struct changes *c, const struct experiment *e,
		  const struct design *d, struct layer_cost *counts,
		  const double *seconds);
void changes_release(struct changes *c);

/*
 * Brings the host to the treatment: of the layers `wanted` (NULL: all), what
 * they put into effect there. Returns the seconds.
 */
double changes_apply(struct changes *c, size_t host, size_t treatment,
		     const bool *wanted);
/* Puts everything back. */
double changes_revert(struct changes *c, size_t host);

/* What puts the layer into effect for the treatment; NULL: nothing. */
const struct treatment_def *changes_def(const struct experiment *e,
					const struct design *d, size_t layer,
					size_t treatment);

#endif
