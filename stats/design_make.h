#ifndef STATS_DESIGN_MAKE_H
#define STATS_DESIGN_MAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/design.h"

struct error;
struct generator;

/*
 * A question about levels (an index for each factor of the design, or
 * DESIGN_ABSENT): 1 yes, 0 no, -1 with an error. It is asked as soon as the
 * factors it uses have their levels; what the others have then does not
 * matter. uses == NULL: it uses all.
 */
struct design_rule {
	int (*holds)(void *ctx, const uint16_t *levels, struct error *err);
	bool (*uses)(void *ctx, size_t factor);
	void *ctx;
};

/* A factor that exists only where the rule holds. */
struct design_existence {
	size_t factor;
	struct design_rule when;
};

/* Linked factors: they go through their levels together. */
struct design_zip {
	const size_t *factors;
	size_t n;
};

/* Factors of a Latin square; below 0: no factor, but something that the
 * schedule lays out (hosts, rounds). */
struct design_latin {
	int rows, columns, letters;
};

/* What a refusal is about, for a caller that knows where it is written. */
enum design_part {
	DESIGN_PART_WHOLE = 0,
	DESIGN_PART_ZIP,       /* zips[index], and so on */
	DESIGN_PART_EXISTENCE,
	DESIGN_PART_RULE,
	DESIGN_PART_BASE,
	DESIGN_PART_GENERATOR,
	DESIGN_PART_LATIN,     /* no index */
	DESIGN_PART_ROW,       /* of the list */
	DESIGN_PART_SIZE,      /* too many treatments; no index */
	DESIGN_PART_STEPS,     /* too many combinations; no index */
};
struct design_fault {
	enum design_part part;
	size_t index;
};

struct design_options {
	enum design_kind kind;
	const struct factor *factors; /* borrowed by the design */
	size_t n_factors;
	const bool *part;   /* for each factor whether it takes part; one that
	                     * does not is absent everywhere. NULL: all do */
	const struct design_zip *zips;
	size_t n_zips;
	const struct design_existence *existences; /* one a factor at most */
	size_t n_existences;
	const struct design_rule *rules; /* a treatment stays when all hold */
	size_t n_rules;
	/* DESIGN_ONE_AT_A_TIME: the centre; else a factor's first level */
	const struct setting *base;
	size_t n_base;
	/* DESIGN_FRACTIONAL */
	const struct generator *generators;
	size_t n_generators;
	/* DESIGN_LATIN_SQUARE */
	struct design_latin latin;
	uint64_t seed;
	/* DESIGN_LIST: n_list rows of n_factors levels or DESIGN_ABSENT */
	const uint16_t *list;
	size_t n_list;
	/* more treatments are refused; 0: DESIGN_MAX_TREATMENTS */
	size_t most;
	/* answers; each may be NULL */
	size_t *dropped;    /* for each rule: combinations that it dropped (of
	                     * several that would, the first one asked has
	                     * it); SIZE_MAX stands for more than fit */
	struct design_fault *fault;
};

/*
 * Makes the design. In all kinds a factor without existence is absent, and
 * a treatment that is thereby the same as another one is there once; an
 * existence may depend on any other factor, as long as none depends on itself.
 * The design may turn out to have no treatment: the rules dropped all.
 *
 * Full factorial: every combination, in the order of the levels' numbers, the
 * first factor slowest, absent last; linked factors count as one. Rules prune:
 * what they drop is not gone through one by one. Linear in the number of
 * combinations; after DESIGN_MAX_STEPS of them it gives up.
 *
 * One at a time: the base, then for each factor in order its other levels
 * with all else as in the base (linked factors move together). A factor that
 * does not exist in the base is varied nowhere; where it begins to exist it has
 * its own base level.
 *
 * Fractional: fraction.h. Factors that are no product of others go through
 * all combinations, the last of them fastest; a factor's first level is its
 * low one (-1). No linked or conditional factors. Rules do drop, but what
 * fraction.h says of the confounding is then no longer exact.
 *
 * Latin square: factors `rows`, `columns` and `letters` of n levels each take
 * the n x n combinations of a square: the cyclic one, (row + column) mod n,
 * with rows, columns and letters permuted by random_shuffle() in this order
 * after random_seed(seed). The other factors are crossed with it, in the order
 * of a full factorial. When one of the three is no factor, it is the full
 * factorial.
 *
 * List: the rows as given. No linked factors; a row that gives a level to a factor
 * that does not exist in it is refused, as are two rows that are the same.
 *
 * ERROR_USAGE for all of this; the design must be released in both cases.
 */
#define DESIGN_MAX_STEPS 100000000
int design_make(struct design *d, const struct design_options *o,
		struct error *err);

/* For the kinds: sets the fault and the error; returns -1. */
int design_refuse(const struct design_options *o, enum design_part part,
		  size_t index, struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* Sets the fault only, where the error is set already; returns -1. */
int design_blame(const struct design_options *o, enum design_part part,
		 size_t index);
bool design_takes_part(const struct design_options *o, size_t factor);

#endif
