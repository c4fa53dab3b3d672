#include "stats/design.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stats/row_index.h"

/* Parts beyond this many leave no trace in `origins`. */
#define MOST_ORIGINS 64

static void add_conditional(struct design *d, const struct design *part)
{
	if (!part->conditional)
		return;
	if (!d->conditional)
		d->conditional = mem_zalloc(d->n_factors,
					    sizeof(*d->conditional));
	for (size_t f = 0; f < d->n_factors; f++)
		d->conditional[f] |= part->conditional[f];
}

void design_add(struct design *d, const struct design *part, size_t number,
		uint32_t *share)
{
	size_t width = d->n_factors, bytes = width * sizeof(*d->cells);
	size_t room = d->n_treatments + part->n_treatments;

	d->cells = mem_realloc(d->cells, room, bytes);
	d->origins = mem_realloc(d->origins, room, sizeof(*d->origins));
	add_conditional(d, part);
	for (size_t t = 0; t < part->n_treatments; t++) {
		size_t at = d->n_treatments;

		if (bytes)
			memcpy(d->cells + at * width, part->cells + t * width,
			       bytes);
		share[t] = (uint32_t)row_index_put(d->index, d->cells, width,
						   at);
		if (share[t] == at) {
			d->origins[at] = 0;
			d->n_treatments++;
		}
		if (number < MOST_ORIGINS)
			d->origins[share[t]] |= (uint64_t)1 << number;
	}
}
