#ifndef STATS_DESIGN_H
#define STATS_DESIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct factor;

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
 * empty treatment. ERROR_USAGE when a factor has no level or more than
 * 65,535, or two have one name. The design must be released in both cases.
 */
int design_build(struct design *d, enum design_kind kind,
		 const struct factor *factors, size_t n_factors,
		 struct error *err);
void design_release(struct design *d);

/* Level index of `factor` in `treatment`, or DESIGN_ABSENT. */
size_t design_level(const struct design *d, size_t treatment, size_t factor);

/* One factor at one level, by index. */
struct setting {
	size_t factor;
	size_t level;
};

/* Whether the treatment has all n settings. */
bool design_has(const struct design *d, size_t treatment,
		const struct setting *settings, size_t n);

/*
 * The treatment that is like `treatment` but has the n settings: its
 * baseline, say. A factor that only exists under other levels than those may be
 * absent in it. n_treatments when the design has none such (a full factorial
 * always has one).
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
