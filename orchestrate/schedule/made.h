#ifndef SCHEDULE_MADE_H
#define SCHEDULE_MADE_H

#include <stddef.h>
#include <stdint.h>

struct rounds;
struct schedule;

/* What other matrices do for one benchmark and treatment of a matrix. */
struct made {
	uint32_t earlier; /* replicates that matrices before it plan */
	uint32_t sure;    /* the most that any of the others surely asks for */
};

/*
 * For every matrix an array of all its items: benchmarks outermost, then the
 * matrix's treatments. NULL when there is one matrix only. Linear in their
 * number.
 */
struct made **made_find(const struct schedule *s,
			const struct rounds *rounds);
void made_free(struct made **made, size_t n_matrices);

#endif
