#ifndef CMD_CELLS_H
#define CMD_CELLS_H

#include <stddef.h>

#include "orchestrate/spec/experiment.h"
#include "stats/frame.h"
#include "stats/sample.h"

struct error;
struct subject;

/*
 * The recorded runs of one response of one benchmark, tied to the treatments
 * of today's experiment file.
 */
struct cells {
	const struct subject *subject; /* borrowed */
	size_t benchmark, response;
	struct frame frame;
	ptrdiff_t *treatment; /* of each key of the frame; -1: the file no
	                       * longer has it */
	size_t n_foreign;     /* runs of such treatments */
};

int cells_load(struct cells *c, const struct subject *s, size_t benchmark,
	       size_t response, struct error *err);
void cells_release(struct cells *c);

const struct benchmark *cells_benchmark(const struct cells *c);
const struct response *cells_response(const struct cells *c);

/* The runs under every one of the conditions, whatever the other factors. */
int cells_sample(const struct cells *c, const struct condition *where,
		 size_t n_where, struct sample *out, struct error *err);

/* The runs of one treatment of the design. */
int cells_treatment(const struct cells *c, size_t treatment,
		    struct sample *out, struct error *err);

#endif
