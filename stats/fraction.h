#ifndef STATS_FRACTION_H
#define STATS_FRACTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;
struct factor;

/*
 * Regular fractional factorial designs 2^(k-p): p of k two-level factors are
 * products of the others (Box, Hunter, Hunter, Statistics for Experimenters,
 * chapter 6; Montgomery, Design and Analysis of Experiments, chapter 8). The
 * first level of a factor counts as -1, the second as +1.
 */
struct generator {
	size_t factor;     /* index into the factors: = [-] the product of */
	size_t *of;        /* these */
	size_t n;
	bool negative;
};

/* A product of factors, or its negative: bit i stands for of[i]. */
struct word {
	uint64_t factors;
	bool negative;
};

#define FRACTION_MAX_FACTORS 62
#define FRACTION_MAX_GENERATORS 26

/* What the generators bring about. */
struct fraction {
	const struct factor *factors; /* borrowed: all of them */
	size_t *of;             /* bit -> factor, in declared order */
	size_t k;               /* factors that take part */
	size_t p;               /* generators */
	struct word *generators; /* p words that equal +1 in every treatment */
	struct word *columns;   /* bit -> the product of basic factors (by
	                         * their bits) that the factor is */
	size_t resolution;      /* length of the shortest word */
	size_t *lengths;        /* word length pattern: [i] of the 2^p - 1
	                         * words have i factors; k + 1 entries */
	size_t bad;             /* the generator that a refusal is about */
};

/*
 * `part` says of each factor whether it takes part (NULL: all do).
 * ERROR_USAGE when one that does has not two levels, when there is no
 * generator, or when one is none: it names its own factor, one that is
 * generated as well or one twice, or too few. A resolution below III
 * confounds main effects with one another: refused, with the words. Must be
 * released in both cases.
 */
int fraction_make(struct fraction *f, const struct factor *factors,
		  size_t n_factors, const bool *part,
		  const struct generator *generators, size_t n,
		  struct error *err);
void fraction_release(struct fraction *f);

/*
 * The words of the defining relation, shortest first, then in the order of
 * the factors: at least `least` of them, or all 2^p - 1. Returns their
 * number; the caller frees *words. Words of one length are never cut apart.
 */
size_t fraction_words(const struct fraction *f, size_t least,
		      struct word **words);

/* "compress*dedup", "-cache"; "I" for no factor. Appended. */
void fraction_add_word(const struct fraction *f, struct word w,
		       struct buf *out);
/* "I = a*b*c = -c*d*e", of at most `most` words, then "= ... (5 more)". */
void fraction_add_relation(const struct fraction *f, size_t most,
			   struct buf *out);
/* "III"; resolutions are written in Roman numerals. Appended. */
void fraction_add_resolution(size_t resolution, struct buf *out);

/* Effects that cannot be told apart. */
struct alias_chain {
	struct word *effects; /* the shortest first: +; the others equal it */
	size_t n;             /* 1: it is clear of all others asked about */
};
struct alias_table {
	struct alias_chain *chains;
	size_t n;
	size_t with;          /* effects of up to so many factors are in it */
};

#define ALIAS_ORDER 2 /* main effects and two-factor interactions */
/*
 * A chain for each group of confounded effects that has one of at most
 * `order` factors in it; effects of more than `with` factors are left out
 * (with >= order; it is lowered when there would be more than a million
 * effects). Chains are in the order of their first effects: by length, then
 * in the order of the factors. Effects that are confounded with the mean are words
 * of the defining relation and not in the table.
 */
void alias_table_make(struct alias_table *t, const struct fraction *f,
		      size_t order, size_t with);
void alias_table_release(struct alias_table *t);
/* "cache = -compress*dedup"; a clear effect stands alone. Appended. */
void alias_chain_add(const struct fraction *f, const struct alias_chain *c,
		     struct buf *out);

#endif
