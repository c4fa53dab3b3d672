#ifndef STATS_DESIGN_H
#define STATS_DESIGN_H

#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct factor;

enum design_kind {
	DESIGN_FULL_FACTORIAL,
};

/*
 * What will be asked: the treatments, as level indexes. The factors are
 * borrowed and must outlive the design.
 */
struct design {
	enum design_kind kind;
	const struct factor *factors;
	size_t n_factors;
	uint16_t *cells;      /* n_treatments x n_factors, row-major */
	size_t n_treatments;
};

/* Treatments above this number are refused (ERROR_USAGE). */
#define DESIGN_MAX_TREATMENTS 10000000

/*
 * Every combination of levels, last factor fastest; no factor gives one
 * empty treatment.
 */
int design_build(struct design *d, enum design_kind kind,
		 const struct factor *factors, size_t n_factors,
		 struct error *err);
void design_release(struct design *d);

/* Level index of `factor` in `treatment`. */
size_t design_level(const struct design *d, size_t treatment, size_t factor);

/*
 * A treatment's canonical key, appended: "block_kib=4,place=disk", the
 * factors sorted by name so that the key does not depend on the order they
 * are written in; "%", ",", "=", "#", "/" and bytes outside the printable ASCII
 * range are %XX. The empty treatment's key is "-".
 */
void treatment_key(const struct design *d, size_t treatment, struct buf *out);

#endif
