#ifndef STATS_DESIGN_H
#define STATS_DESIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct factor;
struct row_index;

enum design_kind {
	DESIGN_FULL_FACTORIAL,
	DESIGN_ONE_AT_A_TIME,
	DESIGN_FRACTIONAL,
	DESIGN_LATIN_SQUARE,
	DESIGN_LIST,
};

/* In place of a level: the factor does not exist in this treatment. */
#define DESIGN_ABSENT UINT16_MAX

/*
 * What will be asked: the treatments, as level indexes; no two are the same.
 * The factors are borrowed and must outlive the design.
 */
struct design {
	enum design_kind kind;
	const struct factor *factors;
	size_t n_factors;
	uint16_t *cells;      /* n_treatments x n_factors, row-major */
	size_t n_treatments;
	bool odometer;        /* every combination of all factors, in order */
	bool *conditional;    /* the factors that exist under some levels
	                       * only; NULL: none of them */
	uint64_t *origins;    /* of a union, for each treatment: bit i is set
	                       * when it is one of the i-th part (below 64);
	                       * NULL: it is no union */
	struct row_index *index; /* for design_find(), filled when needed */
};

/* Treatments above this number are refused (ERROR_USAGE). */
#define DESIGN_MAX_TREATMENTS 10000000
/* The most levels of a factor. */
#define DESIGN_MAX_LEVELS 65535

/*
 * The short form of design_make() (design_make.h) for every combination of
 * levels, last factor fastest; no factor gives one empty treatment.
 * ERROR_USAGE when a factor has no level or more than 65,535, two have one
 * name, or `kind` is another one. The design must be released in both cases.
 */
int design_build(struct design *d, enum design_kind kind,
		 const struct factor *factors, size_t n_factors,
		 struct error *err);
void design_release(struct design *d);

/*
 * Adds the treatments of `part`, a design over the same factors, that `d` does
 * not have yet: a union that starts as design_init() and becomes a
 * DESIGN_LIST. share[i] is the number in `d` of the part's i-th treatment
 * (room for part->n_treatments). `number` counts the parts from 0.
 */
void design_init(struct design *d, const struct factor *factors,
		 size_t n_factors);
void design_add(struct design *d, const struct design *part, size_t number,
		uint32_t *share);

/* Level index of `factor` in `treatment`, or DESIGN_ABSENT. */
size_t design_level(const struct design *d, size_t treatment, size_t factor);

/* One factor at one level, by index, or DESIGN_ABSENT. */
struct setting {
	size_t factor;
	size_t level;
};

/* Whether the treatment has all n settings. */
bool design_has(const struct design *d, size_t treatment,
		const struct setting *settings, size_t n);

/*
 * The treatment with exactly these levels (an index for each factor, or
 * DESIGN_ABSENT); n_treatments when the design does not have it.
 */
size_t design_find(const struct design *d, const uint16_t *levels);

/*
 * The treatment that is like `treatment` but has the n settings: its
 * baseline, say. If it is not in the design, then the one in which factors that
 * only exist under other levels than those are absent; in a union, only
 * where both are treatments of one part. n_treatments when the design has none
 * such, or when `treatment` does not have a factor that the settings give a
 * level: it cannot be compared by that.
 */
size_t design_neighbour(const struct design *d, size_t treatment,
			const struct setting *settings, size_t n);

/*
 * A treatment's canonical key, appended: "block_kib=4,place=disk", the
 * factors sorted by name so that the key does not depend on the order they
 * are written in; "%", ",", "=", "#", "/" and bytes outside the printable ASCII
 * range are %XX. An absent factor is left out. The empty treatment's key is "-".
 */
void treatment_key(const struct design *d, size_t treatment, struct buf *out);

/* Appends a name or value escaped as in a key. */
void treatment_key_escape(const char *text, struct buf *out);

#endif
