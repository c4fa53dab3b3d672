#ifndef SPEC_LAYERS_H
#define SPEC_LAYERS_H

#include <stdbool.h>
#include <stddef.h>

struct buf;
struct experiment;
struct treatment_use;

/*
 * The stack of what is put into effect on a host, lowest first: factors that
 * have a definition, in the order written, and set-ups. A set-up stands
 * right above the last factor it names; one that names none is lowest.
 * From one run to the next, the lowest layer that differs and all
 * above it are put back and put into effect anew.
 */
enum layer_kind {
	LAYER_FACTOR,
	LAYER_SETUP,
};
struct layer {
	enum layer_kind kind;
	size_t index;        /* of the factor or set-up */
};

/* Fills e->layers; what was there is freed. */
void layers_build(struct experiment *e);

/*
 * `levels` everywhere: an index for each factor of the experiment, or
 * DESIGN_ABSENT.
 */

/* What puts the layer into effect at these levels; NULL: nothing, the factor
 * is absent. */
const struct treatment_use *layer_treatment(const struct experiment *e,
					    size_t layer,
					    const size_t *levels);
/* The definition that serves a factor's level; NULL: it is a variable only. */
const struct treatment_use *factor_treatment(const struct experiment *e,
					     size_t factor, size_t level);
/* Whether any level of the factor has a definition: it is in the stack. */
bool factor_is_treated(const struct experiment *e, size_t factor);

/* Whether what the layer puts into effect differs. */
bool layer_differs(const struct experiment *e, size_t layer,
		   const size_t *from, const size_t *to);
/* The lowest layer that differs; n_layers when none does. `from` NULL: nothing
 * is in effect. */
size_t layers_lowest_change(const struct experiment *e, const size_t *from,
			    const size_t *to);

/* "storage", and for a set-up "build" */
const char *layer_name(const struct experiment *e, size_t layer);
/* The level's name; of a set-up "compiler=gcc,kernel=6.1", "-" without
 * factors. Appended. */
void layer_level(const struct experiment *e, size_t layer,
		 const size_t *levels, struct buf *out);

#endif
